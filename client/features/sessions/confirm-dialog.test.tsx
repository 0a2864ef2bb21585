// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CallProblem } from '#client/platform/call.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useConfirmation } from './use-confirmation.ts'

const t = (key: string, values = {}) => textOf('sessions', key, values)
const sent = {
  body: {
    success: true,
    expiresInSeconds: 300,
    resendInSeconds: 60,
    sent: true,
    channel: 'sms',
    channels: ['sms', 'email'],
    nextChannelInSeconds: 0,
  },
}
const right = {
  body: { success: true, confirmedUntil: new Date(Date.now() + 300_000).toISOString() },
}

type Table = Parameters<typeof stubGateway>[0]

function Opener({ run }: { readonly run: () => Promise<unknown> }) {
  const confirmation = useConfirmation()
  return (
    <>
      <button type="button" onClick={() => void confirmation.confirming('session', run)}>
        End it
      </button>
      <ConfirmDialog confirmation={confirmation} />
    </>
  )
}

function open(table: Table = {}, run: () => Promise<unknown> = async () => undefined) {
  const calls = stubGateway({
    'GET /api/auth/user': {
      body: { success: true, userId: 7, name: 'Amina', phone: '+966501234567', email: 'amina@example.com' },
    },
    'POST /api/auth/confirm': sent,
    'POST /api/auth/confirm/verify': right,
    ...table,
  })
  const ran = vi.fn(run)
  renderPage(<Opener run={ran} />, { language: 'en' })
  const posts = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
  return { person: userEvent.setup(), ran, posts }
}

const press = async (person: ReturnType<typeof userEvent.setup>, name: string) =>
  person.click(await screen.findByRole('button', { name }))
const codeField = () => screen.findByRole<HTMLInputElement>('textbox', { name: t('code.label') })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('a confirmation', () => {
  it('says why, sends a code, and runs the request once the code is right; the focus returns', async () => {
    const { person, ran, posts } = open()
    await press(person, 'End it')
    expect(await screen.findByText(t('confirm.purpose.session'), { exact: false })).toBeTruthy()
    expect(posts()).toEqual([])
    await person.keyboard('{Enter}')
    expect(document.activeElement).toBe(await codeField())
    await person.keyboard('1234')
    await waitFor(() => expect(ran).toHaveBeenCalledOnce())
    expect(posts()).toEqual([{ purpose: 'session' }, { code: '1234' }])
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'End it' }))
    // Each request needs a confirmation of its own.
    await press(person, 'End it')
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })

  it('runs nothing when it is cancelled, before and after the code was sent', async () => {
    const { person, ran } = open()
    for (const withCode of [false, true]) {
      await press(person, 'End it')
      if (withCode) {
        await press(person, t('send'))
        await codeField()
      }
      await press(person, t('confirm.cancel'))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    expect(ran).not.toHaveBeenCalled()
  })

  it.each([
    ['POST /api/auth/confirm', 'sending', false],
    ['POST /api/auth/confirm/verify', 'code.verifying', true],
  ])('stays open while %s is not answered', async (path, shown, withCode) => {
    const { person } = open({ [path]: () => new Promise(() => {}) })
    await press(person, 'End it')
    await press(person, t('send'))
    if (withCode) {
      await codeField()
      await person.keyboard('1234')
    }
    await screen.findByRole('button', { name: t(shown) })
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
    await press(person, t('confirm.cancel'))
    expect(screen.getByRole('button', { name: t(shown) })).toBeTruthy()
  })

  it('goes by e-mail where that is offered, and names the address', async () => {
    const { person, posts } = open()
    await press(person, 'End it')
    await press(person, t('send'))
    await codeField()
    await press(person, t('channels.email'))
    await waitFor(() => expect(posts()).toHaveLength(2))
    expect(posts()[1]).toEqual({ purpose: 'session', channel: 'email' })
  })

  it('shows a wrong code at its field, and the request waits for the right one', async () => {
    let isRight = false
    const { person, ran } = open({
      'POST /api/auth/confirm/verify': () =>
        isRight
          ? right
          : problem(400, 'CODE_INVALID', 'wrong code', [{ field: 'code', message: 'wrong code' }]),
    })
    await press(person, 'End it')
    await press(person, t('send'))
    await codeField()
    await person.keyboard('0000')
    await waitFor(async () => expect((await codeField()).getAttribute('aria-invalid')).toBe('true'))
    expect(ran).not.toHaveBeenCalled()
    isRight = true
    await person.keyboard('1234')
    await press(person, t('code.verify'))
    await waitFor(() => expect(ran).toHaveBeenCalledOnce())
  })

  it('closes when the third wrong code has ended the session', async () => {
    const { person, ran } = open({
      'POST /api/auth/confirm/verify': problem(401, 'CONFIRMATION_FAILED', 'session ended'),
    })
    await press(person, 'End it')
    await press(person, t('send'))
    await codeField()
    await person.keyboard('0000')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getAllByText('session ended').length).toBeGreaterThan(0)
    expect(ran).not.toHaveBeenCalled()
  })

  const tooMany = (code: string) => ({
    status: 429,
    body: {
      success: false,
      code,
      message: 'later',
      requestId: 'r-1',
      retryAfterSeconds: 600,
    },
  })

  it.each([
    [tooMany('TOO_MANY_CODES'), (): string => t('limits.TOO_MANY_CODES')],
    [tooMany('TOO_MANY_EMAIL_CODES'), (): string => t('limits.TOO_MANY_EMAIL_CODES')],
    [problem(503, 'OTP_UNAVAILABLE', 'not now'), (): string => 'not now'],
  ])('says why no code was sent, and stays open', async (refused, text) => {
    const { person } = open({ 'POST /api/auth/confirm': refused })
    await press(person, 'End it')
    await press(person, t('send'))
    expect((await screen.findAllByText(text())).length).toBeGreaterThan(0)
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  it('serves a second try of a request that was refused for another reason, and no expired one', async () => {
    const refusals = ['ACCOUNT_HAS_PAID_ORDERS', 'CONFIRMATION_REQUIRED']
    const { person, ran } = open({}, async () => {
      const code = refusals.shift()
      if (code) throw new CallProblem({ code, status: 409, message: code })
    })
    await press(person, 'End it')
    await press(person, t('send'))
    await codeField()
    await person.keyboard('1234')
    await waitFor(() => expect(ran).toHaveBeenCalledOnce())
    await press(person, 'End it')
    await waitFor(() => expect(ran).toHaveBeenCalledTimes(2))
    await press(person, 'End it')
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })
})

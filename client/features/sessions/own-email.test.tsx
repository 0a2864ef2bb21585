// @vitest-environment jsdom
import { useQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { ownAccountQuery } from '#client/session/own-account.query.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { OwnEmail } from './own-email.tsx'

const t = (key: string) => textOf('emails', key)
const amina = { success: true, userId: 7, name: 'Amina', phone: '+966501234567' }
const sentCode = { body: { success: true, expiresInSeconds: 600, resendInSeconds: 60, sent: true } }
const path = 'GET /api/auth/user'

type Table = Parameters<typeof stubGateway>[0]

/** The code to the number, before an address is added or removed. */
const confirmations = {
  'POST /api/auth/confirm': {
    body: {
      ...sentCode.body,
      expiresInSeconds: 300,
      channel: 'sms',
      channels: ['sms'],
      nextChannelInSeconds: 30,
    },
  },
  'POST /api/auth/confirm/verify': {
    body: { success: true, confirmedUntil: new Date(Date.now() + 300_000).toISOString() },
  },
}

/** Sends the code to the number and types it. */
async function confirm(person: ReturnType<typeof userEvent.setup>): Promise<void> {
  const dialog = within(await screen.findByRole('dialog'))
  await person.click(dialog.getByRole('button', { name: textOf('sessions', 'send') }))
  await codeField()
  await person.keyboard('1234')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

/** Appears once the answer about the account has arrived. */
function AnsweredName() {
  const { data } = useQuery(ownAccountQuery)
  return <p>{data?.success ? data.name : null}</p>
}

function open(own: { email?: string | null }, table: Table = {}, kind: 'line' | 'row' = 'row') {
  const calls = stubGateway({ [path]: { body: { ...amina, ...own } }, ...confirmations, ...table })
  renderPage(<OwnEmail kind={kind} />)
  const sent = () => calls.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body])
  return { person: userEvent.setup(), sent, calls }
}

const button = (key: string) => screen.findByRole('button', { name: t(key) })
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: t('email') })
const codeField = () =>
  screen.findByRole<HTMLInputElement>('textbox', { name: textOf('sessions', 'code.label') })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('the address', () => {
  it('is proven by keyboard: typed, sent a code, and confirmed as soon as the code is whole', async () => {
    const { person, sent } = open(
      { email: null },
      {
        'POST /api/auth/email': sentCode,
        'POST /api/auth/email/verify': {
          body: { success: true, user: { id: 7, name: 'Amina', phone: null } },
        },
      },
      'line',
    )
    await person.click(await button('addLine'))
    expect(document.activeElement).toBe(field())
    await person.keyboard('amina@{Enter}')
    expect(screen.getByText(t('invalid'))).toBeTruthy()
    await person.keyboard('Example.com {Enter}')
    await confirm(person)
    expect(document.activeElement).toBe(await codeField())
    await person.keyboard('٤٨٢١')
    await waitFor(async () => expect(document.activeElement).toBe(await button('addLine')))
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(t('proven'))
    expect(sent()).toEqual([
      ['POST', { purpose: 'email' }],
      ['POST', { code: '1234' }],
      ['POST', { email: 'amina@example.com' }],
      ['POST', { code: '4821' }],
    ])
  })

  it('has focus again when another address is asked for', async () => {
    const { person } = open({ email: null }, { 'POST /api/auth/email': sentCode })
    await person.click(await button('add'))
    await person.keyboard('amina@example.com{Enter}')
    await confirm(person)
    await codeField()
    await person.click(await button('otherEmail'))
    expect(document.activeElement).toBe(field())
  })

  it('is a problem in the row of the account where it cannot be read', async () => {
    open({}, { [path]: problem(503, 'UNEXPECTED', 'Later') })
    expect(await screen.findByRole('alert')).toBeTruthy()
  })

  it('has no link for a lost number, which belongs to the sign-in', async () => {
    open({ email: 'amina@example.com' })
    await button('remove')
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('shows a wrong code at its field', async () => {
    const wrong = {
      ...problem(400, 'CODE_INVALID', 'wrong code', [{ field: 'code', message: 'wrong code' }]),
    }
    const { person } = open(
      { email: null },
      { 'POST /api/auth/email': sentCode, 'POST /api/auth/email/verify': wrong },
    )
    await person.click(await button('add'))
    await person.keyboard('amina@example.com{Enter}')
    await confirm(person)
    await codeField()
    await person.keyboard('0000')
    expect(await screen.findByText('wrong code')).toBeTruthy()
    expect((await codeField()).getAttribute('aria-invalid')).toBe('true')
  })

  it('is shown left to right, and removed by its owner', async () => {
    const { person, sent } = open(
      { email: 'amina@example.com' },
      { 'DELETE /api/auth/email': { body: { success: true, user: amina } } },
    )
    expect((await screen.findByText('amina@example.com')).getAttribute('dir')).toBe('ltr')
    await person.click(await button('remove'))
    await confirm(person)
    expect(sent()).toEqual([
      ['POST', { purpose: 'email-removal' }],
      ['POST', { code: '1234' }],
      ['DELETE', undefined],
    ])
  })

  it('is not spoken of where none are offered', async () => {
    stubGateway({ [path]: { body: amina } })
    renderPage(
      <>
        <OwnEmail kind="row" />
        <AnsweredName />
      </>,
    )
    await screen.findByText('Amina')
    expect(screen.queryByRole('button')).toBeNull()
  })
})

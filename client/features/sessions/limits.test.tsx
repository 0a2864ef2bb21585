// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { configOf, sentCodeOf } from '#test/builders/answer.builder.ts'
import { noSession, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AgentAuthPage } from './agent-auth.page.tsx'
import { AuthPage } from './auth.page.tsx'
import { limitName } from './limits.rules.ts'
import { loadPhoneNumbers } from './phone-numbers.state.ts'

type Table = Parameters<typeof stubGateway>[0]

const sent = { body: sentCodeOf() }
const { contact } = configOf()
const t = (key: string, values?: Record<string, unknown>) => textOf('sessions', key, values)

function limited(code: string, retryAfterSeconds: number) {
  const answer = problem(429, code, 'Too often.')
  return { ...answer, body: Object.assign({ retryAfterSeconds }, answer.body) }
}

function open(page: 'user' | 'agent', table: Table) {
  const calls = stubGateway({
    ...noSession,
    'GET /api/config': { body: configOf() },
    ...table,
  })
  const Page = page === 'user' ? AuthPage : AgentAuthPage
  const view = renderPage(<Page />)
  const posted = (path: string) => calls.filter((call) => call.path === path).length
  return { ...view, posted, person: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) }
}

type Person = ReturnType<typeof open>['person']

const phone = () => screen.getByLabelText(t('phone'))
const send = () => screen.getByRole('button', { name: t('send') })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const dialog = () => within(screen.getByRole('dialog', { name: t('code.title') }))
const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'

async function askForCode(person: Person, number = '501234567') {
  await person.clear(phone())
  await person.type(phone(), number)
  await person.click(send())
  await pass(0)
}

async function enterCode(person: Person, code: string) {
  // Typing the last digit sends the code.
  await person.type(dialog().getByLabelText(t('code.label')), code)
  await pass(0)
}

// No test waits for a chunk, because the clock is faked.
beforeAll(loadPhoneNumbers)
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  window.history.replaceState(null, '', '/auth')
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each([
  ['user', '/api/auth/request-otp', 'limits.TOO_MANY_CODES'],
  ['agent', '/api/auth/send-agent-otp', 'limits.agent.TOO_MANY_CODES'],
] as const)('on the %s screen a limit on sending', (page, path, text) => {
  it('stays on screen with a running clock, and enables the button when it ends', async () => {
    let answer: ReturnType<typeof problem> = limited('TOO_MANY_CODES', 65)
    const { person, posted } = open(page, { [`POST ${path}`]: () => answer })
    await askForCode(person)
    const notice = screen.getByText(t(text))
    const clock = screen.getByRole('timer')
    const first = clock.textContent
    expect(first).toMatch(/\d:\d\d/)
    expect(isOff(send())).toBe(true)
    expect(document.getElementById(send().getAttribute('aria-describedby') ?? '')?.contains(notice)).toBe(
      true,
    )
    await pass(3_000)
    expect(clock.textContent).not.toBe(first)
    await person.click(send())
    expect(posted(path)).toBe(1)

    await pass(65_000)
    expect(screen.queryByRole('timer')).toBeNull()
    expect(isOff(send())).toBe(false)
    answer = sent
    await person.click(send())
    await pass(0)
    expect(dialog()).toBeTruthy()
  })
})

describe('a limit', () => {
  it('is announced once when it starts and once when it is over, not each second', async () => {
    const { person } = open('user', { 'POST /api/auth/request-otp': limited('SIGN_IN_BUSY', 30) })
    await askForCode(person)
    const region = screen.getAllByRole('status').find((each) => each.textContent !== '')
    const words = region?.textContent
    expect(words).toContain(t('limits.SIGN_IN_BUSY'))
    await pass(5_000)
    expect(region?.textContent).toBe(words)
    await pass(30_000)
    expect(region?.textContent).toBe(t('limits.over'))
  })

  it('survives a reload of the tab', async () => {
    const table = { 'POST /api/auth/request-otp': limited('TOO_MANY_CODES', 600) }
    const first = open('user', table)
    await askForCode(first.person)
    first.unmount()
    const { person, posted } = open('user', table)
    await askForCode(person)
    expect(screen.getByText(t('limits.TOO_MANY_CODES'))).toBeTruthy()
    expect(posted('/api/auth/request-otp')).toBe(0)
  })

  it('that was wiped, because another person signed in, does not come back when the page is left', async () => {
    const { person, unmount } = open('user', { 'POST /api/auth/request-otp': limited('TOO_MANY_CODES', 600) })
    await askForCode(person)
    sessionStorage.clear()
    unmount()
    expect(sessionStorage.length).toBe(0)
  })

  it('on one number does not affect others', async () => {
    const { person } = open('user', { 'POST /api/auth/request-otp': limited('TOO_MANY_CODES', 600) })
    await askForCode(person)
    expect(isOff(send())).toBe(true)
    await person.clear(phone())
    await person.type(phone(), '501234568')
    expect(isOff(send())).toBe(false)
    expect(screen.queryByRole('timer')).toBeNull()
  })

  it('without a time to wait is an error like any other', async () => {
    const { person } = open('user', {
      'POST /api/auth/request-otp': problem(429, 'TOO_MANY_CODES', 'Too often.'),
    })
    await askForCode(person)
    expect(screen.getByText('Too often.')).toBeTruthy()
    expect(isOff(send())).toBe(false)
  })
})

describe('an agent whose number has used up the codes of a day', () => {
  const path = '/api/auth/send-agent-otp'
  const pairing = (number: string | null) => ({
    body: { success: true, pairing: number, expiresInSeconds: number === null ? 0 : 1_800 },
  })
  const sendAfterCall = () => screen.getByRole('button', { name: t('pairing.send') })

  it('reads the number of this device out to us, and asks for a code before the limit ends', async () => {
    let answer: ReturnType<typeof problem> | typeof sent = limited('TOO_MANY_WRONG_CODES', 7_500)
    const { person, posted } = open('agent', {
      [`POST ${path}`]: () => answer,
      'POST /api/auth/agent-pairing': pairing('482913'),
      'POST /api/auth/verify-agent-otp': limited('TOO_MANY_WRONG_CODES', 600),
    })
    await askForCode(person)
    await pass(10)
    expect(screen.getByText('482 913').getAttribute('dir')).toBe('ltr')
    expect(screen.getByText(contact.phone).closest('a')?.getAttribute('href')).toBe('tel:+966920000000')
    expect(screen.getByRole('timer').textContent).toContain('2 hours and 5 minutes')
    expect(isOff(send())).toBe(true)
    // The sheet is not opened yet.
    await person.click(sendAfterCall())
    await pass(0)
    expect(posted(path)).toBe(2)
    expect(screen.getByText('482 913')).toBeTruthy()
    answer = sent
    await person.click(sendAfterCall())
    await pass(0)
    await enterCode(person, '0000')
    await pass(0)
    // The server sends a new code only when the agent can enter it.
    await person.click(dialog().getByRole('button', { name: t('pairing.send') }))
    await pass(0)
    expect(isOff(dialog().getByRole('button', { name: t('code.verify') }))).toBe(false)
  })

  it('gets another number when the first has expired', async () => {
    let number = '482913'
    const { person } = open('agent', {
      [`POST ${path}`]: limited('TOO_MANY_CODES', 7_500),
      'POST /api/auth/agent-pairing': () => pairing(number),
    })
    await askForCode(person)
    await pass(0)
    number = '777888'
    await pass(1_800_000)
    await pass(0)
    expect(screen.getByText('777 888')).toBeTruthy()
  })

  it.each([
    ['the limit ends within the day', 'agent', 'TOO_MANY_CODES', path, null],
    ['the limit is not of the number', 'agent', 'SIGN_IN_BUSY', path, '482913'],
    ['it is the number of a pilgrim', 'user', 'TOO_MANY_CODES', '/api/auth/request-otp', '482913'],
  ] as const)('sees no number where %s', async (_, page, code, of, number) => {
    const { person } = open(page, {
      [`POST ${of}`]: limited(code, 600),
      'POST /api/auth/agent-pairing': pairing(number),
    })
    await askForCode(person)
    await pass(0)
    expect(screen.getByText(t(`limits.${limitName({ role: page, code })}`))).toBeTruthy()
    expect(screen.queryByRole('button', { name: t('pairing.send') })).toBeNull()
  })
})

describe('in the dialog', () => {
  it('a limit on checking stops the button, clears the field and keeps the dialog', async () => {
    const { person, posted } = open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': limited('TOO_MANY_WRONG_CODES', 120),
    })
    await askForCode(person)
    await enterCode(person, '0000')
    expect(dialog().getByText(t('limits.TOO_MANY_WRONG_CODES'))).toBeTruthy()
    expect(dialog().getByLabelText(t('code.label'))).toHaveProperty('value', '')
    const verify = dialog().getByRole('button', { name: t('code.verify') })
    expect(isOff(verify)).toBe(true)
    await person.click(verify)
    expect(posted('/api/auth/verify-otp')).toBe(1)
    await pass(121_000)
    expect(isOff(dialog().getByRole('button', { name: t('code.verify') }))).toBe(false)
  })

  it('a locked number shows the support contact and no clock', async () => {
    const { person, posted } = open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': problem(429, 'PHONE_LOCKED', 'Contact us.'),
    })
    await askForCode(person)
    await enterCode(person, '0000')
    expect(dialog().getAllByText(t('limits.PHONE_LOCKED')).length).toBeGreaterThan(0)
    expect(dialog().getByText(contact.phone).getAttribute('dir')).toBe('ltr')
    const links = dialog().getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'tel:+966920000000',
      `mailto:${contact.email}`,
    ])
    expect(screen.queryByRole('timer')).toBeNull()
    // Support may have unlocked the number in the meantime.
    await enterCode(person, '1111')
    await person.click(dialog().getByRole('button', { name: t('code.verify') }))
    await pass(0)
    expect(posted('/api/auth/verify-otp')).toBe(2)
    expect(dialog().getAllByText(t('limits.PHONE_LOCKED')).length).toBeGreaterThan(0)
  })

  it('a used-up code is cleared, and a new one is offered', async () => {
    const { person, posted } = open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': problem(400, 'CODE_USED_UP', 'Ask for a new code.'),
    })
    await askForCode(person)
    await enterCode(person, '0000')
    const field = dialog().getByLabelText(t('code.label'))
    expect(field).toHaveProperty('value', '')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(dialog().getAllByText(t('code.usedUp')).length).toBeGreaterThan(0)
    expect(isOff(dialog().getByRole('button', { name: t('code.verify') }))).toBe(true)
    await person.click(dialog().getByRole('button', { name: t('code.sendNew') }))
    await pass(0)
    expect(posted('/api/auth/request-otp')).toBe(2)
    expect(isOff(dialog().getByRole('button', { name: t('code.verify') }))).toBe(false)
    expect(document.activeElement).toBe(dialog().getByLabelText(t('code.label')))
  })

  it('a used-up code stays so after a reload, with the wait for the next', async () => {
    const table = {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': limited('CODE_USED_UP', 600),
    }
    const first = open('user', table)
    await askForCode(first.person)
    await enterCode(first.person, '0000')
    // Leaving the page drops the code, a reload does not.
    const stored = sessionStorage.getItem('signIn') ?? ''
    first.unmount()
    sessionStorage.setItem('signIn', stored)
    open('user', table)
    await pass(0)
    expect(dialog().getAllByText(t('code.usedUp')).length).toBeGreaterThan(0)
    expect(dialog().getByText(/^You can ask for another code in .?(10|9):\d\d/)).toBeTruthy()
    expect(dialog().queryByRole('button', { name: t('code.sendNew') })).toBeNull()
  })

  it('a request that sent nothing is not announced as a new code', async () => {
    let answer = sent
    const { person } = open('user', { 'POST /api/auth/request-otp': () => answer })
    await askForCode(person)
    answer = { body: { ...sent.body, resendInSeconds: 40, sent: false } }
    await person.click(dialog().getByRole('button', { name: t('code.resend.sms') }))
    await pass(0)
    expect(dialog().getAllByText(t('code.earlier')).length).toBeGreaterThan(0)
    expect(dialog().queryByText(t('code.resent'))).toBeNull()
  })

  it('a pasted or autofilled code is submitted without another press', async () => {
    const { person, posted } = open('user', {
      'POST /api/auth/request-otp': sent,
      'POST /api/auth/verify-otp': problem(400, 'CODE_INVALID', 'That code is wrong.'),
    })
    await askForCode(person)
    await person.click(dialog().getByLabelText(t('code.label')))
    await person.paste('Amtiati code: 12 34')
    await pass(0)
    expect(posted('/api/auth/verify-otp')).toBe(1)
    expect(dialog().getAllByText('That code is wrong.').length).toBeGreaterThan(0)
  })
})

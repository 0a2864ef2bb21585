// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { configOf, sentCodeOf } from '#test/builders/answer.builder.ts'
import { noSession, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AgentAuthPage } from './agent-auth.page.tsx'
import { AuthPage } from './auth.page.tsx'
import { loadPhoneNumbers } from './phone-numbers.state.ts'

type Answer = ReturnType<typeof problem>

const t = (key: string, values?: Record<string, unknown>) => textOf('sessions', key, values)
const requests = { user: '/api/auth/request-otp', agent: '/api/auth/send-agent-otp' } as const
const channels = ['sms', 'whatsapp', 'call'] as const
const bySms = sentCodeOf({ channels: [...channels], resendInSeconds: 60, nextChannelInSeconds: 30 })
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const dialog = () => within(screen.getByRole('dialog', { name: t('code.title') }))
const ways = () =>
  channels.filter((channel) => screen.queryByRole('button', { name: t(`channels.${channel}`) }) !== null)
const button = (channel: string) => screen.getByRole('button', { name: t(`channels.${channel}`) })
const phone = () => screen.getByLabelText(t('phone'))

const expectShown = (key: string) =>
  expect(dialog().getAllByText(t(key), { exact: false }).length).toBeGreaterThan(0)

/** The page after a code was requested. Each answer is given once; the last answer is given to all later requests. */
async function askForCode(
  role: 'user' | 'agent',
  delivery: string | Answer,
  ...answers: (Answer | object | (() => Promise<Answer>))[]
) {
  const next = (): Answer | Promise<Answer> => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (typeof answer === 'function') return answer()
    return answer && 'status' in answer ? (answer as Answer) : { body: answer }
  }
  const calls = stubGateway({
    ...noSession,
    'GET /api/config': { body: configOf() },
    [`POST ${requests[role]}`]: next,
    'GET /api/auth/delivery': () =>
      typeof delivery === 'string' ? { body: { success: true, state: delivery } } : delivery,
  })
  const { unmount } = renderPage(role === 'user' ? <AuthPage /> : <AgentAuthPage />)
  const person = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  await person.type(phone(), '501234567')
  await person.click(screen.getByRole('button', { name: t('send') }))
  await pass(0)
  const choose = async (channel: string) => {
    await person.click(button(channel))
    await pass(0)
  }
  const bodies = () => calls.filter(({ path }) => path === requests[role]).map(({ body }) => body)
  const asked = () => calls.filter(({ path }) => path === '/api/auth/delivery').length
  return { person, choose, bodies, asked, unmount }
}

// No test waits for a chunk, because the clock is faked.
beforeAll(loadPhoneNumbers)
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.useFakeTimers({ shouldAdvanceTime: false })
})
afterEach(() => {
  vi.useRealTimers()
})

it.each(['user', 'agent'] as const)(
  'offers a %s the other ways after half a minute, and says which one was taken',
  async (role) => {
    const { choose, bodies, asked } = await askForCode(
      role,
      'unknown',
      bySms,
      { ...bySms, channel: 'call' },
      { ...bySms, channel: 'whatsapp' },
    )
    const isAgent = role === 'agent'
    expectShown(isAgent ? 'agentCode.news.sms' : 'code.sentTo.sms')
    await pass(29_000)
    expect(ways()).toEqual([])
    await pass(1_000)
    expect(ways()).toEqual(['whatsapp', 'call'])
    expect(
      dialog()
        .getAllByText(t('channels.title'))
        .map(({ role: of }) => of),
    ).toContain('status')
    await choose('call')
    expect(
      dialog()
        .getAllByText(t(isAgent ? 'agentCode.news.call' : 'code.news.call'))
        .map(({ role: of }) => of),
    ).toContain('status')
    expect(dialog().getByText(t('code.answer'), { exact: false })).toBeTruthy()
    expect(ways()).toEqual([])
    await pass(30_000)
    expect(ways()).toEqual(['sms', 'whatsapp'])
    await choose('whatsapp')
    expectShown(isAgent ? 'agentCode.news.whatsapp' : 'code.sentTo.whatsapp')
    await pass(60_000)
    expect(dialog().getByRole('button', { name: t('code.resend.whatsapp') })).toBeTruthy()
    const number = { phone: '+966501234567' }
    expect(bodies()).toEqual([number, { ...number, channel: 'call' }, { ...number, channel: 'whatsapp' }])
    // The app asks about delivery only for pilgrims, and only for the SMS.
    expect(asked()).toBe(role === 'user' ? 1 : 0)
  },
)

it('offers them at once where the SMS was not delivered, which it asks for after twenty seconds', async () => {
  const { asked } = await askForCode('user', 'undelivered', bySms)
  await pass(19_000)
  expect([asked(), ways()]).toEqual([0, []])
  await pass(1_000)
  await pass(0)
  expect([asked(), ways()]).toEqual([1, ['whatsapp', 'call']])
  expect(dialog().getAllByText(t('channels.undelivered'))).toHaveLength(2)
  await pass(60_000)
  expect(asked()).toBe(1)
})

it('asks once, also where that question fails', async () => {
  const { asked } = await askForCode('user', problem(503, 'OVERLOADED', 'Later'), bySms)
  for (let seconds = 0; seconds < 60; seconds += 1) await pass(1_000)
  expect(asked()).toBe(1)
})

it('asks nothing and offers nothing where there is one way', async () => {
  const { asked } = await askForCode('user', 'undelivered', { ...bySms, channels: ['sms'] })
  await pass(60_000)
  expect([asked(), ways()]).toEqual([0, []])
})

const withMore = (answer: Answer, more: object) => ({ ...answer, body: Object.assign(more, answer.body) })
const refused = (...others: string[]) =>
  withMore(problem(409, 'CHANNEL_UNAVAILABLE', 'We could not send the code. Choose another way.'), {
    channels: others,
  })

it('offers other ways on the form where the first one is refused, for that number alone', async () => {
  const { person, choose, bodies } = await askForCode('user', 'unknown', refused('whatsapp', 'call'), {
    ...bySms,
    channel: 'call',
  })
  expect(screen.getByText('We could not send the code. Choose another way.')).toBeTruthy()
  expect(ways()).toEqual(['whatsapp', 'call'])
  await person.type(phone(), '8')
  expect(ways()).toEqual([])
  await person.type(phone(), '{Backspace}')
  await choose('call')
  expect(dialog().getByText(t('code.answer'), { exact: false })).toBeTruthy()
  expect(bodies()[1]).toEqual({ phone: '+966501234567', channel: 'call' })
})

it('stays with the code that was sent where another way is refused, and offers the rest at once', async () => {
  const { choose } = await askForCode('user', 'unknown', bySms, refused('call'), refused())
  await pass(30_000)
  await choose('whatsapp')
  expect(screen.getByText('We could not send the code. Choose another way.')).toBeTruthy()
  expect(dialog().getByText(t('code.sentTo.sms'), { exact: false })).toBeTruthy()
  expect(ways()).toEqual(['call'])
  // The focus stays near the pressed button, although the button is gone.
  const within = (element: Element | null) => element?.contains(button('call')) ?? false
  expect([document.activeElement === document.body, within(document.activeElement)]).toEqual([false, true])
  await choose('call')
  expect(ways()).toEqual([])
  expect(document.activeElement).not.toBe(document.body)
})

it('keeps the buttons on the form while one of them is tried, and the focus after it is refused', async () => {
  const held = Promise.withResolvers<Answer>()
  const { choose } = await askForCode('user', 'unknown', refused('whatsapp', 'call'), () => held.promise)
  await choose('whatsapp')
  expect(document.activeElement).toBe(button('whatsapp'))
  expect(ways()).toEqual(['whatsapp', 'call'])
  held.resolve(refused('call'))
  await pass(0)
  expect(ways()).toEqual(['call'])
  expect(document.activeElement?.contains(button('call'))).toBe(true)
})

it('counts down to the other ways where the code may be on its way all the same, and a pause holds for one way', async () => {
  const { choose, bodies } = await askForCode(
    'user',
    'unknown',
    withMore(problem(503, 'OTP_UNAVAILABLE', 'Try again in a moment.'), {
      channels: ['whatsapp', 'call'],
      retryAfterSeconds: 30,
    }),
    withMore(problem(429, 'CODE_REQUESTED_TOO_SOON', 'A moment ago.'), { retryAfterSeconds: 20 }),
    { ...bySms, channel: 'call' },
  )
  const isOff = (channel: string) => button(channel).getAttribute('aria-disabled') === 'true'
  expect([isOff('whatsapp'), isOff('call')]).toEqual([true, true])
  await pass(29_000)
  expect(isOff('call')).toBe(true)
  await pass(1_000)
  await choose('whatsapp')
  expect([isOff('whatsapp'), isOff('call')]).toEqual([true, false])
  expect(screen.getByText(t('limits.CODE_REQUESTED_TOO_SOON'))).toBeTruthy()
  await choose('call')
  expect(bodies()).toHaveLength(3)
  expect(dialog().getByText(t('code.answer'), { exact: false })).toBeTruthy()
})

it('does not say that it calls after a reload', async () => {
  const { unmount } = await askForCode('user', 'unknown', { ...bySms, channel: 'call' })
  const stored = sessionStorage.getItem('signIn') ?? ''
  unmount()
  sessionStorage.setItem('signIn', stored)
  renderPage(<AuthPage />)
  await pass(0)
  expect(dialog().getByText(t('code.sentTo.call'), { exact: false })).toBeTruthy()
  expect(dialog().queryByText(t('code.news.call'))).toBeNull()
  expect(dialog().queryByText(t('code.answer'), { exact: false })).toBeNull()
})

it('tells an agent nothing that is untrue of a number that is not registered, and whom to ask', async () => {
  const claims = [
    'sent',
    'resent',
    'earlier',
    'sentTo.sms',
    'sentTo.whatsapp',
    'sentTo.call',
    'news.whatsapp',
  ]
  const shown: string[] = []
  const expectNoClaim = () => {
    const text = screen.getByRole('dialog').textContent ?? ''
    shown.push(text)
    for (const claim of [...claims, 'news.call']) expect(text).not.toContain(t(`code.${claim}`))
  }
  const { choose, person } = await askForCode(
    'agent',
    'unknown',
    bySms,
    { ...bySms, sent: false },
    bySms,
    { ...bySms, channel: 'whatsapp' },
    { ...bySms, channel: 'call' },
  )
  expectNoClaim()
  expect(shown.at(-1)).toContain('If this number is registered, a code is on its way')
  const { contact } = configOf()
  expect(dialog().getByText(contact.phone).closest('a')?.getAttribute('href')).toMatch(/^tel:/)
  const resend = async () => {
    await pass(60_000)
    await person.click(dialog().getByRole('button', { name: t('code.resend.sms') }))
    await pass(0)
    expectNoClaim()
  }
  await resend()
  expect(shown.at(-1)).toContain(t('agentCode.earlier'))
  await resend()
  expect(shown.at(-1)).toContain(t('agentCode.resent'))
  for (const channel of ['whatsapp', 'call'] as const) {
    await pass(30_000)
    await choose(channel)
    expectNoClaim()
    expect(shown.at(-1)).toContain(t(`agentCode.news.${channel}`))
  }
})

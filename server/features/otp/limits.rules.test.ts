import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { hour, minute, noon } from '#test/kit/basics/clock.ts'
import { longestOf, ownRules, type PastEvent, type Rule, reachedOf, sharedRules } from './limits.rules.ts'
import { type DeviceTrust, guessRules, type Role } from './otp.rules.ts'

const config = readConfig({})
const lineOf = ({ name, counts, count, windowMs, code }: Rule) =>
  `${name}: ${count} in ${windowMs / minute} min of ${counts.join('+')}, ${code}`
const own = (role: Role, env = {}) => {
  const { sends, pause, switching, wrongs } = ownRules(readConfig(env), role)
  return [...sends, pause, switching, ...wrongs].map(lineOf)
}
const shared = (role: Role, country: string, trust: DeviceTrust = 'open') =>
  sharedRules(config, { role, country, trust }).map((rule) =>
    [rule.per ?? 'all', lineOf(rule), ...(rule.answered < 0 ? ['less answered'] : [])].join(' '),
  )

describe('the table of rules', () => {
  it('equals decision 0075, by default and abroad', () => {
    expect(own('user')).toEqual([
      'OTP_SENDS_PER_PHONE: 3 in 10 min of unanswered+answered, TOO_MANY_CODES',
      'OTP_SENDS_PER_PHONE: 5 in 60 min of unanswered+answered, TOO_MANY_CODES',
      'OTP_SENDS_PER_PHONE: 10 in 1440 min of unanswered+answered, TOO_MANY_CODES',
      'OTP_SENDS_PER_PHONE: 1 in 1 min of unanswered+answered+refused+blocked, CODE_REQUESTED_TOO_SOON',
      'OTP_SENDS_PER_PHONE: 1 in 0.5 min of unanswered+answered, CODE_REQUESTED_TOO_SOON',
      'wrong-codes-per-phone: 5 in 60 min of wrong, TOO_MANY_WRONG_CODES',
      'wrong-codes-per-phone: 10 in 1440 min of wrong, TOO_MANY_WRONG_CODES',
    ])
    expect(shared('user', 'EG')).toEqual([
      'all OTP_DAILY_BUDGET: 33000 in 1440 min of unanswered+answered, SIGN_IN_BUSY',
      'prefix codes-per-prefix: 400 in 1440 min of unanswered+answered, SIGN_IN_BUSY',
      'country codes-per-country: 5000 in 1440 min of unanswered+answered, SIGN_IN_BUSY',
      'address codes-per-address: 125 in 60 min of unanswered+answered+refused+blocked, SIGN_IN_BUSY less answered',
    ])
    expect([own('agent'), shared('agent', 'EG')]).toEqual([own('user'), shared('user', 'EG')])
  })

  it('allows the Kingdom and its prefixes ten times the number', () => {
    expect(shared('user', 'SA').slice(1, 3)).toEqual([
      expect.stringContaining('codes-per-prefix: 4000 in'),
      expect.stringContaining('codes-per-country: 50000 in'),
    ])
  })

  it('stops no device that has signed in before', () => {
    expect(shared('user', 'SA', 'known')).toEqual([])
    expect(shared('recovery', '', 'known')).toEqual([])
  })

  it('counts letters by user and mailbox, with the budget and the address of all codes', () => {
    const [budget, , , address] = shared('user', 'EG')
    const mailbox = 'prefix email-codes: 12 in 1440 min of unanswered+answered, TOO_MANY_CODES'
    for (const role of ['email', 'recovery'] as const)
      expect(shared(role, '')).toEqual([budget, mailbox, address])
    expect(own('email').slice(0, 2)).toEqual([
      'email-codes: 3 in 1440 min of unanswered+answered, TOO_MANY_CODES',
      'email-codes: 1 in 1 min of unanswered+answered+refused+blocked, CODE_REQUESTED_TOO_SOON',
    ])
    expect(own('recovery')[0]).toBe('email-codes: 12 in 1440 min of unanswered+answered, TOO_MANY_CODES')
  })

  it('allows five codes an hour that confirm, with a budget of their own; their wrong ones end the session', () => {
    expect(own('confirm')).toEqual([
      'confirmations: 5 in 60 min of unanswered+answered, TOO_MANY_CODES',
      ...own('user').slice(3, 5),
    ])
    expect(shared('confirm', 'SA', 'session')).toEqual(shared('user', 'SA').slice(0, 1))
  })

  it('opens ten accounts a day at the very worst to guesses at all numbers, with the largest budget that is accepted', () => {
    expect(() => readConfig({ OTP_DAILY_BUDGET: '33001' })).toThrow('OTP_DAILY_BUDGET')
    const [budget] = sharedRules(readConfig({ OTP_DAILY_BUDGET: '33000' }), {
      role: 'user',
      country: 'EG',
      trust: 'open',
    })
    expect(((budget?.count ?? 0) * guessRules.triesPerCode) / 10_000).toBeLessThan(10)
  })

  it('takes one code per window for a pause, of which that between channels is half a minute at most', () => {
    const pausesOf = (sends: string) =>
      own('user', { OTP_SENDS_PER_PHONE: sends })
        .filter((line) => line.includes('TOO_SOON'))
        .map((line) => / in (\S+) min/.exec(line)?.[1])
    expect(pausesOf('1/2h,2/1d')).toEqual(['120', '0.5'])
    expect(pausesOf('1/6s,2/1d')).toEqual(['0.1', '0.1'])
    expect(pausesOf('2/1d')).toEqual(['0', '0'])
  })
})

it('a rule is reached by the events that it counts, and that with the longest wait decides', () => {
  const { sends } = ownRules(config, 'user')
  const past = (outcome: PastEvent['outcome']) =>
    Array.from({ length: 5 }, (_, at) => ({ kind: 'send', channel: 'sms', outcome, at: noon + at }) as const)
  const reached = reachedOf(sends, past('unanswered'), noon + minute)
  expect(reached.map(({ rule }) => rule.count)).toEqual([3, 5])
  expect(longestOf(reached)).toMatchObject({ rule: { code: 'TOO_MANY_CODES' }, freeAt: noon + hour })
  expect(reachedOf(sends, past('unanswered'), noon + hour)).toEqual([])
  expect(reachedOf(sends, past('refused'), noon + minute)).toEqual([])
})

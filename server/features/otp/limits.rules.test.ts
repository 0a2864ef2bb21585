import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import type { GatewayLimits } from '#server/platform/gateway-limits.ts'
import { day, hour, minute } from '#test/kit/clock.ts'
import { longestCreditWaitMs, longestWindowMs, type Rule, rulesFor, scopes } from './limits.rules.ts'

function configWith(limits: Partial<GatewayLimits>, env: Readonly<Record<string, string>> = {}) {
  const config = readConfig(env)
  return { ...config, limits: { ...config.limits, ...limits } }
}

describe('the table of rules', () => {
  const limits = readConfig({})
  const shape = ({ name, per, counts, credits = [], count, windowMs, code, alarm }: Rule) =>
    [
      ...[name, per, `${count} in ${windowMs / minute} min:`, counts.join('+')],
      ...[credits.length > 0 && `less ${credits.join('+')}`, code, alarm].filter(Boolean),
    ].join(' ')
  const table = (country: string, env: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(rulesFor(readConfig(env), country)).map(([when, rules]) => [
        when,
        [rules].flat().map((rule) => shape(rule)),
      ]),
    )
  const sent = 'unanswered+answered+joined'

  it('equals decision 0011, by default and abroad', () => {
    expect(table('EG')).toEqual({
      sends: [
        `OTP_SENDS_PER_PHONE phone 3 in 10 min: ${sent} TOO_MANY_CODES`,
        `OTP_SENDS_PER_PHONE phone 5 in 60 min: ${sent} TOO_MANY_CODES`,
        `OTP_SENDS_PER_PHONE phone 10 in 1440 min: ${sent} TOO_MANY_CODES`,
      ],
      pauses: [
        `OTP_SENDS_PER_PHONE phoneChannel 1 in 1 min: ${sent}+refused+blocked CODE_REQUESTED_TOO_SOON`,
      ],
      switches: [`OTP_SENDS_PER_PHONE phone 1 in 0.5 min: ${sent} CODE_REQUESTED_TOO_SOON`],
      calls: [`OTP_DAILY_BUDGET channel 5000 in 1440 min: ${sent} CHANNEL_UNAVAILABLE calls-spent`],
      wrongs: [
        'wrong-codes-per-phone phone 5 in 60 min: wrong TOO_MANY_WRONG_CODES',
        'wrong-codes-per-phone phone 10 in 1440 min: wrong TOO_MANY_WRONG_CODES',
      ],
      known: [`OTP_DAILY_BUDGET all 50000 in 1440 min: ${sent}`],
      open: [
        `OTP_DAILY_BUDGET all 47500 in 1440 min: ${sent}`,
        `codes-per-prefix prefix 1200 in 1440 min: ${sent}`,
      ],
      newPhone: [
        'codes-per-prefix prefix 400 in 1440 min: unanswered+joined',
        'codes-per-country country 5000 in 1440 min: unanswered+joined',
      ],
      address: [
        'address-share addressPrefix 63 in 10 min: unanswered+refused+blocked less answered+joined',
        'address-share address 125 in 10 min: unanswered+refused+blocked less answered+joined',
      ],
      restrictedAddress: [
        'address-share address 2 in 60 min: unanswered+refused+blocked less answered+joined',
      ],
      restriction: [
        'OTP_DAILY_BUDGET all 2500 in 10 min: unanswered restricted',
        'OTP_DAILY_BUDGET all 15000 in 1440 min: unanswered restricted',
        'codes-per-prefix prefix 120 in 1440 min: unanswered restricted',
        'codes-per-country country 1500 in 1440 min: unanswered restricted',
      ],
      guessing: [
        'wrong-codes-per-phone all 500 in 10 min: wrong guessing',
        'address-share address 25 in 10 min: wrong less right guessing',
      ],
      alarms: [
        `OTP_DAILY_BUDGET all 40000 in 1440 min: ${sent} budget-low`,
        'codes-per-country country 4000 in 1440 min: unanswered+joined country-low',
      ],
    })
  })

  it('allows the Kingdom and its prefixes ten times the number, and is else the same', () => {
    const tenfold = (rules: readonly string[] | undefined) =>
      rules?.map((rule) =>
        rule.replace(
          /^(codes-per-(?:prefix|country) \w+) (\d+)/,
          (_, start, count) => `${start} ${Number(count) * 10}`,
        ),
      )
    const abroad = table('EG')
    expect(table('SA')).toEqual(
      Object.fromEntries(Object.entries(abroad).map(([when, rules]) => [when, tenfold(rules)])),
    )
  })

  it('leaves an address 20, however small the budget and the share are', () => {
    const few = rulesFor(configWith({ codesPerAddressPercent: 1 }, { OTP_DAILY_BUDGET: '20' }), 'EG')
    expect([...few.address, few.restriction[0], few.guessing[1]].map((rule) => rule?.count)).toEqual([
      20, 20, 20, 20,
    ])
    expect(rulesFor(limits, 'EG').restrictedAddress).toMatchObject([{ count: 2, windowMs: hour }])
  })

  it('rounds limits of devices down and those that restrict sign-in up', () => {
    const odd = rulesFor(
      configWith({ codesPerPrefix: 11, codesPerCountry: 21 }, { OTP_DAILY_BUDGET: '1001' }),
      'EG',
    )
    expect(odd.open.map(({ count }) => count)).toEqual([950, 33])
    expect(odd.restriction.map(({ count }) => count)).toEqual([51, 301, 4, 7])
    expect(
      rulesFor(configWith({ codesPerAddressPercent: 7 }), 'EG').address.map(({ count }) => count),
    ).toEqual([88, 175])
  })

  it('allows no code with an empty budget', () => {
    const none = rulesFor(readConfig({ OTP_DAILY_BUDGET: '0' }), 'EG')
    expect([none.known[0]?.count, none.open[0]?.count]).toEqual([0, 0])
  })

  it('takes one code per window for a pause, of which that between channels is half a minute at most', () => {
    const waits = (sends: string) => {
      const { pauses, switches } = rulesFor(readConfig({ OTP_SENDS_PER_PHONE: sends }), 'EG')
      return [...pauses, ...switches].map(({ windowMs }) => windowMs / 1000)
    }
    expect(waits('1/2h,2/1d')).toEqual([7200, 30])
    expect(waits('1/5s,2/1d')).toEqual([5, 5])
    expect(waits('2/1d')).toEqual([])
  })

  it('counts a phone per role and trust, and promises an address a wait of a minute at most', () => {
    expect(scopes).toEqual({
      phone: ['role', 'phone', 'trust'],
      phoneChannel: ['role', 'phone', 'trust', 'channel'],
      channel: ['channel'],
      prefix: ['prefix'],
      mailbox: ['prefix', 'role', 'trust'],
      country: ['country'],
      address: ['address'],
      addressPrefix: ['address', 'prefix'],
      all: [],
    })
    expect(longestCreditWaitMs).toBe(minute)
  })
})

describe('the longest window', () => {
  it('is that of the longest rule, and a day at least', () => {
    expect(longestWindowMs(readConfig({}))).toBe(day)
    const short = [{ count: 5, windowMs: hour }]
    const long = [...short, { count: 5, windowMs: 9 * day }]
    expect(longestWindowMs(readConfig({ OTP_SENDS_PER_PHONE: '5/9d' }))).toBe(9 * day)
    expect(longestWindowMs(configWith({ wrongCodesPerPhone: long }))).toBe(9 * day)
    expect(longestWindowMs(configWith({ wrongCodesPerPhone: short }, { OTP_SENDS_PER_PHONE: '5/1h' }))).toBe(
      day,
    )
  })
})

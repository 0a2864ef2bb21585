import { describe, expect, it } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import type { GatewayLimits } from '#server/platform/gateway-limits.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { manualClock, second } from '#test/kit/clock.ts'
import type { Attempt } from './attempts.service.ts'
import { type Rule, rulesFor, scopes } from './limits.rules.ts'
import { createLimits } from './limits.service.ts'
import type { Origin } from './otp.rules.ts'
import type { OtpStore } from './otp.store.ts'

/** Gateways that count the codes of one store, each of them unanswered and of a new phone. */
function openGateways(
  gateways: number,
  env: Readonly<Record<string, string>>,
  changed: Partial<GatewayLimits> = {},
) {
  const defaults = readConfig(env)
  const config = { ...defaults, limits: { ...defaults.limits, ...changed } }
  const clock = manualClock()
  const sent: Origin[] = []
  let countings = 0
  const store = {
    countEvents: async (rules: readonly Rule[], origin: Partial<Origin>) => {
      if (rules.some(({ per }) => per === 'all')) countings += 1
      return rules.map(
        ({ per }) =>
          sent.filter((one) => scopes[per].every((column) => one[column] === origin[column])).length,
      )
    },
    findFreeAt: async () => clock.now() + second,
  } as unknown as OtpStore
  const limits = Array.from({ length: gateways }, () =>
    createLimits({ store, limits: config, clock, metrics: createMetrics(), isUser: async () => false }),
  )
  return {
    clock,
    countings: () => countings,
    /**
     * Asks in turn for a code for each of `phones` new phones; returns how many are sent. Each has a prefix and an address of
     * its own, unless `place` says where the phone is.
     */
    async ask(phones: number, country = 'SA', place: (index: number) => Partial<Origin> = () => ({})) {
      const before = sent.length
      for (let index = 0; index < phones; index += 1) {
        const phone = `+9665${String(sent.length + index).padStart(8, '0')}`
        const origin: Origin = {
          role: 'user',
          phone,
          trust: 'open',
          prefix: phone,
          country,
          address: phone,
          channel: 'sms',
          ...place(index),
        }
        const rules = rulesFor(config, country)
        const attempt: Attempt = { origin, rules, log: () => undefined }
        const gateway = limits[index % gateways]
        const refused = await gateway?.findSendLimit(attempt, 0, false, [], clock.now())
        if (refused === undefined) sent.push(origin)
      }
      return sent.length - before
    },
  }
}

describe('limits that phones share', () => {
  it('are not counted anew for each code while they are far', async () => {
    const { ask, countings, clock } = openGateways(1, {})
    expect(await ask(500)).toBe(500)
    expect(countings()).toBe(1)
    clock.advance(2 * second)
    await ask(1)
    expect(countings()).toBe(2)
  })

  it.each([1, 2])(
    'are not exceeded by %i gateways, however fast the codes are asked for',
    async (gateways) => {
      const { ask } = openGateways(gateways, {}, { codesPerCountry: 70 })
      expect(await ask(2_000, 'EG')).toBe(70)
      // Another country is counted by itself.
      expect(await ask(1, 'NL')).toBe(1)
    },
  )

  it.each([1, 2])('are not exceeded by open and known devices together, on %i gateways', async (gateways) => {
    const { ask } = openGateways(gateways, { OTP_DAILY_BUDGET: '1000' })
    const trustOf = (index: number) => ({ trust: index % 4 < 2 ? 'open' : 'known' }) as const
    expect(await ask(940, 'SA', trustOf)).toBe(940)
    // Of the last 60, unknown devices get what is free below 95 %.
    expect(await ask(16, 'SA', trustOf)).toBe(14)
    expect(await ask(500, 'SA', trustOf)).toBe(46)
  })

  it('are watched for all addresses together: codes of one prefix from thirteen of them restrict it in time', async () => {
    const { ask } = openGateways(1, {})
    const sent = await ask(500, 'EG', (index) => ({ prefix: '+20100123', address: `192.0.2.${index % 13}` }))
    // 30 % of the 400 of a prefix; then each address is left two.
    expect(sent).toBe(120)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refundStates } from '#shared/payments/payments.schemas.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { recordWakes } from '#test/kit/gateway/wakes.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { receiveCallback } from './callbacks.ts'
import { cancelOrder } from './cancellations.ts'
import { openPayment } from './intentions.ts'
import type { CallbackReading } from './payments.provider.ts'
import { liveStates, refundRules } from './payments.rules.ts'

let fixture: PaymentFixture
beforeEach(async () => {
  fixture = await openPaymentFixture()
})
afterEach(() => fixture.close())

/** Another gateway with readable metrics and log. */
async function watched() {
  const lines: Record<string, unknown>[] = []
  const write = (line: object) => void lines.push({ ...line })
  const log = { info: write, warn: write, error: write }
  const core = await fixture.openGateway(log)
  const { registry } = core.metrics
  /** Receives a callback with this reading; returns how often each outcome was counted. */
  async function receive(reading: CallbackReading) {
    fixture.provider.readCallback = () => reading
    await receiveCallback(core, {}, 'signature').catch(() => undefined)
    const counted = await registry.getSingleMetric('amtiati_payment_callbacks_total')?.get()
    const met = (counted?.values ?? []).filter(({ value }) => value > 0)
    return Object.fromEntries(met.map(({ labels, value }) => [labels.outcome, value]))
  }
  return { core, registry, lines, receive }
}

it('every open state of an attempt and of a refund has a value', async () => {
  const text = await fixture.core.metrics.registry.metrics()
  for (const state of liveStates) expect(text).toContain(`amtiati_payment_attempts{state="${state}"} `)
  for (const state of refundStates.filter((each) => each !== 'done')) {
    expect(text).toContain(`amtiati_refunds{state="${state}"} `)
    expect(text).toContain(`amtiati_refunds_halalas{state="${state}"} `)
  }
})

it('orders are counted when they are opened, paid, returned and cancelled', async () => {
  const { core, provider } = fixture
  await fixture.createOrder()
  expect(await measured(core, 'amtiati_orders_unpaid')).toBe(1)
  const { charge } = await fixture.openPaid()
  provider.reverse(charge)
  await receiveCallback(core, provider.report(charge), 'signature')
  await cancelOrder(core, 1, (await fixture.openOrder()).orderId)
  expect(await measured(core, 'amtiati_payment_intentions_total{outcome="opened"}')).toBe(2)
  expect(await measured(core, 'amtiati_orders_paid_total')).toBe(1)
  expect(await measured(core, 'amtiati_orders_refunded_total')).toBe(1)
  expect(await measured(core, 'amtiati_orders_cancelled_total{was="unpaid"}')).toBe(1)
})

it('a refund needs help once it is not done in time', async () => {
  const { core, provider, clock } = fixture
  const { charge } = await fixture.openPaid()
  await fixture.orderRefund(charge)
  clock.advance(refundRules.helpAfterMs - 1)
  expect(await measured(core, 'amtiati_refunds_needing_help')).toBe(0)
  clock.advance(2)
  expect(await measured(core, 'amtiati_refunds_needing_help')).toBe(1)
  expect(provider.refundsAsked).toEqual([])
})

it('fields of a report that cannot be read are counted', async () => {
  const { core, provider } = fixture
  const { charge } = await fixture.openCharged()
  await receiveCallback(core, { ...provider.report(charge), dropped: ['currency'] }, 'signature')
  expect(await measured(core, 'amtiati_payment_fields_dropped_total{field="currency"}')).toBe(1)
})

describe('a callback', () => {
  it.each<[CallbackReading, string]>([
    [{ outcome: 'forged' }, 'payments.callback-refused'],
    [{ outcome: 'unreadable' }, 'payments.callback-refused'],
    [{ outcome: 'acknowledged', type: 'TOKEN' }, 'payments.callback-acknowledged'],
    [{ outcome: 'hint', type: 'flash', intentionId: undefined }, 'payments.callback-hint'],
  ])('read as %j is counted and logged as %s', async (reading, event) => {
    const { receive, lines } = await watched()
    expect(await receive(reading)).toEqual({ [reading.outcome]: 1 })
    expect(lines).toEqual([expect.objectContaining({ event })])
  })

  it.each(['current', 'previous'] as const)(
    'signed with the %s secret pays, and is counted so',
    async (secret) => {
      const { core, registry, receive, lines } = await watched()
      const { clientSecret } = await openPayment(core, await fixture.createOrder())
      const report = fixture.provider.report(
        fixture.provider.charge(fixture.provider.intentionOf(clientSecret), true),
      )
      expect(await receive({ outcome: 'report', secret, report, otherOrderIds: [] })).toEqual({ applied: 1 })
      const signed = await registry.getSingleMetric('amtiati_payment_callbacks_signed_total')?.get()
      expect(signed?.values.map(({ labels, value }) => [labels.secret, value])).toEqual([[secret, 1]])
      const named = lines.filter(({ event }) => event === 'payments.callback-previous-secret')
      expect(named).toHaveLength(secret === 'previous' ? 1 : 0)
    },
  )

  it('whose signature matches two orders is counted as ambiguous', async () => {
    const { core, receive, lines } = await watched()
    const [mine, other] = await Promise.all(
      [await fixture.createOrder(), await fixture.createOrder()].map(async (orderId) =>
        fixture.provider.intentionOf((await openPayment(core, orderId)).clientSecret),
      ),
    )
    if (!mine || !other) throw new Error('two intentions are needed')
    const report = fixture.provider.report(fixture.provider.charge(mine, true))
    const woken = recordWakes(core)
    const reading = {
      outcome: 'report',
      secret: 'current',
      report,
      otherOrderIds: [other.providerOrderId],
    } as const
    expect(await receive(reading)).toEqual({ ambiguous: 1 })
    expect(woken).toEqual(['inquiries'])
    const reported = lines.map(({ event }) => event).filter((event) => event !== 'payments.intention-opened')
    expect(reported).toEqual(['payments.callback-ambiguous'])
  })
})

import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '#server/core.ts'
import { createRetention } from '#server/platform/retention.ts'
import { day } from '#test/kit/basics/clock.ts'
import { openPaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { applyReport } from './outcomes.ts'
import { paymentsRetention } from './payments.jobs.ts'
import { listPaymentsOfOrders } from './payments.queries.ts'

async function openFixture() {
  const fixture = await openPaymentFixture()
  onTestFinished(() => fixture.close())
  return {
    ...fixture,
    open: fixture.openOrder,
    pay: fixture.openPaid,
    /** Runs every scheduled inquiry about the attempts so far. */
    async sweepOut() {
      for (let passed = 0; passed < 10; passed += 1) {
        fixture.clock.advance(day)
        await fixture.sweep()
      }
    },
  }
}

/** Deletes what an entry of the retention of payments deletes. */
async function runToTheEnd(core: Core, event: string) {
  const retention = paymentsRetention(core).filter((entry) => entry.event === event)
  const worker = createRetention({ ...core, retention })
  while (await worker.runBatch());
}

describe('unpaid orders', () => {
  it('are deleted after their retention period, except orders with money', async () => {
    const { core, open, pay, provider, sweepOut, clock, statusOf, refund } = await openFixture()
    const declined = await open()
    await applyReport(core, provider.report(provider.charge(declined.intention, false)), 'inquiry')
    const left = await open()
    const paid = await pay()
    const wrong = await open()
    await applyReport(core, provider.report(provider.charge(wrong.intention, true, 4_000)), 'inquiry')
    await refund()
    const late = await open()
    await sweepOut()
    expect(await statusOf(late.orderId)).toBe('EXPIRED')
    await applyReport(core, provider.report(provider.charge(late.intention, true)), 'inquiry')
    clock.advance(81 * day)
    const young = await open()

    await runToTheEnd(core, 'payments.unpaid-orders-deleted')
    expect(await statusOf(left.orderId)).toBeUndefined()
    expect(await statusOf(declined.orderId)).toBeUndefined()
    expect(await statusOf(paid.orderId)).toBe('PAID')
    expect(await statusOf(wrong.orderId)).toBe('EXPIRED')
    expect(await statusOf(late.orderId)).toBe('PAID')
    expect(await statusOf(young.orderId)).toBe('PENDING_PAYMENT')
    expect((await listPaymentsOfOrders(core, [left.orderId, declined.orderId])).attempts).toEqual([])
    expect((await listPaymentsOfOrders(core, [wrong.orderId])).events.length).toBeGreaterThan(0)
  })
})

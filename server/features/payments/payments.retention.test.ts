import { describe, expect, it, onTestFinished } from 'vitest'
import { createRetention, type Retention } from '#server/platform/retention.ts'
import { day } from '#test/kit/clock.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { openPaymentFixture } from '#test/kit/payment-fixture.ts'
import { createDetailsRetention, createUnpaidRetention } from './payments.worker.ts'

async function openFixture() {
  const fixture = await openPaymentFixture()
  onTestFinished(() => fixture.close())
  const deps = {
    store: fixture.paymentsStore,
    orders: fixture.orders,
    database: fixture.database,
    clock: fixture.clock,
    log: silentLog,
  }
  return {
    ...fixture,
    deps,
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

async function runToTheEnd(deps: Omit<Parameters<typeof createRetention>[0], 'retention'>, entry: Retention) {
  const worker = createRetention({ ...deps, retention: [entry] })
  while (await worker.runBatch());
}

describe('unpaid orders', () => {
  it('are deleted after their retention period, except orders with money', async () => {
    const { deps, open, pay, provider, payments, sweepOut, clock, statusOf, refund, paymentsStore } =
      await openFixture()
    const declined = await open()
    await payments.applyReport(provider.report(provider.charge(declined.intention, false)))
    const left = await open()
    const paid = await pay()
    const wrong = await open()
    await payments.applyReport(provider.report(provider.charge(wrong.intention, true, 4_000)))
    await refund()
    const late = await open()
    await sweepOut()
    expect(await statusOf(late.orderId)).toBe('EXPIRED')
    await payments.applyReport(provider.report(provider.charge(late.intention, true)))
    clock.advance(81 * day)
    const young = await open()

    const keepMs = 90 * day
    await runToTheEnd(deps, createUnpaidRetention({ ...deps, keepMs }))
    expect(await statusOf(left.orderId)).toBeUndefined()
    expect(await statusOf(declined.orderId)).toBeUndefined()
    expect(await statusOf(paid.orderId)).toBe('PAID')
    expect(await statusOf(wrong.orderId)).toBe('EXPIRED')
    expect(await statusOf(late.orderId)).toBe('PAID')
    expect(await statusOf(young.orderId)).toBe('PENDING_PAYMENT')
    expect((await paymentsStore.listOfOrders([left.orderId, declined.orderId])).attempts).toEqual([])
    expect((await paymentsStore.listOfOrders([wrong.orderId])).events.length).toBeGreaterThan(0)
  })
})

describe('details of payments', () => {
  it('are cleared after their retention period, and a repeated report pays nothing twice', async () => {
    const { deps, pay, provider, payments, clock, statusOf, paymentsStore } = await openFixture()
    const { orderId, charge } = await pay()
    clock.advance(541 * day)
    const events = () => paymentsStore.listEvents(String(charge.id))
    const [before] = await events()
    await runToTheEnd(deps, createDetailsRetention({ ...deps, keepMs: 540 * day }))
    expect(await events()).toEqual([{ ...before, body: '{}' }])
    await payments.applyReport(provider.report(charge))
    expect(await statusOf(orderId)).toBe('PAID')
    expect((await paymentsStore.readOpenRefunds()).count).toBe(0)
  })
})

import { expect, it, onTestFinished, vi } from 'vitest'
import { createRetention } from '#server/platform/retention.ts'
import { day } from '#test/kit/clock.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { openPaymentFixture } from '#test/kit/payment-fixture.ts'

it('old label files are deleted, their URL answers LABEL_DELETED, and younger ones stay', async () => {
  const fixture = await openPaymentFixture()
  onTestFinished(() => fixture.close())
  const { orders, ordersStore: store, clock } = fixture
  async function issue() {
    const orderId = await fixture.createOrder()
    await orders.markPaid(orderId, `T${orderId}`)
    await vi.waitFor(async () => {
      await fixture.ship()
      clock.advance(60_000)
      expect((await store.findBookings([orderId]))[0]?.state).toBe('issued')
    })
    const order = await orders.findPayable(orderId)
    const [booking] = await store.findBookings([orderId])
    const principal = { role: 'user', userId: order?.userId ?? 0 } as const
    return { read: () => orders.readLabel(principal, booking?.awb ?? ''), orderId }
  }
  const old = await issue()
  clock.advance(399 * day)
  const young = await issue()
  clock.advance(day)
  const retention = [{ event: 'deleted', table: 'labels', by: 'stored_at', keepMs: 400 * day }] as const
  const worker = createRetention({ ...fixture, retention, log: silentLog })
  while (await worker.runBatch());
  await expect(old.read()).rejects.toMatchObject({ code: 'LABEL_DELETED' })
  expect((await young.read()).length).toBeGreaterThan(0)
  expect(await orders.findPayable(old.orderId)).toMatchObject({ payment: 'paid', ended: null })
})

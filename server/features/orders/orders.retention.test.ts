import { expect, it, onTestFinished, vi } from 'vitest'
import { readLabel } from '#server/features/order-views/order-views.ts'
import { createRetention } from '#server/platform/retention.ts'
import { day } from '#test/kit/basics/clock.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { openPaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { findBookings } from './bookings.queries.ts'
import { markPaid } from './orders.queries.ts'
import { findPayable } from './orders.ts'

it('old label files are deleted, their URL answers LABEL_DELETED, and younger ones stay', async () => {
  const fixture = await openPaymentFixture()
  onTestFinished(() => fixture.close())
  const { clock } = fixture
  async function issue() {
    const orderId = await fixture.createOrder()
    await fixture.database.transaction(() => markPaid(fixture.core, orderId, `T${orderId}`))
    await vi.waitFor(async () => {
      await fixture.ship()
      clock.advance(60_000)
      expect((await findBookings(fixture.core, [orderId]))[0]?.state).toBe('issued')
    })
    const order = await findPayable(fixture.core, orderId)
    const [booking] = await findBookings(fixture.core, [orderId])
    const principal = { role: 'user', userId: order?.userId ?? 0 } as const
    return { read: () => readLabel(fixture.core, principal, booking?.awb ?? ''), orderId }
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
  expect(await findPayable(fixture.core, old.orderId)).toMatchObject({ payment: 'paid', ended: null })
})

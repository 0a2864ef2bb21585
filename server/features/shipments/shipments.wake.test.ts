import { it, onTestFinished, vi } from 'vitest'
import { eventually } from '#test/kit/eventually.ts'
import { openPaymentFixture } from '#test/kit/payment-fixture.ts'

it('a payment wakes the worker, which does not wait for its next round', async () => {
  // No round runs.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const fixture = await openPaymentFixture()
  onTestFinished(async () => {
    await fixture.shipments.stop()
    vi.useRealTimers()
    await fixture.close()
  })
  const orderId = await fixture.createOrder()
  const { clientSecret } = await fixture.payments.open(orderId)
  fixture.shipments.start()
  // The first round finds nothing and ends: it runs in memory, so a few turns of the event loop suffice.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  const charge = fixture.provider.charge(fixture.provider.intentionOf(clientSecret), true)
  await fixture.payments.receive(fixture.provider.report(charge), 'signature')
  // Not `vi.waitFor`, which advances fake timers.
  await eventually(async () => {
    const [booking] = await fixture.ordersStore.findBookings([orderId])
    return booking?.state === 'issued' ? true : undefined
  })
})

import { expect, it, onTestFinished, vi } from 'vitest'
import { registerFeatures } from '#server/app.ts'
import { createCore } from '#server/core.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { receiveCallback as callback } from '#shared/payments/payments.api.ts'
import { pages } from '#shared/platform/pages.ts'
import { manualClock, noon, second } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { quietConfig } from '#test/kit/gateway/quiet-gateway.ts'
import { openStubService, sampleOf } from '#test/kit/gateway/stub-service.ts'
import { recordWakes } from '#test/kit/gateway/wakes.ts'
import { callbackOf, signatureOf, successOn } from '#test/kit/orders/callbacks.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import type { AttemptRow } from './attempts.queries.ts'
import { receiveCallback } from './callbacks.ts'
import { cancelOrder } from './cancellations.ts'
import { reconcile } from './inquiries.ts'
import { openPayment } from './intentions.ts'

async function openFeatures(env: Readonly<Record<string, string>> = {}) {
  const database = await openMemory()
  onTestFinished(() => database.close())
  const config = await quietConfig(env)
  const core = createCore({
    config,
    database,
    clock: manualClock(),
    log: silentLog,
    metrics: createMetrics(),
  })
  registerFeatures(core)
  return core
}

/** Opens the payment of a new order. The provider answers. */
async function openOrder(env: Readonly<Record<string, string>> = {}) {
  const stub = await openStubService()
  stub.replies({ status: 201, json: sampleOf('payment', 'intention.created') })
  const core = await openFeatures({ PAYMENT_BASE_URL: stub.url, ...env })
  const { database } = core
  const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
  const orderId = await storeOrder({ database }, newOrder(userId), [newLeg('AM-1')])
  await openPayment(core, orderId)
  const attempt = await database.tables.selectFrom('payment_attempts').selectAll().executeTakeFirstOrThrow()
  return { core, stub, userId, orderId, attempt, woken: recordWakes(core) }
}

it('a payment wakes the worker of airway bills', async () => {
  const { core, attempt, woken } = await openOrder()
  const paid = successOn({
    intentionOrderId: attempt.provider_order_id ?? 0,
    reference: attempt.reference,
    amount: attempt.amount_halalas,
    currency: attempt.currency,
  })
  await receiveCallback(core, JSON.parse(callbackOf(paid).body), signatureOf(paid))
  expect(woken).toEqual(['shipments'])
})

it('an order that is cancelled while its payment is open wakes the worker of inquiries', async () => {
  const { core, userId, orderId, woken } = await openOrder()
  await cancelOrder(core, userId, orderId)
  expect(woken).toEqual(['inquiries'])
})

it('the provider reports to CALLBACK_URL, and the bank returns the payer to PUBLIC_URL', async () => {
  const [publicUrl, callbackUrl] = ['http://localhost:3000', 'http://10.0.0.5:3000']
  const { stub } = await openOrder({ PUBLIC_URL: publicUrl, CALLBACK_URL: callbackUrl })
  expect(JSON.parse(stub.requests[0]?.body ?? '')).toMatchObject({
    notification_url: `${callbackUrl}${callback.path}`,
    redirection_url: `${publicUrl}${pages.thankYou}`,
  })
})

it('a payment that is opened has eight seconds in all', async () => {
  const stub = await openStubService()
  stub.replies('hang')
  const core = await openFeatures({ PAYMENT_BASE_URL: stub.url })
  const { database } = core
  const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
  const orderId = await storeOrder({ database }, newOrder(userId), [newLeg('AM-1')])
  const ends: { ms: number; end: AbortController }[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const end = new AbortController()
    ends.push({ ms, end })
    return end.signal
  })
  onTestFinished(() => timeout.mockRestore())
  const opened = openPayment(core, orderId)
  await eventually(async () => (stub.requests.length === 1 ? true : undefined))
  // The first time is that of the whole, the second that of the request.
  expect(ends[0]?.ms).toBe(8 * second)
  ends[0]?.end.abort()
  await expect(opened).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
})

it('inquiries have a breaker of their own, which lets one try again after ten seconds', async () => {
  const core = await openFeatures()
  const breakers = async () => {
    const text = await core.metrics.registry.metrics()
    return ['payment', 'payment_inquiry'].map((name) =>
      Number(new RegExp(`amtiati_external_breaker_open{service="${name}"} (\\d)`).exec(text)?.[1]),
    )
  }
  const { setTimeout: realTimeout } = globalThis
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { setTimeout: heldTimeout } = globalThis
  // The pauses between tries are skipped.
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) =>
    ms < second ? realTimeout(run, 0) : heldTimeout(run, ms),
  )
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  for (let tries = 0; tries < 10; tries += 1)
    await expect(reconcile(core, { provider_order_id: 1 } as AttemptRow)).rejects.toThrow()
  expect(await breakers()).toEqual([0, 1])
  vi.advanceTimersByTime(10 * second - 1)
  expect(await breakers()).toEqual([0, 1])
  vi.advanceTimersByTime(1)
  expect(await breakers()).toEqual([0, 0])
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { renewPayment } from '#shared/orders/orders.operations.ts'
import { requestOtp } from '#shared/sessions/sessions.operations.ts'
import {
  issuedAwb,
  newPhone,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import type { SimulatedService } from '#test/kit/control.ts'
import { eventually } from '#test/kit/eventually.ts'
import { isFull } from '#test/kit/full-run.ts'
import { metricsOf } from '#test/kit/metrics.ts'
import { newPerson, type Refusal } from '#test/kit/person.ts'
import { shipmentsByOrder } from '#test/kit/shipments.ts'
import { type ProcessStack, startStack } from '#test/kit/stack.ts'

let stack: ProcessStack
let pilgrim: Pilgrim
let offer: CheckoutRequest

beforeAll(async () => {
  stack = await startStack()
  pilgrim = await signedUpPilgrim(stack)
  const { person, user } = pilgrim
  const [[agent], [center]] = await Promise.all([person.agents(), person.centers()])
  offer = {
    userId: user.id,
    type: 'FROM_MINA',
    noOfPackages: 1,
    agentCode: agent?.id ?? '',
    centerCode: center?.code ?? '',
    amount: 50,
  }
})
afterEach(() => stack?.control.endFaults())
afterAll(() => stack?.close())

const breakerOf = async (service: SimulatedService) =>
  (await metricsOf(stack.gatewayUrls)).get(`amtiati_external_breaker_open{service="${service}"}`)

/** A refusal with its waiting time and message. */
function expectPatience({ status, headers, problem }: Refusal, code: string): void {
  expect([status, problem.code]).toEqual([503, code])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(problem.retryAfterSeconds).toBe(Number(headers.get('retry-after')))
  expect(problem.message).not.toBe('')
}

const newestOrder = async () => (await pilgrim.person.orders(pilgrim.user.id))[0]?.orderId ?? 0
const services: readonly SimulatedService[] = ['otp', 'payment', 'shipping']

describe('services that are slow', () => {
  it('delay answers and cause no other harm', async () => {
    for (const service of services) await stack.control.setFault(service, { kind: 'delay', delayMs: 700 })
    const newcomer = await signedUpPilgrim(stack)
    const { orderId } = await newcomer.person.call(checkout, { body: { ...offer, userId: newcomer.user.id } })
    await stack.control.replay(orderId, 'success')
    expect((await newcomer.person.order(orderId)).status).toBe('PAID')
    await issuedAwb(newcomer.person, orderId)
    expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
  })
})

describe('services that never answer', () => {
  it('time out, each by itself, and the work continues afterwards', async () => {
    const paidBefore = await paidOrder(stack, pilgrim)
    await issuedAwb(pilgrim.person, paidBefore)
    const { intentions } = await stack.control.counters()
    for (const service of services) await stack.control.setFault(service, { kind: 'hang' })
    const person = newPerson(stack, { lang: 'en' })
    const phone = newPhone()
    // The services never answer: without time-outs these promises would never resolve.
    const [otp, payment, agents, centers] = await Promise.all([
      person.refusalOf(requestOtp, { body: { phone } }),
      pilgrim.person.refusalOf(checkout, { body: offer }),
      person.agents(),
      person.centers(),
    ])
    expectPatience(otp, 'OTP_UNAVAILABLE')
    expectPatience(payment, 'PAYMENT_UNAVAILABLE')
    // The partner's lists are served from the stored copy.
    expect(agents.length * centers.length).toBeGreaterThan(0)
    await stack.control.endFaults()

    // The code may have been sent, so the next one has to wait; other phones do not.
    expect((await person.refusalOf(requestOtp, { body: { phone } })).problem.code).toBe(
      'CODE_REQUESTED_TOO_SOON',
    )
    await person.call(requestOtp, { body: { phone: newPhone() } })
    const id = String(await newestOrder())
    const renewed = await pilgrim.person.call(renewPayment, { params: { id } })
    expect((await stack.control.counters()).intentions).toBe(intentions + 1)
    await stack.control.replay(renewed.orderId, 'success')
    expect((await pilgrim.person.order(id)).status).toBe('PAID')
  })
})

describe('an external service that keeps failing', () => {
  it('is not called for a while, fails at once meanwhile, and is tried again', async () => {
    expect(await breakerOf('payment')).toBe(0)
    await stack.control.setFault('payment', { kind: 'status', status: 500 })
    await eventually(async () => {
      // At once, so that enough of them fail within the breaker's window however slow the machine is.
      const refused = Array.from({ length: 12 }, () => pilgrim.person.refusalOf(checkout, { body: offer }))
      for (const each of await Promise.all(refused)) expectPatience(each, 'PAYMENT_UNAVAILABLE')
      return (await breakerOf('payment')) === 1 ? true : undefined
    })

    // From here on the provider would answer, and is not called.
    await stack.control.endFaults()
    const { intentions } = await stack.control.counters()
    expectPatience(await pilgrim.person.refusalOf(checkout, { body: offer }), 'PAYMENT_UNAVAILABLE')
    expect((await stack.control.counters()).intentions).toBe(intentions)
    // The breakers of the other services stay closed.
    expect([await breakerOf('otp'), await breakerOf('shipping')]).toEqual([0, 0])
    await newPerson(stack).call(requestOtp, { body: { phone: newPhone() } })

    const id = String(await newestOrder())
    const opened = await eventually(() => pilgrim.person.call(renewPayment, { params: { id } }), {
      withinMs: 20_000,
      everyMs: 250,
    })
    expect(opened.orderId).toBe(Number(id))
    expect(await breakerOf('payment')).toBe(0)
    expect((await stack.control.counters()).intentions).toBe(intentions + 1)
  })

  // Bookings that failed together are retried after 2, 4 and 8 seconds.
  if (isFull)
    it('leaves each order with exactly one airway bill', async () => {
      await stack.control.setFault('shipping', { kind: 'lose-answer' })
      const orders: number[] = []
      for (let count = 0; count < 12; count += 1) orders.push(await paidOrder(stack, pilgrim))
      await eventually(async () => ((await breakerOf('shipping')) === 1 ? true : undefined), {
        withinMs: 20_000,
      })
      await stack.control.endFaults()
      for (const orderId of orders)
        await eventually(async () => (await pilgrim.person.order(orderId)).bookings[0]?.awb ?? undefined, {
          withinMs: 60_000,
          everyMs: 200,
        })
      expect(await breakerOf('shipping')).toBe(0)
      const made = await shipmentsByOrder(stack.control)
      expect(orders.map((orderId) => made.get(orderId))).toEqual(orders.map(() => 1))
    })
})

describe('a gateway that is asked to stop', () => {
  it('finishes its current checkout, accepts no new requests, and exits with 0', async () => {
    const { intentions } = await stack.control.counters()
    await stack.control.setFault('payment', { kind: 'delay', delayMs: 2_500, count: 1 })
    let isAnswered = false
    const answer = pilgrim.person.send('POST', checkout.path, { body: offer }).finally(() => {
      isAnswered = true
    })
    // The provider has received the request: the counted fault is used up.
    await eventually(async () => ((await stack.control.faults()).payment === undefined ? true : undefined))
    const ended = stack.killGateway('SIGTERM')
    // Refused as a new connection, or with 503 on an open one.
    const refused = await eventually(async () => {
      const status = await fetch(`${stack.gatewayUrl}/readyz`).then(
        (response) => response.status,
        () => 0,
      )
      return status === 200 ? undefined : status
    })
    expect([0, 503]).toContain(refused)
    expect(isAnswered).toBe(false)

    const { status, json } = await answer
    expect(status).toBe(200)
    expect(json).toMatchObject({ success: true, clientSecret: expect.stringMatching(/./) })
    expect(await ended).toBe(0)
    expect((await stack.control.counters()).intentions).toBe(intentions + 1)

    await stack.startGateway()
    const { orderId } = json as { orderId: number }
    await stack.control.replay(orderId, 'success')
    expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
  })

  it('finishes its current shipment, so that no outcome is unknown after the restart', async () => {
    const before = (await stack.control.counters()).lookups
    await stack.control.setFault('shipping', { kind: 'delay', delayMs: 2_000, count: 1 })
    const orderId = await paidOrder(stack, pilgrim)
    await eventually(async () => ((await stack.control.faults()).shipping === undefined ? true : undefined))
    expect(await stack.killGateway('SIGTERM')).toBe(0)
    await stack.startGateway()
    expect((await pilgrim.person.order(orderId)).bookings[0]?.awb).toMatch(/^\d{12}$/)
    expect((await shipmentsByOrder(stack.control)).get(orderId)).toBe(1)
    expect((await stack.control.counters()).lookups).toBe(before)
  })
})

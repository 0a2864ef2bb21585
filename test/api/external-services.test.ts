import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readLabel, renewPayment } from '#shared/orders/orders.operations.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import { requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { newPhone, type Pilgrim, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import type { Fault } from '#test/kit/control.ts'
import { eventually } from '#test/kit/eventually.ts'
import { type InProcessStack, ownStack } from '#test/kit/in-process.ts'
import { newPerson } from '#test/kit/person.ts'

let stack: InProcessStack
beforeAll(async () => {
  stack = await ownStack()
})
afterEach(() => stack?.control.endFaults())
afterAll(() => stack?.close())

/** Failures that end a call at once. A hanging service is tested once, because each call lasts until its time-out. */
const quickFaults: [string, Fault][] = [
  ['answers 500', { kind: 'status', status: 500 }],
  ['answers 503', { kind: 'status', status: 503 }],
  ['answers 429', { kind: 'status', status: 429 }],
  ['cuts the connection', { kind: 'reset' }],
  ['answers nonsense', { kind: 'garbage' }],
  ['does the work and loses the answer', { kind: 'lose-answer' }],
]

describe.each(quickFaults)('the OTP service %s', (_, fault) => {
  it('so that sending a code is refused with an error code and a text', async () => {
    await stack.control.setFault('otp', fault)
    const person = newPerson(stack, { lang: 'en' })
    const phone = newPhone()
    const { status, problem } = await person.refusalOf(requestOtp, { body: { phone } })
    expect([status, problem.code]).toEqual([503, 'OTP_UNAVAILABLE'])

    await stack.control.endFaults()
    // A code that may have been sent is counted: the answer then says how long to wait.
    const mayHaveSent = ['reset', 'garbage', 'lose-answer'].includes(fault.kind)
    if (!mayHaveSent) await person.call(requestOtp, { body: { phone } })
    else
      expect((await person.refusalOf(requestOtp, { body: { phone } })).problem.code).toBe(
        'CODE_REQUESTED_TOO_SOON',
      )
    expect((problem.retryAfterSeconds ?? 0) > 30).toBe(mayHaveSent)
  })
})

describe('the OTP service fails while a code is checked', () => {
  it('and the same code works when the service is back', async () => {
    const person = newPerson(stack)
    const phone = newPhone()
    await person.call(requestOtp, { body: { phone } })
    const body = { phone, code: await stack.control.codeFor(phone), name: 'Sara' }
    await stack.control.setFault('otp', { kind: 'status', status: 500 })
    expect((await person.refusalOf(verifyOtp, { body })).problem.code).toBe('OTP_UNAVAILABLE')
    await stack.control.endFaults()
    expect((await person.call(verifyOtp, { body })).user.phone).toBe(phone)
  })
})

describe('the shipping partner fails', () => {
  const orders = new Map<string, number>()
  let pilgrim: Pilgrim

  // All orders wait for their next try together.
  beforeAll(async () => {
    pilgrim = await signedUpPilgrim(stack)
    await Promise.all([pilgrim.person.agents(), pilgrim.person.centers()])
    for (const [how, fault] of quickFaults) {
      await stack.control.setFault('shipping', { ...fault, count: 1 })
      orders.set(how, await paidOrder(stack, pilgrim))
      await eventually(async () => ((await stack.control.faults()).shipping === undefined ? true : undefined))
    }
  })

  it.each(quickFaults)(
    'and %s: the order is paid nevertheless, and gets exactly one airway bill',
    async (how) => {
      const orderId = orders.get(how) ?? 0
      expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
      // After a dropped connection a shipment is created again only when the first creation must have ended and would be
      // found by a look-up.
      const awb = await eventually(async () => {
        await stack.passTime(5_000)
        return (await pilgrim.person.order(orderId)).bookings[0]?.awb ?? undefined
      })
      await eventually(async () => (await pilgrim.person.call(readLabel, { params: { awb } })).awbFile)
      expect((await pilgrim.person.order(orderId)).status).toBe('PAID')
      const made = (await stack.control.shipments()).filter((shipment) => shipment.awb === awb)
      expect(made.flatMap(({ createdAt }) => createdAt)).toHaveLength(1)
    },
  )

  it('and leaves no shipment without an order', async () => {
    const known = (await pilgrim.person.orders(pilgrim.user.id)).flatMap(({ bookings }) =>
      bookings.map(({ awb }) => awb),
    )
    const made = (await stack.control.shipments()).map(({ awb }) => awb)
    expect(made.filter((awb) => !known.includes(awb))).toEqual([])
    expect(made).toHaveLength(quickFaults.length)
  })
})

describe.each(quickFaults)('the payment provider %s', (_, fault) => {
  it('so that a checkout is refused, and its order is kept and can be paid later', async () => {
    const { person, user } = await signedUpPilgrim(stack)
    const [agent] = await person.agents()
    const [center] = await person.centers()
    await stack.control.setFault('payment', fault)
    const { status, problem } = await person.refusalOf(checkout, {
      body: {
        userId: user.id,
        type: 'FROM_MINA',
        noOfPackages: 1,
        agentCode: agent?.id ?? '',
        centerCode: center?.code ?? '',
        amount: 50,
      },
    })
    expect([status, problem.code]).toEqual([503, 'PAYMENT_UNAVAILABLE'])
    await stack.control.endFaults()

    const [order] = await person.orders(user.id)
    expect(order?.status).toBe('PENDING_PAYMENT')
    const id = String(order?.orderId)
    const renewed = await person.call(renewPayment, { params: { id } })
    expect(renewed.clientSecret).not.toBe('')
    await stack.control.replay(renewed.orderId, 'success')
    await eventually(async () => ((await person.order(id)).status === 'PAID' ? true : undefined))
  })
})

describe('the partner’s lists', () => {
  it('have a strong ETag and public caching, and answer 304 to a matching tag', async () => {
    const person = newPerson(stack)
    for (const { path } of [listCenters, listAgents]) {
      const { headers } = await person.send('GET', path)
      const etag = headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[^"]+"$/)
      expect(headers.get('cache-control')).toMatch(/public/)
      expect(headers.get('set-cookie')).toBeNull()
      const again = await person.send('GET', path, { headers: { 'if-none-match': etag } })
      expect(again.status).toBe(304)
      expect(again.bytes).toHaveLength(0)
    }
  })
})

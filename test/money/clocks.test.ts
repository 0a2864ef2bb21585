import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readConfig } from '#shared/config/config.operations.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { readUserSession, requestOtp, verifyOtp } from '#shared/sessions/sessions.operations.ts'
import { issuedAwb, newPhone, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { hour, minute, second } from '#test/kit/basics/clock.ts'
import { type InProcessStack, ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson } from '#test/kit/gateway/person.ts'
import { callbackOf, deliver, successOn } from '#test/kit/orders/callbacks.ts'
import { stopSales } from '#test/kit/orders/stops.ts'
import { metricsOf } from '#test/kit/programs/metrics.ts'

/**
 * Two gateways on one database. The clock of one is two hours ahead: more than every lease, than a creation is uncertain, and
 * than a code is valid.
 */

let stack: InProcessStack
/** The same stack behind its other gateway. */
let fast: InProcessStack
beforeAll(async () => {
  // The quiet window of a real gateway: with the short one of tests a creation would be repeated within the difference.
  stack = await ownStack({ limits: { shipmentQuietMs: minute } })
  fast = { ...stack, gateway: await stack.addGateway(2 * hour) }
})
afterAll(() => stack?.close())

it('each paid order gets one airway bill, whichever gateway takes the order, the callback and the booking', async () => {
  // Whether a shipment was made is known only to look-ups, which lag.
  await stack.control.setFault('shipping', {
    kind: 'lose-answer',
    probability: 0.5,
    match: { operation: 'create-shipment' },
  })
  const pilgrim = await signedUpPilgrim(stack)
  const other = { user: pilgrim.user, person: newPerson(fast, { browserOf: pilgrim.person }) }
  const orders = await atOnce(12, (index) => paidOrder(stack, index % 2 === 0 ? pilgrim : other))
  const awbs = await Promise.all(orders.map((orderId) => issuedAwb(other.person, orderId)))
  await stack.control.endFaults()
  const made = await stack.control.shipments()
  expect(awbs.map((awb) => made.filter((shipment) => shipment.awb === awb).length)).toEqual(awbs.map(() => 1))
  expect(made).toHaveLength(orders.length)
})

it('receipts are dated in the order of their numbers, and orders are paid, by the database’s time', async () => {
  const { person, user } = await signedUpPilgrim(stack)
  const since = await stack.database.readNow()
  for (const { gateway } of [stack, fast, stack, fast, stack]) {
    const { orderId } = await person.checkout(user.id)
    const [payment] = await stack.control.paymentsOf(orderId)
    if (payment === undefined) throw new Error('the provider knows no payment of the order')
    expect(await deliver(gateway.listeningOrigin, callbackOf(successOn(payment)))).toBe(200)
  }
  const rows = await stack.database.tables
    .selectFrom('receipts')
    .innerJoin('orders', 'orders.id', 'receipts.order_id')
    .select(['receipts.issued_at', 'orders.paid_at'])
    .where('orders.user_id', '=', user.id)
    .orderBy('receipts.number')
    .execute()
  const dates = rows.flatMap(({ paid_at, issued_at }) => [paid_at ?? 0, issued_at])
  expect(dates).toHaveLength(10)
  expect(dates).toEqual(dates.toSorted((a, b) => a - b))
  expect(dates[0]).toBeGreaterThanOrEqual(since)
  expect(dates.at(-1)).toBeLessThanOrEqual(await stack.database.readNow())
})

it('the difference is seen in the metrics of that gateway and in its log', async () => {
  const skewOf = async ({ gateway }: InProcessStack) =>
    (await metricsOf([gateway.listeningOrigin])).get('amtiati_clock_skew_seconds')
  expect(await skewOf(stack)).toBeCloseTo(0, 0)
  expect(await skewOf(fast)).toBeCloseTo(7_200, 0)
  expect(stack.logs().filter((line) => line.includes('"clock.differs"'))).toHaveLength(1)
})

it('a code that one gateway sent is accepted once, by either, and the session is known to both', async () => {
  for (const [sends, checks] of [
    [stack, fast],
    [fast, stack],
  ] as const) {
    const phone = newPhone()
    const person = newPerson(sends)
    await person.call(requestOtp, { body: { phone } })
    const body = { phone, code: await stack.control.codeFor(phone), name: 'Sara' }
    const elsewhere = newPerson(checks, { browserOf: person })
    const { user } = await elsewhere.call(verifyOtp, { body })
    expect((await person.refusalOf(verifyOtp, { body })).problem.code).toBe('CODE_INVALID')
    const back = newPerson(sends, { browserOf: elsewhere })
    expect(await back.call(readUserSession)).toMatchObject({ userId: user.id })
  }
})

it('a stop holds on each gateway from the next request on, by the time of the database', async () => {
  const { person, user } = await signedUpPilgrim(stack)
  const elsewhere = newPerson(fast, { browserOf: person })
  const text = { ar: 'متوقف مؤقتًا.', en: 'Closed for now.' }
  const stop = (from?: number) =>
    stopSales(stack, 'Lulwa', 'the store is full', [
      { what: 'all', text, ...(from === undefined ? {} : { from: isoOf(from) }) },
    ])
  const codes = () =>
    Promise.all(
      [person, elsewhere].map(async (one) => {
        const body = await person.offer(user.id)
        const { code, answer } = await one.attempt(checkout, { body })
        return code ?? typeof answer?.orderId
      }),
    )
  // The clock of one gateway is there already.
  await stop(stack.now() + 60 * second)
  expect(await codes()).toEqual(['number', 'number'])
  await stop()
  expect(await codes()).toEqual(['SALES_STOPPED', 'SALES_STOPPED'])
  const shown = await Promise.all([person, elsewhere].map(async (one) => (await one.call(readConfig)).stops))
  expect(shown).toEqual([
    [{ what: 'all', from: expect.any(String), text }],
    [{ what: 'all', from: expect.any(String), text }],
  ])
  // Neither who stopped it nor why.
  expect(JSON.stringify(shown)).not.toMatch(/Lulwa|store is full/)
  await stopSales(stack, 'Lulwa', 'space again', [])
  expect(await codes()).toEqual(['number', 'number'])
})

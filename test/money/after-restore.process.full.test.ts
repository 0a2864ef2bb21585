import { expect, it, onTestFinished } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import { cancelOrder } from '#shared/orders/orders.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { freshPostgresUrl } from '#test/kit/databases.ts'
import { eventually } from '#test/kit/eventually.ts'
import { openPatientPostgres } from '#test/kit/open-postgres.ts'
import { copyPostgres } from '#test/kit/rows.ts'
import { shipmentsOf } from '#test/kit/shipments.ts'
import { startStack } from '#test/kit/stack.ts'
import { runScript } from '#test/kit/tools.ts'

it('after a restore payments are found or stored as unknown; no second airway bill, refund, message or use of a number', async () => {
  const url = await freshPostgresUrl()
  const stack = await startStack({
    env: { MESSAGES_ENABLED: 'true', DATABASE_URL: url },
    limits: { messageQuietMs: 2_000 },
  })
  onTestFinished(() => stack.close())
  const { person, user } = await signedUpPilgrim(stack)
  const other = await signedUpPilgrim(stack)
  // The provider refuses this refund until the time that is restored has passed.
  const refusal = await stack.control.setFault('payment', {
    kind: 'status',
    status: 503,
    match: { operation: 'refund' },
  })
  const returned = await paidOrder(stack, other)
  await other.person.call(cancelOrder, {
    params: { id: String(returned) },
    headers: { 'idempotency-key': 'cancelled-before-the-restore' },
  })
  const known = await person.checkout(user.id)
  await stack.killGateway('SIGTERM')
  const since = new Date().toISOString()
  const copy = await copyPostgres(url)
  await stack.startGateway()

  await stack.control.endFault(refusal)
  const isReturned = async () =>
    (await other.person.order(returned)).status === 'REFUNDED' ? true : undefined
  await eventually(isReturned, { withinMs: 120_000 })
  // The known order is paid and shipped, and another order is created that the restored database does not contain.
  await stack.control.replay(known.orderId, 'success')
  const awb = await issuedAwb(person, known.orderId)
  const sent = () => stack.control.messages(user.phone ?? '')
  const [message] = await eventually(async () => ((await sent()).length > 0 ? sent() : undefined))
  await person.confirm('export')
  const [receipt] = (await person.call(exportUser)).orders[0]?.receipts ?? []
  const unknown = await person.checkout(user.id)
  await stack.killGateway('SIGKILL')
  const args = ['after-restore', '--since', since, '--previous', new URL(url).pathname.slice(1)]
  const { code, out, err } = await runScript('ops', args, { DATABASE_URL: copy })
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(`OD-${known.orderId}  ${awb}`)
  expect(out).toContain(`OD-${unknown.orderId}  PENDING_PAYMENT`)

  await stack.startGateway(0, { DATABASE_URL: copy })
  const { kysely } = openPatientPostgres(copy)
  onTestFinished(() => kysely.destroy())
  // The worker inquires at the provider; the callback is not repeated.
  const issued = await eventually(
    async () => {
      const booking = await kysely
        .selectFrom('orders')
        .innerJoin('bookings', 'bookings.order_id', 'orders.id')
        .select(['orders.status', 'bookings.awb', 'bookings.creations'])
        .where('orders.id', '=', known.orderId)
        .executeTakeFirst()
      return booking?.awb ? booking : undefined
    },
    { withinMs: 120_000 },
  )
  expect(issued).toEqual({ status: 'PAID', awb, creations: 0 })
  expect(await shipmentsOf(stack.control, known.orderId, 0)).toBe(1)

  // The refund that was made meanwhile is read, and not made again.
  const refund = await eventually(
    () =>
      kysely
        .selectFrom('refunds')
        .innerJoin('payment_attempts', 'payment_attempts.id', 'refunds.attempt_id')
        .select('refunds.transaction_id')
        .where('payment_attempts.order_id', '=', returned)
        .where('refunds.state', '=', 'done')
        .executeTakeFirst(),
    { withinMs: 180_000 },
  )
  const [paidBack] = await stack.control.paymentsOf(returned)
  const refunds = paidBack?.transactions.filter(({ kind }) => kind === 'refund')
  expect(refunds).toMatchObject([{ parentId: Number(refund.transaction_id), success: true }])

  // The message was sent after the restored time: the service is asked for it, and the person is not told twice.
  const again = await eventually(() =>
    kysely
      .selectFrom('messages')
      .select(['body', 'ref'])
      .where('order_id', '=', known.orderId)
      .where('state', 'in', ['accepted', 'delivered'])
      .executeTakeFirst(),
  )
  expect([again.body, again.ref]).toEqual([message?.text, message?.id])
  expect(await sent()).toHaveLength(1)
  // The document of the payment is issued again, and its number was never used.
  const issuedAgain = await kysely
    .selectFrom('receipts')
    .select('number')
    .where('order_id', '=', known.orderId)
    .execute()
  expect(issuedAgain).toHaveLength(1)
  expect(receipt?.number).toMatch(/^INV-\d+$/)
  expect(issuedAgain[0]?.number).toBeGreaterThan(Number(receipt?.number.replace(/\D/g, '')))

  // The payment of the unknown order arrives now.
  const { callbacks } = await stack.control.replay(unknown.orderId, 'success')
  expect(callbacks.map(({ status }) => status)).toEqual([200])
  const events = await kysely
    .selectFrom('payment_events')
    .select(['outcome', 'attempt_id', 'amount_halalas'])
    .where('outcome', '=', 'unknown-order')
    .execute()
  expect(events).toEqual([{ outcome: 'unknown-order', attempt_id: null, amount_halalas: 5_000 }])
  // An operator sees it in the log, with its transaction.
  const [payment] = await stack.control.paymentsOf(unknown.orderId)
  const line = await eventually(() => stack.logs().find((each) => each.includes('"outcome":"unknown-order"')))
  expect(line).toContain(`"transactionId":"${payment?.transactions.at(-1)?.id}"`)
  // A new order never takes the number of one that is paid at the provider.
  expect(await nextNumber()).toBeGreaterThan(unknown.orderId)

  async function nextNumber(): Promise<number> {
    const { person: another, user: owner } = await signedUpPilgrim(stack)
    return (await another.checkout(owner.id)).orderId
  }
})

import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { exportUser } from '#shared/account/account.operations.ts'
import { issuedAwb, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/eventually.ts'
import { freshFolder } from '#test/kit/fresh-folder.ts'
import { shipmentsOf } from '#test/kit/shipments.ts'
import { startStack } from '#test/kit/stack.ts'
import { runScript } from '#test/kit/tools.ts'

it('payments after the backup are found or stored as unknown; no second airway bill, message or use of a number', async () => {
  const stack = await startStack({
    env: { MESSAGES_ENABLED: 'true' },
    limits: { messageQuietMs: 2_000 },
  })
  onTestFinished(() => stack.close())
  const folder = freshFolder()
  const { person, user } = await signedUpPilgrim(stack)
  const known = await person.checkout(user.id)
  const env = { DATA_DIR: stack.dataDir }
  const copy = join(folder, 'copy.sqlite')
  expect(await runScript('backup', [copy], env)).toMatchObject({ code: 0, err: '' })

  // After the backup the order is paid and shipped, and a second order is created that the backup does not contain.
  await stack.control.replay(known.orderId, 'success')
  const awb = await issuedAwb(person, known.orderId)
  const sent = () => stack.control.messages(user.phone ?? '')
  const [message] = await eventually(async () => ((await sent()).length > 0 ? sent() : undefined))
  await person.confirm('export')
  const [receipt] = (await person.call(exportUser)).orders[0]?.receipts ?? []
  const unknown = await person.checkout(user.id)
  await stack.killGateway('SIGKILL')
  const { code, out, err } = await runScript('restore', [copy, '--set-aside'], env)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(`OD-${known.orderId}  ${awb}`)
  expect(out).toContain(`OD-${unknown.orderId}  PENDING_PAYMENT`)

  await stack.startGateway()
  const { kysely } = openSqlite(join(stack.dataDir, 'amtiati.sqlite'))
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

  // The message was sent after the backup: the service is asked for it, and the person is not told twice.
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

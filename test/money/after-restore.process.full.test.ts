import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import { cancelOrder } from '#shared/orders/orders.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { blocksOf, newServer, openMachine } from '#test/kit/database/debian-postgres.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import { shipmentsOf } from '#test/kit/orders/shipments.ts'
import { onFreePorts } from '#test/kit/programs/ports.ts'
import { startStack } from '#test/kit/programs/stack.ts'
import { runScript } from '#test/kit/programs/tools.ts'

const [dump = '', archive = '', baseBackup = ''] = blocksOf('docs/operate.md', 'Backup')
const [restoreDump = '', recover = '', startPrevious = ''] = blocksOf('docs/operate.md', 'Restore')

/** A server with the database of a gateway, whose owner has no other rights. */
const startServer = () =>
  onFreePorts(2, async ([port = 0, other = 0]) => {
    const machine = await openMachine()
    onTestFinished(() => machine.close())
    const folders = {
      ARCHIVE: join(machine.folder, 'archive'),
      BASE: join(machine.folder, 'base'),
    }
    const run = (commands: string, time = '') =>
      machine.run(
        commands.replace('-p 5433', `-p ${other} -c unix_socket_directories=`),
        { port, data: join(machine.folder, 'data') },
        { ...folders, TIME: time, SERVER: `host=127.0.0.1 port=${port} dbname=postgres user=postgres` },
      )
    await run(`${newServer('postgres')}
mkdir "$ARCHIVE"
psql "$SERVER" --command="CREATE ROLE amtiati LOGIN"
createdb --maintenance-db="$SERVER" --owner=amtiati amtiati`)
    const urlOf = (name: string, at = port) => `postgres://amtiati@127.0.0.1:${at}/${name}`
    return { run, urlOf, other }
  })

type Server = Awaited<ReturnType<typeof startServer>>

interface Way {
  /** Returns the time that it restores to. */
  backUp(server: Server): Promise<string>
  /** Returns the address of the restored database, and what `--previous` names. */
  restore(server: Server, time: string): Promise<readonly [restored: string, previous: string]>
}

const ways: Readonly<Record<string, Way>> = {
  'a dump': {
    async backUp({ run }) {
      const begun = new Date().toISOString()
      await run(dump)
      return begun
    },
    async restore({ run, urlOf }) {
      await run(restoreDump)
      return [urlOf('amtiati_restored'), 'amtiati']
    },
  },
  'a point in time': {
    async backUp({ run }) {
      await run(baseBackup)
      return new Date().toISOString()
    },
    async restore({ run, urlOf, other }, time) {
      // PostgreSQL takes no letter for a zone here.
      await run(recover, time.replace('T', ' ').replace('Z', '+00'))
      const [last = ''] = recover.trim().split('\n').slice(-1)
      await eventually(async () => ((await run(last)).trim() === 'f' ? true : undefined))
      await run(startPrevious)
      return [urlOf('amtiati'), urlOf('amtiati', other)]
    },
  },
}

it.each(Object.keys(ways))(
  'after the restore of %s payments are found or stored as unknown; no second airway bill, refund, message or use of a number',
  async (name) => {
    const way = ways[name]
    if (way === undefined) throw new Error(`no way is called ${name}`)
    const server = await startServer()
    await server.run(archive)
    const stack = await startStack({
      env: { MESSAGES_ENABLED: 'true', DATABASE_URL: server.urlOf('amtiati') },
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
    const since = await way.backUp(server)

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
    const [restored, previous] = await way.restore(server, since)
    const args = ['after-restore', '--since', since, '--previous', previous]
    const { code, out, err } = await runScript('ops', args, { DATABASE_URL: restored })
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`OD-${known.orderId}  ${awb}`)
    expect(out).toContain(`OD-${unknown.orderId}  PENDING_PAYMENT`)

    await stack.startGateway(0, { DATABASE_URL: restored })
    const { kysely } = openPatientPostgres(restored)
    onTestFinished(() => kysely.destroy())
    // The worker inquires at the provider; the callback is not repeated.
    const issued = await eventually(
      async () => {
        const booking = await kysely
          .selectFrom('orders')
          .innerJoin('bookings', 'bookings.order_id', 'orders.id')
          .select(['orders.payment', 'bookings.awb', 'bookings.creations'])
          .where('orders.id', '=', known.orderId)
          .executeTakeFirst()
        return booking?.awb ? booking : undefined
      },
      { withinMs: 120_000 },
    )
    expect(issued).toEqual({ payment: 'paid', awb, creations: 0 })
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
    const line = await eventually(() =>
      stack.logs().find((each) => each.includes('"outcome":"unknown-order"')),
    )
    expect(line).toContain(`"transactionId":"${payment?.transactions.at(-1)?.id}"`)
    // A new order never takes the number of one that is paid at the provider.
    expect(await nextNumber()).toBeGreaterThan(unknown.orderId)

    async function nextNumber(): Promise<number> {
      const { person: another, user: owner } = await signedUpPilgrim(stack)
      return (await another.checkout(owner.id)).orderId
    }
  },
)

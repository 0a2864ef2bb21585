import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { backupSqlite } from '#server/platform/database/backup.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { readLabel } from '#shared/orders/orders.operations.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { openBalancer } from '#test/kit/balancer.ts'
import { freshPostgresUrl } from '#test/kit/databases.ts'
import { startDeployment } from '#test/kit/deployments.ts'
import { eventually } from '#test/kit/eventually.ts'
import { freshFolder } from '#test/kit/fresh-folder.ts'
import { isFull } from '#test/kit/full-run.ts'
import { shipmentsOf } from '#test/kit/shipments.ts'
import { type ProcessStack, startStack } from '#test/kit/stack.ts'
import { runScript } from '#test/kit/tools.ts'

async function startOne(env: Record<string, string> = {}): Promise<ProcessStack> {
  const stack = await startStack({ env })
  onTestFinished(() => stack.close())
  return stack
}

describe('a backup', () => {
  it('is a consistent snapshot, taken while orders arrive', async () => {
    const stack = await startOne()
    const pilgrim = await signedUpPilgrim(stack)
    const first = await paidOrder(stack, pilgrim)
    await issuedAwb(pilgrim.person, first)
    const target = join(freshFolder(), 'copy.sqlite')

    let isOver = false
    let placed = 0
    const coming = atOnce(4, async () => {
      while (!isOver) {
        await pilgrim.person.checkout(pilgrim.user.id)
        placed += 1
      }
    })
    await eventually(() => (placed > 4 ? true : undefined))
    const before = placed
    const backup = await runScript('backup', [target], { DATA_DIR: stack.dataDir })
    isOver = true
    await coming
    expect(backup).toMatchObject({ code: 0, err: '' })
    expect(backup.out).toContain('integrity ok')

    const { kysely } = openSqlite(target)
    const orders = await kysely.selectFrom('orders').selectAll().execute()
    const bookings = await kysely.selectFrom('bookings').selectAll().execute()
    expect(orders.length).toBeGreaterThanOrEqual(1 + before)
    expect(orders.length).toBeLessThanOrEqual(1 + placed)
    // An order and its booking are copied together or not at all.
    expect(bookings.map(({ order_id }) => order_id).sort()).toEqual(orders.map(({ id }) => id).sort())
    expect(await kysely.selectFrom('labels').selectAll().execute()).toHaveLength(1)
    await kysely.destroy()
  })

  it('completes also when rows are written between any two of its steps', async () => {
    const folder = freshFolder()
    const { kysely } = openSqlite(join(folder, 'live.sqlite'))
    await kysely.schema.createTable('ballast').addColumn('body', 'text').execute()
    // Many times the rows of one step.
    const page = 'x'.repeat(4_096)
    for (let count = 0; count < 1_000; count += 1)
      await kysely.insertInto('ballast').values({ body: page }).execute()

    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        await kysely.insertInto('ballast').values({ body: 'more' }).execute()
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    try {
      const target = join(folder, 'copy.sqlite')
      const counts = await backupSqlite(join(folder, 'live.sqlite'), target, Date.now())
      expect(counts.get('ballast')).toBeGreaterThanOrEqual(1_000)
    } finally {
      isOver = true
      await writing
      await kysely.destroy()
    }
  }, 60_000)
})

describe('moving from SQLite to PostgreSQL', () => {
  it('copies all rows and continues with the next number', async () => {
    const stack = await startOne()
    const pilgrim = await signedUpPilgrim(stack)
    const { person, user } = pilgrim
    const paid = await paidOrder(stack, pilgrim)
    const awb = await issuedAwb(person, paid)
    const label = await eventually(async () => (await person.call(readLabel, { params: { awb } })).awbFile)
    const headers = { 'idempotency-key': 'pressed-before-the-move' }
    const body = await person.offer(user.id)
    const open = await person.call(checkout, { body, headers })

    const url = await freshPostgresUrl()
    const env = { DATA_DIR: stack.dataDir, DATABASE_URL: url }
    const early = await runScript('move-to-postgres', [], env)
    expect(early).toMatchObject({
      code: 1,
      err: expect.stringContaining('it is in use: stop the gateway first'),
    })
    await stack.killGateway('SIGTERM')
    const move = await runScript('move-to-postgres', [], env)
    expect(move).toMatchObject({ code: 0, err: '' })
    expect(move.out).toMatch(/^orders +2$/m)
    const again = await runScript('move-to-postgres', [], env)
    expect(again.code).toBe(1)
    expect(again.err).toContain('is not empty')

    await stack.startGateway(0, { DATABASE_URL: url })
    expect(await person.call(readUserSession)).toMatchObject({ userId: user.id })
    expect((await person.orders(user.id)).map(({ orderId, status }) => [orderId, status])).toEqual([
      [open.orderId, 'PENDING_PAYMENT'],
      [paid, 'PAID'],
    ])
    expect((await person.call(readLabel, { params: { awb } })).awbFile).toBe(label)
    // The same key still means the same order, which can be paid with the secret that was shown before the move.
    expect(await person.call(checkout, { body, headers })).toEqual(open)
    const next = await person.checkout(user.id)
    expect(next.orderId).toBe(open.orderId + 1)
  })
})

describe('a PostgreSQL that drops its connections', () => {
  it('is reconnected, and no payment is lost', async () => {
    const balancer = await openBalancer()
    onTestFinished(() => balancer.close())
    const url = await freshPostgresUrl()
    const stack = await startDeployment({ engine: 'postgres', gateways: 2 }, balancer.url, {
      DATABASE_URL: url,
    })
    onTestFinished(() => stack.close())
    balancer.forwardTo(stack.gatewayUrls)
    const pilgrim = await signedUpPilgrim(stack)

    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    onTestFinished(() => admin.end())
    const cutAll = () =>
      admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )

    const promised: number[] = []
    for (let round = 0; round < (isFull ? 20 : 4); round += 1) {
      const coming = Array.from({ length: 10 }, () => pilgrim.person.checkout(pilgrim.user.id))
      const ended = Promise.allSettled(coming)
      await cutAll()
      await Promise.race(coming).catch(() => undefined)
      await cutAll()
      for (const answer of await ended) if (answer.status === 'fulfilled') promised.push(answer.value.orderId)
    }
    // No process has ended, and all confirmed data is there.
    for (const gatewayUrl of stack.gatewayUrls)
      await eventually(async () => ((await fetch(`${gatewayUrl}/readyz`)).status === 200 ? true : undefined))
    const { orderId } = await eventually(() => pilgrim.person.checkout(pilgrim.user.id))
    promised.push(orderId)
    for (const number of promised) expect((await pilgrim.person.order(number)).status).toBe('PENDING_PAYMENT')

    await Promise.all([stack.control.replay(orderId, 'success'), cutAll()])
    await eventually(
      async () => ((await pilgrim.person.order(orderId)).status === 'PAID' ? true : undefined),
      { withinMs: 20_000 },
    )
    // A worker that lost its booking with the connection gets it back when the lease is over.
    expect(await shipmentsOf(stack.control, orderId, 90_000)).toBe(1)
  })
})

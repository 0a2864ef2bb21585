import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordAct } from '#server/features/history/acts.ts'
import { leaseDueBooking, setAwb } from '#server/features/orders/bookings.queries.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { startAttempt } from '#server/features/payments/attempts.queries.ts'
import { addPaymentEvent } from '#server/features/payments/payment-events.queries.ts'
import { addRefund, leaseRefund, markRefundDone } from '#server/features/payments/refunds.queries.ts'
import { addReceipt, writeReceiptDocument } from '#server/features/receipts/receipts.queries.ts'
import { checkSequence } from '#server/features/receipts/sequence.ts'
import { unansweredMs } from '#server/features/shipments/shipments.rules.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { createDatabase, type EngineParts } from '#server/platform/database/database.ts'
import { claimInstallation, readInstallation } from '#server/platform/database/installation.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { readNumbers } from '#server/platform/database/numbers.ts'
import { gatewayLimits } from '#server/platform/gateway-limits.ts'
import { systemRandom } from '#server/platform/random.ts'
import { hour } from '#test/kit/basics/clock.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import { copyPostgres } from '#test/kit/database/rows.ts'
import { addMessage } from '#test/kit/orders/messages.ts'
import { newLeg, newOrder, newReceipt, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { callScript } from '#test/kit/programs/tools.ts'

const gap = 1_000
/** Values of a sequence that a recovery of PostgreSQL skips. */
const skipped = 32
const earlier = ['--since', '2026-01-01T00:00:00Z']
const call = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  callScript('ops', ['after-restore', ...args], env)
const nameOf = (url: string) => new URL(url).pathname.slice(1)

function addOrder(parts: EngineParts, userId: number, reference: string) {
  const database = createDatabase(parts)
  return storeOrder({ database }, newOrder(userId, { createdAt: Date.now() }), [newLeg(reference)])
}

/** Issues the receipt of an order; returns its number. */
async function issueReceipt(parts: EngineParts, orderId: number): Promise<number> {
  const database = createDatabase(parts)
  const number = await database.transaction(() =>
    addReceipt({ database }, newReceipt(orderId, { transaction_id: '9000001', issued_at: Date.now() })),
  )
  await writeReceiptDocument({ database }, number, JSON.stringify({ orderId }))
  return number
}

/** A database of a live gateway, with a user and an unpaid order. */
async function openLive() {
  const url = await freshPostgresUrl()
  const parts = openPatientPostgres(url)
  await migrate(parts)
  const installation = await claimInstallation(parts, { mode: 'live', name: 'the database of a test' })
  const now = Date.now()
  const { id: userId } = await ensureUser({ database: createDatabase(parts) }, '+966512345678', 'N', now)
  const orderId = await addOrder(parts, userId, 'AM-1')
  return { url, parts, installation, userId, orderId }
}

type Live = Awaited<ReturnType<typeof openLive>>

/** A session, a sent code, an order with a receipt, an open payment, a refund in progress, two messages. */
async function fill({ parts, userId, orderId }: Live) {
  const database = createDatabase(parts)
  const now = Date.now()
  const insert = (table: string, values: Readonly<Record<string, unknown>>) =>
    parts.kysely.insertInto(table).values(values).execute()
  const ends = { created_at: now, last_seen_at: now, idle_until: now + hour, ends_at: now + hour }
  await insert('sessions', {
    ...ends,
    id: 's',
    role: 'user',
    subject_id: userId,
    device: '',
    token_hash: 'h',
  })
  await insert('otp_challenges', {
    id: 'c',
    role: 'user',
    phone: '+966512345678',
    browser_hash: 'b',
    send_id: 1,
    state: 'sent',
    checks: 0,
    sent_at: now,
    expires_at: now + hour,
  })

  const returned = await addOrder(parts, userId, 'AM-2')
  await issueReceipt(parts, returned)
  // Its money was to go back when the copy was made.
  await parts.kysely
    .updateTable('bookings')
    .set({ state: 'canceled' })
    .where('order_id', '=', returned)
    .execute()
  const payment = { amount_halalas: 5_000, currency: 'SAR' }
  const attemptOf = async (order: number) => {
    const attempt = { ...payment, order_id: order, reference: `OD-${order}`, created_at: now }
    return (await startAttempt({ database }, attempt))?.id ?? 0
  }
  const attemptId = await attemptOf(orderId)
  const refund = {
    transaction_id: 'T2',
    attempt_id: await attemptOf(returned),
    reason: 'cancelled' as const,
    by: { kind: 'owner' } as const,
  }
  await database.transaction(() =>
    addRefund({ database }, { ...refund, captured: 5_000, currency: 'SAR' }, now),
  )
  await leaseRefund({ database, random: systemRandom })

  const message = { user_id: userId, order_id: orderId, booking_id: 1, created_at: now }
  await addMessage(database, { ...message, kind: 'exception' })
  await addMessage(database, { ...message, kind: 'handed-over', held_until: now + hour })
  return { returned, attemptId }
}

/** Changes after the time that is restored: a payment with its airway bill, a refund, a new order, a deleted account. */
async function goOn({ parts, userId, orderId }: Live, attemptId: number): Promise<number> {
  const database = createDatabase(parts)
  const now = Date.now()
  await addPaymentEvent(
    { database },
    {
      transaction_id: 'T1',
      kind: 'succeeded',
      attempt_id: attemptId,
      source: 'callback',
      outcome: 'applied',
      amount_halalas: 5_000,
      currency: 'SAR',
      body: '{}',
      received_at: now,
    },
  )
  await database.transaction(() => markPaid({ database }, orderId, 'T1', now))
  await issueReceipt(parts, orderId)
  const booking = await leaseDueBooking({ database }, 'lease', now + 1_000, now + hour)
  await setAwb({ database }, booking?.id ?? 0, 'lease', '231200021879')
  await database.transaction(() => markRefundDone({ database }, 'T2'))
  const placed = await addOrder(parts, userId, 'AM-3')
  await database.transaction(() =>
    recordAct(
      { database },
      { by: { kind: 'operator', name: 'Fatima (node)' }, kind: 'refund-retried', orderId },
    ),
  )
  await parts.kysely.updateTable('users').set({ deleted_at: now }).where('id', '=', userId).execute()
  return placed
}

describe('ops after-restore', () => {
  let live: Live
  let filled: Awaited<ReturnType<typeof fill>>
  let placed: number
  let since: number
  let before: number
  let restored: EngineParts
  let out: string

  beforeAll(async () => {
    live = await openLive()
    filled = await fill(live)
    await live.parts.kysely.destroy()
    since = Date.now()
    const url = await copyPostgres(live.url)
    restored = openPatientPostgres(url)
    await sql`SELECT setval('orders_id_seq', last_value + ${skipped}) FROM orders_id_seq`.execute(
      restored.kysely,
    )
    await restored.kysely.destroy()
    live = { ...live, parts: openPatientPostgres(live.url) }
    placed = await goOn(live, filled.attemptId)

    before = Date.now()
    const args = ['--since', new Date(since).toISOString(), '--previous', nameOf(live.url)]
    const output = await call([...args, '--order-gap', String(gap)], { DATABASE_URL: url })
    expect([output.code, output.err]).toEqual([0, ''])
    out = output.out
    restored = openPatientPostgres(url)
  })
  afterAll(async () => {
    await live.parts.kysely.destroy()
    await restored.kysely.destroy()
  })

  it('gives no number of an order or a user again', async () => {
    expect(out).toContain(`order numbers go on with OD-${filled.returned + skipped + gap + 1}`)
    expect(await addOrder(restored, live.userId, 'AM-4')).toBe(filled.returned + skipped + gap + 1)
    // Lines of the log name users by their number.
    expect((await ensureUser({ database: createDatabase(restored) }, '+966512345679', 'N', since)).id).toBe(
      live.userId + gap + 1,
    )
  })

  it('skips the numbers of receipts that were printed since, and records that', async () => {
    expect(out).toContain(`receipts with number ${2 + gap + 1}`)
    expect(await issueReceipt(restored, live.orderId)).toBe(2 + gap + 1)
    expect(await checkSequence({ database: createDatabase(restored) })).toMatchObject({
      faults: [],
      skipped: [{ first_number: 2, last_number: 2 + gap }],
    })
  })

  it('ends all sessions and codes', async () => {
    expect(out).toContain('ended: 1 session, 1 one-time code')
    expect(await restored.kysely.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await restored.kysely.selectFrom('otp_challenges').selectAll().execute()).toEqual([])
  })

  it('has an airway bill that may exist looked up, and names it', async () => {
    const bookings = await restored.kysely.selectFrom('bookings').selectAll().orderBy('id').execute()
    const [booking] = bookings
    // A message that nothing holds becomes due at the time of the restore.
    const [message] = await restored.kysely.selectFrom('messages').selectAll().orderBy('id').execute()
    const certainAt = Number(message?.due_at) + unansweredMs(gatewayLimits.shipmentQuietMs)
    expect(booking).toMatchObject({ awb: null, lease: null, uncertain_until: certainAt })
    // A refund may have been written off since, so this one was made again.
    const canceled = bookings.find(({ state }) => state === 'canceled')
    expect(canceled?.uncertain_until).toBe(certainAt)
    expect(out).toContain(`airway bills issued: 1\n    OD-${live.orderId}  231200021879  reference AM-1`)
  })

  it('has a refund that may have gone read first, when the provider can show it, and names it', async () => {
    const [refund] = await restored.kysely.selectFrom('refunds').selectAll().execute()
    expect(refund).toMatchObject({ state: 'due', lease: null })
    expect(refund?.due_at).toBeGreaterThan(before + 60_000)
    expect(out).toMatch(
      new RegExp(`refunds ordered or done: 1\n    OD-${filled.returned}  transaction T2  cancelled  done`),
    )
  })

  it('has a payment that may have succeeded asked about at once, and names it', async () => {
    const [attempt] = await restored.kysely.selectFrom('payment_attempts').selectAll().orderBy('id').execute()
    expect(attempt?.due_at).toBeLessThanOrEqual(Date.now())
    expect(out).toMatch(new RegExp(`reported: 1\n    OD-${live.orderId}  transaction T1  succeeded  applied`))
  })

  it('has messages that may have been sent looked up, and holds those that may be undone', async () => {
    const row = await restored.kysely.selectFrom('message_restores').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ first_order: filled.returned + skipped + gap + 1, since })
    const [due, held] = await restored.kysely.selectFrom('messages').selectAll().orderBy('id').execute()
    expect(due?.due_at).toBeGreaterThanOrEqual(before)
    expect(due?.due_at).toBeLessThanOrEqual(Date.now())
    expect(held?.due_at).toBe(held?.held_until)
  })

  it('names accounts that were deleted since, and what else was done', () => {
    expect(out).toContain(`accounts deleted: 1\n    user ${live.userId}  `)
    expect(out).toMatch(new RegExp(`orders placed: 1\n    OD-${placed}  PENDING_PAYMENT  50\\.00 SAR`))
    expect(out).toContain(`receipts issued: 1\n    OD-${live.orderId}  invoice 2  50.00 SAR  `)
    expect(out).toMatch(
      new RegExp(
        `acts of staff and operators: 1\\n    \\S+Z {2}Fatima \\(node\\) {2}refund-retried {2}OD-${live.orderId}`,
      ),
    )
  })

  it('keeps the installation, and names the mode that the gateway starts with', async () => {
    expect(await readInstallation(restored.kysely)).toEqual(live.installation)
    expect(out).toContain(
      `it belongs to installation ${live.installation.id} (live): start the gateway with MODE=live`,
    )
  })
})

describe('ops after-restore without --previous', () => {
  it('leaves numbers out, and says which line of the log names deleted accounts', async () => {
    const { url, parts, orderId } = await openLive()
    await parts.kysely.deleteFrom('installation').execute()
    await parts.kysely.destroy()
    const { code, out, err } = await call(earlier, { DATABASE_URL: url })
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`go on with OD-${orderId + 100_000 + 1}`)
    expect(out).toContain('run `npm run ops -- adopt` before the gateway starts')
    expect(out).toContain(
      'the log of the gateways names them since 2026-01-01T00:00:00.000Z, one line with "event":"account.deleted" and "userId" for each',
    )
  })
})

describe('ops after-restore changes nothing', () => {
  it('beside a running gateway', async () => {
    const { url, parts } = await openLive()
    const { code, err } = await call(earlier, { DATABASE_URL: url })
    expect([code, err]).toEqual([1, expect.stringMatching(/1 other connection: stop the gateways first$/)])
    expect(await parts.kysely.selectFrom('message_restores').selectAll().execute()).toEqual([])
    await parts.kysely.destroy()
  })

  it('where the previous database is of another installation, unless that is named', async () => {
    const other = await openLive()
    const own = await openLive()
    const numbers = await readNumbers(own.parts)
    await other.parts.kysely.destroy()
    await own.parts.kysely.destroy()
    const args = [...earlier, '--previous', other.url]
    for (const wrong of [[], ['--other-installation', own.installation.id]]) {
      const { code, err } = await call([...args, ...wrong], { DATABASE_URL: own.url })
      expect([code, err]).toEqual([
        1,
        expect.stringContaining(
          `it belongs to installation ${own.installation.id} (live), but the previous database to installation ${other.installation.id} (live). Name the right one, or add --other-installation ${other.installation.id} if that is meant.`,
        ),
      ])
    }
    const parts = openPatientPostgres(own.url)
    expect(await readNumbers(parts)).toEqual(numbers)
    await parts.kysely.destroy()
    const named = [...args, '--other-installation', other.installation.id]
    expect(await call(named, { DATABASE_URL: own.url })).toMatchObject({ code: 0, err: '' })
  })

  it('where --previous is the restored database, by its name or by its address', async () => {
    const { url, parts } = await openLive()
    const numbers = await readNumbers(parts)
    await parts.kysely.destroy()
    for (const previous of [nameOf(url), url]) {
      const { code, err } = await call([...earlier, '--previous', previous], { DATABASE_URL: url })
      expect([code, err]).toEqual([1, expect.stringContaining('is the restored database itself.')])
    }
    const after = openPatientPostgres(url)
    expect(await readNumbers(after)).toEqual(numbers)
    await after.kysely.destroy()
  })

  it('for wrong arguments, on SQLite, and in a database without rows', async () => {
    const empty = await freshPostgresUrl('migrated')
    const refusalOf = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const { code, err } = await call(args, env)
      expect(code).toBe(1)
      return err
    }
    const env = { DATABASE_URL: empty }
    for (const args of [[], ['--since', '2026-01-01T00:00:00'], ['--since', 'yesterday']])
      expect(await refusalOf(args, env)).toContain('--since must be a time with its zone')
    expect(await refusalOf(['--since', '2999-01-01T00:00:00Z'], env)).toContain('in the future')
    for (const wrong of ['0', '-1', 'many'])
      expect(await refusalOf([...earlier, `--order-gap=${wrong}`], env)).toContain('a whole number from 1')
    expect(await refusalOf(earlier, { DATA_DIR: freshFolder() })).toContain('after-restore is for PostgreSQL')
    expect(await refusalOf(earlier, env)).toContain('it holds no order and no user')
    const { url, parts } = await openLive()
    await parts.kysely.destroy()
    expect(await refusalOf([...earlier, '--previous', 'nowhere'], { DATABASE_URL: url })).toContain(
      '--previous: database "nowhere" does not exist',
    )
  })
})

import { chmod, copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAuditStore } from '#server/features/audit/audit.store.ts'
import { createMessagesStore } from '#server/features/messages/messages.store.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createReceiptsStore } from '#server/features/receipts/receipts.store.ts'
import { checkSequence } from '#server/features/receipts/sequence.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createDatabase, type Engine, type EngineParts } from '#server/platform/database/database.ts'
import { claimInstallation, readInstallation } from '#server/platform/database/installation.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { readNumbers } from '#server/platform/database/numbers.ts'
import { addSearchText } from '#server/platform/database/search-text.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { engines, freshPostgresUrl } from '#test/kit/databases.ts'
import { freshFolder } from '#test/kit/fresh-folder.ts'
import { isFull } from '#test/kit/full-run.ts'
import { openPatientPostgres } from '#test/kit/open-postgres.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { callScript } from '#test/kit/tools.ts'
import { transacting } from '#test/kit/transacting.ts'

const hour = 3_600_000
const gap = 100_000

/** A migrated database of a gateway, and the variables that lead to it. */
async function openGateway(engine: Engine) {
  const dataDir = freshFolder()
  const url = engine === 'postgres' ? await freshPostgresUrl() : undefined
  const env = { DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) }
  const file = join(dataDir, 'amtiati.sqlite')
  const open = () => (url ? openPatientPostgres(url) : openSqlite(file))
  const parts = open()
  onTestFinished(() => parts.kysely.destroy())
  await migrate(parts)
  return { parts, env, file, url, open }
}

function addOrder(parts: EngineParts, userId: number, reference: string) {
  const store = createOrdersStore(createDatabase(parts))
  return store.addOrder(newOrder(userId, { createdAt: Date.now() }), [newLeg(reference)])
}

/** Issues the receipt of an order; returns its number. */
async function issueReceipt(parts: EngineParts, orderId: number): Promise<number> {
  const database = createDatabase(parts)
  const store = transacting(database, createReceiptsStore(database), ['addReceipt'])
  const number = await store.addReceipt({
    kind: 'invoice',
    order_id: orderId,
    transaction_id: '9000001',
    corrects: null,
    reason: null,
    amount_halalas: 5_000,
    returned_halalas: 0,
    issued_at: Date.now(),
    uuid: crypto.randomUUID(),
  })
  await store.writeDocument(number, JSON.stringify({ orderId }))
  return number
}

/** The first start in live, a user who is signed in, an open code, and two orders, of which the first has an open payment. */
async function fill(parts: EngineParts) {
  const installation = await claimInstallation(parts, { mode: 'live', name: 'the database of a test' })
  const database = createDatabase(parts)
  const now = Date.now()
  const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'N', now)
  const session = { role: 'user', subject_id: userId, created_at: now, last_seen_at: now }
  await parts.kysely
    .insertInto('sessions')
    .values({ ...session, id: 's', device: '', token_hash: 'h', idle_until: now + hour, ends_at: now + hour })
    .execute()
  const code = {
    role: 'user',
    phone: '+966512345678',
    browser_hash: 'b',
    send_id: 1,
    state: 'sent',
    checks: 0,
  }
  await parts.kysely
    .insertInto('otp_challenges')
    .values({ ...code, id: 'c', sent_at: now, expires_at: now + hour })
    .execute()
  const paid = await addOrder(parts, userId, 'AM-1')
  const other = await addOrder(parts, userId, 'AM-2')
  await issueReceipt(parts, other)
  const attempt = {
    order_id: paid,
    reference: 'OD-A',
    amount_halalas: 5_000,
    currency: 'SAR',
    created_at: now,
  }
  const payments = createPaymentsStore(database)
  const started = await payments.startAttempt(attempt)
  return { installation, userId, paid, other, attemptId: started?.id ?? 0 }
}

/** A message that is due, and one that is held. */
async function announce(parts: EngineParts, userId: number, orderId: number): Promise<void> {
  const messages = createMessagesStore(createDatabase(parts))
  const now = Date.now()
  const message = { user_id: userId, order_id: orderId, booking_id: 1, refund_id: 0, created_at: now }
  await messages.addMessage({ ...message, kind: 'exception', held_until: null })
  await messages.addMessage({ ...message, kind: 'handed-over', held_until: now + hour })
}

/** Changes after the backup: a payment, its airway bill, a new order, a deleted account. */
async function changeAfterBackup(
  parts: EngineParts,
  { userId, paid, attemptId }: Awaited<ReturnType<typeof fill>>,
) {
  const database = createDatabase(parts)
  const orders = createOrdersStore(database)
  const now = Date.now()
  await createPaymentsStore(database).addEvent({
    transaction_id: 'T1',
    kind: 'succeeded',
    attempt_id: attemptId,
    source: 'callback',
    outcome: 'applied',
    amount_halalas: 5_000,
    currency: 'SAR',
    body: '{}',
    received_at: now,
  })
  await database.transaction(() => orders.markPaid(paid, 'T1', now))
  await issueReceipt(parts, paid)
  const booking = await orders.leaseBooking('lease', Date.now() + 1_000, now + hour)
  await orders.setAwb(booking?.id ?? 0, 'lease', '231200021879')
  const placed = await addOrder(parts, userId, 'AM-3')
  await createAuditStore(database).beginAction({
    at: now,
    actor: 'Fatima (node)',
    action: 'refund',
    order_id: paid,
    user_id: userId,
    subject: null,
    reason: null,
  })
  await parts.kysely.updateTable('users').set({ deleted_at: now }).where('id', '=', userId).execute()
  return placed
}

async function backedUp(env: Record<string, string>): Promise<string> {
  const target = join(freshFolder(), 'copy.sqlite')
  expect(await callScript('backup', [target], env)).toMatchObject({ code: 0, err: '' })
  return target
}

/** What a restore changes in a database as it was before `changeAfterBackup`; `placed` is the order that it lacks. */
async function expectAftermath(
  parts: EngineParts,
  filled: Awaited<ReturnType<typeof fill>>,
  placed: number,
  before: number,
) {
  // The number of the receipt that the copy lacks is not given out again, and its absence is explained.
  expect(await issueReceipt(parts, filled.paid)).toBe(2 + gap + 1)
  expect(await checkSequence(createReceiptsStore(createDatabase(parts)))).toMatchObject({
    faults: [],
    skipped: [{ first_number: 2, last_number: 2 + gap }],
  })
  const { kysely } = parts
  expect(await kysely.selectFrom('orders').select(['id', 'status']).orderBy('id').execute()).toEqual([
    { id: filled.paid, status: 'PENDING_PAYMENT' },
    { id: filled.other, status: 'PENDING_PAYMENT' },
  ])
  expect(await kysely.selectFrom('sessions').selectAll().execute()).toEqual([])
  expect(await kysely.selectFrom('otp_challenges').selectAll().execute()).toEqual([])
  // Bookings are looked up before a creation, and open payments are queried at once.
  for (const { uncertain_until } of await kysely.selectFrom('bookings').selectAll().execute())
    expect(uncertain_until).toBeGreaterThan(before)
  const [attempt] = await kysely.selectFrom('payment_attempts').selectAll().execute()
  expect(attempt?.due_at).toBeLessThanOrEqual(Date.now())
  expect(await addOrder(parts, filled.userId, 'AM-4')).toBe(placed + gap + 1)
  // Log lines name users by their number.
  const next = await createSessionsStore(createDatabase(parts)).ensureUser('+966512345679', 'N', before)
  expect(next.id).toBeGreaterThan(gap)
}

describe.each(isFull ? engines : (['postgres'] as const))('npm run restore on %s', (engine) => {
  it('restores the backup, lists what happened after it, and gives no number twice', async () => {
    const live = await openGateway(engine)
    const filled = await fill(live.parts)
    await announce(live.parts, filled.userId, filled.paid)
    const backup = await backedUp(live.env)
    const placed = await changeAfterBackup(live.parts, filled)
    await live.parts.kysely.destroy()

    // On PostgreSQL the restore needs an empty database; the previous one stays as it is.
    const target = engine === 'sqlite' ? live : await openGateway(engine)
    await target.parts.kysely.destroy()
    const name = live.url?.split('/').at(-1) ?? ''
    const args = engine === 'sqlite' ? ['--set-aside'] : ['--previous', name]
    const before = Date.now()
    const { code, out, err } = await callScript('restore', [backup, ...args], target.env)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^database: \S+ \S+\nbackup: \S+, taken \S+Z, 2 orders, 1 user\n/)
    expect(out).toContain(`order numbers go on with OD-${placed + gap + 1}`)
    expect(out).toContain('ended: 1 session, 1 one-time code')
    expect(out).toMatch(new RegExp(`orders placed: 1\n    OD-${placed}  PENDING_PAYMENT  50\\.00 SAR`))
    expect(out).toMatch(new RegExp(`reported: 1\n    OD-${filled.paid}  transaction T1  succeeded  applied`))
    expect(out).toContain(`airway bills issued: 1\n    OD-${filled.paid}  231200021879  reference AM-1`)
    expect(out).toContain(`accounts deleted: 1\n    user ${filled.userId}  `)
    expect(out).toContain('refunds ordered or done: 0')
    expect(out).toMatch(
      new RegExp(`actions of operators: 1\\n    \\S+Z {2}Fatima \\(node\\) {2}refund {2}OD-${filled.paid}`),
    )
    expect(out).toContain(`receipts with number ${2 + gap + 1}`)
    expect(out).toContain(`receipts issued: 1\n    OD-${filled.paid}  invoice 2  50.00 SAR  `)

    const parts = target.open()
    onTestFinished(() => parts.kysely.destroy())
    await expectAftermath(parts, filled, placed, before)
    const { kysely } = parts
    expect(await readInstallation(kysely)).toEqual(filled.installation)
    expect(out).toContain(
      `it belongs to installation ${filled.installation.id} (live): start the gateway with MODE=live`,
    )
    const [due, held] = await kysely.selectFrom('messages').selectAll().orderBy('id').execute()
    expect(due?.due_at).toBeGreaterThanOrEqual(before)
    expect(due?.due_at).toBeLessThanOrEqual(Date.now())
    expect(held?.due_at).toBe(held?.held_until)
    expect((await kysely.introspection.getTables()).map((table) => table.name)).not.toContain('backup_info')
  })

  it('refuses beside a running gateway, and a target with rows', async () => {
    const live = await openGateway(engine)
    await fill(live.parts)
    const backup = await backedUp(live.env)
    const beside = await callScript(
      'restore',
      [backup, ...(engine === 'sqlite' ? ['--set-aside'] : [])],
      live.env,
    )
    expect([beside.code, beside.err]).toEqual([1, expect.stringMatching(/: stop the gateways? first$/)])
    await live.parts.kysely.destroy()
    const among = await callScript('restore', [backup], live.env)
    expect([among.code, among.err]).toEqual([1, expect.stringMatching(/is there already|is not empty/)])
    const parts = live.open()
    onTestFinished(() => parts.kysely.destroy())
    expect(await parts.kysely.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
    expect(await parts.kysely.selectFrom('orders').selectAll().execute()).toHaveLength(2)
  })

  it('restores a backup of the other engine', async () => {
    const other = await openGateway(engine === 'sqlite' ? 'postgres' : 'sqlite')
    await fill(other.parts)
    const crossed = await backedUp(other.env)
    const target = await openTarget(engine)
    const { code, out, err } = await callScript('restore', [crossed, '--order-gap', '7'], target.env)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('go on with OD-10')
    expect(out).toContain('cannot be read: it is not known')
  })
})

describe('npm run restore -- --adopt', () => {
  /** A second database of the server, which PostgreSQL makes of the first one, file by file. */
  async function copyByPostgres(url: string): Promise<string> {
    const [name = ''] = url.split('/').slice(-1)
    const server = openPatientPostgres(url.replace(/[^/]+$/, 'postgres'))
    await sql`CREATE DATABASE ${sql.id(`${name}_as_it_was`)} TEMPLATE ${sql.id(name)}`.execute(server.kysely)
    await server.kysely.destroy()
    return `${url}_as_it_was`
  }

  it('changes a database that PostgreSQL has restored as a restored backup is changed', async () => {
    const live = await openGateway('postgres')
    const filled = await fill(live.parts)
    await live.parts.kysely.destroy()
    const since = Date.now()
    const url = await copyByPostgres(live.url ?? '')
    const reopened = live.open()
    const placed = await changeAfterBackup(reopened, filled)
    await reopened.kysely.destroy()

    const before = Date.now()
    const previous = live.url?.split('/').at(-1) ?? ''
    const env = { DATABASE_URL: url }
    const time = new Date(since).toISOString()
    const { code, out, err } = await callScript(
      'restore',
      ['--adopt', '--since', time, '--previous', previous],
      env,
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`adopted, as of ${time}: order numbers go on with OD-${placed + gap + 1}`)
    expect(out).toContain(`airway bills issued: 1\n    OD-${filled.paid}  231200021879`)
    const parts = openPatientPostgres(url)
    onTestFinished(() => parts.kysely.destroy())
    await expectAftermath(parts, filled, placed, before)
    // Messages are looked up since then before they are sent.
    expect(
      await parts.kysely.selectFrom('message_restores').select(['first_order', 'since']).execute(),
    ).toEqual([{ first_order: placed + gap + 1, since }])

    const beside = await callScript('restore', ['--adopt', '--since', time], env)
    expect([beside.code, beside.err]).toEqual([
      1,
      expect.stringMatching(/1 other connection: stop the gateways/),
    ])
  })

  it('refuses a previous database of another installation, unless that is named', async () => {
    const other = await openGateway('postgres')
    const foreign = await fill(other.parts)
    await other.parts.kysely.destroy()
    const restored = await openGateway('postgres')
    const own = await fill(restored.parts)
    const numbers = await readNumbers(restored.parts)
    await restored.parts.kysely.destroy()

    const args = ['--adopt', '--since', new Date().toISOString()]
    const previous = ['--previous', other.url?.split('/').at(-1) ?? '']
    for (const wrong of [[], ['--other-installation', own.installation.id]]) {
      const { code, err } = await callScript('restore', [...args, ...previous, ...wrong], restored.env)
      expect([code, err]).toEqual([
        1,
        expect.stringContaining(
          `it belongs to installation ${own.installation.id} (live), but the previous database to installation ${foreign.installation.id} (live). Name the right one, or add --other-installation ${foreign.installation.id} if that is meant.`,
        ),
      ])
    }
    const parts = restored.open()
    expect(await readNumbers(parts)).toEqual(numbers)
    await parts.kysely.destroy()

    const named = ['--other-installation', foreign.installation.id]
    const { code, err } = await callScript('restore', [...args, ...previous, ...named], restored.env)
    expect([code, err]).toEqual([0, ''])
    const adopted = restored.open()
    expect(await readInstallation(adopted.kysely)).toEqual(own.installation)
    await adopted.kysely.destroy()
  })

  it('refuses a time without a zone or to come, SQLite, a backup besides, and an empty database', async () => {
    const empty = await openGateway('postgres')
    await empty.parts.kysely.destroy()
    const refusalOf = async (args: readonly string[], env: Readonly<Record<string, string>> = empty.env) => {
      const { code, err } = await callScript('restore', ['--adopt', ...args], env)
      expect(code).toBe(1)
      return err
    }
    const earlier = ['--since', '2026-01-01T00:00:00Z']
    for (const args of [[], ['--since', '2026-01-01T00:00:00'], ['--since', 'yesterday']])
      expect(await refusalOf(args)).toContain('--since must be a time with its zone')
    expect(await refusalOf(['--since', '2999-01-01T00:00:00Z'])).toContain('in the future')
    expect(await refusalOf(['backup', ...earlier])).toContain('--adopt takes no backup')
    expect(await refusalOf(earlier, { DATA_DIR: freshFolder() })).toContain('--adopt is for PostgreSQL')
    expect(await refusalOf(earlier)).toContain('it holds no order and no user')
  })
})

/** An empty target for a restore. */
async function openTarget(engine: Engine) {
  const target = await openGateway(engine)
  await target.parts.kysely.destroy()
  if (engine === 'sqlite') await rm(target.file)
  return target
}

/** The files of a data folder, without the lock file, which is never removed. */
const namesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => !name.endsWith('.lock')).sort()

describe('npm run restore', () => {
  async function backup() {
    const live = await openGateway('sqlite')
    await fill(live.parts)
    return { copy: await backedUp(live.env), live }
  }

  it('keeps the previous file complete, and leaves one file that only its owner can read', async () => {
    const { copy, live } = await backup()
    await live.parts.kysely.destroy()
    const { out } = await callScript('restore', [copy, '--set-aside'], live.env)
    const aside = /^set aside: (.*)$/m.exec(out)?.[1] ?? ''
    const names = await namesIn(live.env.DATA_DIR)
    expect(names).toEqual(['amtiati.sqlite', aside.split('/').at(-1)])
    expect((await stat(live.file)).mode & 0o777).toBe(0o600)
    const old = new DatabaseSync(aside, { readOnly: true })
    onTestFinished(() => old.close())
    expect(old.prepare('SELECT count(*) AS count FROM sessions').get()).toMatchObject({ count: 1 })
  })

  it('refuses to replace the file of another installation, unless that is named', async () => {
    const { copy } = await backup()
    const other = await openGateway('sqlite')
    const { installation } = await fill(other.parts)
    await other.parts.kysely.destroy()
    const refused = await callScript('restore', [copy, '--set-aside'], other.env)
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(`but the previous database to installation ${installation.id} (live)`),
    ])
    expect(await namesIn(other.env.DATA_DIR)).toEqual(['amtiati.sqlite'])
    const named = ['--set-aside', '--other-installation', installation.id]
    expect(await callScript('restore', [copy, ...named], other.env)).toMatchObject({ code: 0, err: '' })
  })

  it('says that a backup of an older build has to be adopted', async () => {
    const { live } = await backup()
    await live.parts.kysely.deleteFrom('installation').execute()
    const copy = await backedUp(live.env)
    await live.parts.kysely.destroy()
    const { code, out } = await callScript('restore', [copy, '--set-aside'], live.env)
    expect(code).toBe(0)
    expect(out).toContain('run `npm run ops -- adopt` before the gateway starts')
  })

  it('restores although the previous database is damaged, and prints that it cannot be read', async () => {
    const { copy, live } = await backup()
    await live.parts.kysely.destroy()
    await writeFile(live.file, 'x'.repeat(10_000))
    const { code, out, err } = await callScript('restore', [copy, '--set-aside'], live.env)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`go on with OD-${2 + gap + 1}`)
    expect(out).toContain('cannot be read: file is not a database. Compare with the provider')
  })

  it('refuses another file, a damaged backup, one of a newer build and one without rows', async () => {
    const { copy } = await backup()
    const folder = freshFolder()
    const target = await openTarget('sqlite')
    const refusalOf = async (file: string) => {
      const { code, err } = await callScript('restore', [file], target.env)
      expect(code).toBe(1)
      expect(err).not.toContain('\n')
      // No file was written.
      expect(await namesIn(target.env.DATA_DIR)).toEqual([])
      return err
    }
    expect(await refusalOf(join(folder, 'missing'))).toContain('it does not exist')
    await writeFile(join(folder, 'empty'), '')
    expect(await refusalOf(join(folder, 'empty'))).toContain('it is empty')
    await writeFile(join(folder, 'text'), 'x'.repeat(5_000))
    expect(await refusalOf(join(folder, 'text'))).toContain('file is not a database')

    const damaged = join(folder, 'damaged')
    const bytes = await readFile(copy)
    bytes.fill(0xff, 4_096 * 3, 4_096 * 12)
    await writeFile(damaged, bytes)
    expect(await refusalOf(damaged)).toMatch(/malformed|does not hold together/)

    for (const [name, statement, message] of [
      [
        'newer',
        "INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '')",
        'by a newer build',
      ],
      [
        'hollow',
        'DELETE FROM receipts; DELETE FROM payment_attempts; DELETE FROM bookings; DELETE FROM orders; DELETE FROM users',
        'it holds no order and no user',
      ],
    ] as const) {
      await copyFile(copy, join(folder, name))
      await chmod(join(folder, name), 0o600)
      const file = new DatabaseSync(join(folder, name))
      addSearchText(file)
      file.exec(statement)
      file.close()
      expect(await refusalOf(join(folder, name))).toContain(message)
    }
  })

  it('refuses a missing folder, an invalid gap, and a missing previous database', async () => {
    const { copy } = await backup()
    const { env } = await openTarget('sqlite')
    const missing = await callScript('restore', [copy], { DATA_DIR: `${env.DATA_DIR}/no` })
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('there is no folder')])
    for (const gap of ['0', '-1', 'many']) {
      const { code, err } = await callScript('restore', [copy, `--order-gap=${gap}`], env)
      expect([code, err]).toEqual([1, expect.stringContaining('--order-gap must be a whole number from 1')])
    }
    const { code, err } = await callScript('restore', [copy, '--previous', '/nowhere.sqlite'], env)
    expect([code, err]).toEqual([1, '--previous /nowhere.sqlite: it does not exist'])
    expect(await namesIn(env.DATA_DIR)).toEqual([])
  })
})

import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { auditRowOf } from '#server/desk/audit/audit.rules.ts'
import { listActs, recordAct, staffActor } from '#server/features/history/acts.ts'
import { listEvents } from '#server/features/history/history.ts'
import {
  endMessage,
  findMessage,
  leaseMessage,
  listMessagesOfOrder,
  releaseMessage,
  writeMessage,
} from '#server/features/messages/messages.queries.ts'
import {
  countCreation,
  endLease,
  leaseDueBooking,
  markEscalated,
  setAwb,
  setLastError,
} from '#server/features/orders/bookings.queries.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { keyOfEmail, keyOfUser } from '#server/features/otp/emails.rules.ts'
import { lockPhone as lockNumber } from '#server/features/otp/otp.queries.ts'
import { addPairing } from '#server/features/otp/pairings.queries.ts'
import { recordHalvedList, storeList } from '#server/features/partner/partner.queries.ts'
import { openAttempt, startAttempt } from '#server/features/payments/attempts.queries.ts'
import { addPaymentEvent } from '#server/features/payments/payment-events.queries.ts'
import {
  leaseRefund,
  listRefundsOfTransaction,
  markRefundDone,
  planRefund,
  refundPayment,
} from '#server/features/payments/refunds.queries.ts'
import { addReceipt, writeReceiptDocument } from '#server/features/receipts/receipts.queries.ts'
import { ensureUser, findUserByPhone, setEmail } from '#server/features/users/users.queries.ts'
import { recordChange } from '#server/features/users/users.ts'
import type { Database } from '#server/platform/database/database.ts'
import { readInstallation } from '#server/platform/database/installation.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { systemRandom } from '#server/platform/random.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { day, hour, minute, noon } from '#test/kit/basics/clock.ts'
import { engines } from '#test/kit/database/databases.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { addMessage } from '#test/kit/orders/messages.ts'
import { newLeg, newOrder, newReceipt, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { callScript, runScript } from '#test/kit/programs/tools.ts'
import { UsageError } from './lib/tool.ts'
import { confirmAt } from './ops/context.ts'
import { readVerb } from './ops/verbs.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

const call = (env: Readonly<Record<string, string>>, args: readonly string[]) => callScript('ops', args, env)

async function run(database: Database, args: readonly string[], { hasDesk = false, now = Date.now() } = {}) {
  try {
    return { code: 0, out: await readVerb(args)(database, { now, hasDesk }), err: '' }
  } catch (error) {
    return { code: 1, out: '', err: (error as Error).message }
  }
}

async function openSource(engine: (typeof engines)[number]) {
  const dataDir = freshFolder()
  const url = engine === 'postgres' ? await freshPostgresUrl() : undefined
  const database = await openDatabase({ url, dataDir, mode: 'demo', onIdleError: () => undefined })
  onTestFinished(() => database.close())
  return { database, dataDir, url, env: url ? { DATABASE_URL: url } : { DATA_DIR: dataDir } }
}

/** A paid order whose two creations are used up. */
async function addStopped(database: Database) {
  const now = Date.now()
  const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', now)
  const orderId = await storeOrder({ database }, newOrder(userId, { createdAt: now }), [
    { ...newLeg(`AM-${now}`), receiver_name: 'Sara', second_phone: '+966500000008' },
  ])
  await database.transaction(() => markPaid({ database }, orderId, `T${orderId}`, now))
  const booking = await leaseDueBooking({ database }, 'lease', Date.now() + 1_000, now + minute)
  const id = booking?.id ?? 0
  for (let count = 0; count < 2; count += 1) await countCreation({ database }, id, 'lease', now, 'N')
  await markEscalated({ database }, id, 'lease', now)
  await setLastError({ database }, id, 'lease', 'the shipping partner answered 500')
  await endLease({ database }, id, 'lease', now + minute)
  return { orderId, id, reference: `AM-${now}`, stoppedAt: new Date(now).toISOString() }
}

const phone = '+966512345678'
const clientSecret = 'sau_csk_test_of_the_payment'

async function addPayment(database: Database, orderId: number) {
  const now = Date.now()
  const terms = { order_id: orderId, amount_halalas: 5_000, currency: 'SAR' }
  const attempt = await startAttempt({ database }, { ...terms, reference: 'OD1-1', created_at: now })
  const id = attempt?.id ?? 0
  await openAttempt({ database }, id, {
    intentionId: 'pi_test_1',
    providerOrderId: 7_000_001,
    clientSecret,
    secretUntil: now + hour,
  })
  const transaction = `T${orderId}`
  await addPaymentEvent(
    { database },
    {
      transaction_id: transaction,
      kind: 'succeeded',
      attempt_id: id,
      source: 'callback',
      outcome: 'applied',
      amount_halalas: 5_000,
      currency: 'SAR',
      body: '{}',
      received_at: now,
    },
  )
  return transaction
}

/** An operator's refund of a payment. */
const orderRefund = (database: Database, transaction: string, at = Date.now()) =>
  database.transaction(() =>
    refundPayment({ database }, transaction, { reason: 'operator', by: { kind: 'system' } }, at),
  )

async function lockPhone(database: Database): Promise<void> {
  await database.transaction(() =>
    lockNumber({ database }, { role: 'user', phone, trust: 'open' }, Date.now()),
  )
  await database.tables.updateTable('otp_counters').set({ consecutive_failures: 20 }).execute()
}

describe.each(engines)('on %s', (engine) => {
  it('adopts a database that has orders and no mode, once, and refuses every other verb until then', async () => {
    const { database, env } = await openSource(engine)
    await addStopped(database)
    await database.tables.deleteFrom('installation').execute()

    const before = await call(env, ['stuck'])
    expect([before.code, before.out]).toEqual([1, expect.stringMatching(/, no installation$/)])
    expect(before.err).toMatch(/ holds orders or users, but no mode\. Run npm run ops -- adopt --mode live /)
    for (const mode of [[], ['--mode', 'test']])
      expect((await call(env, ['adopt', ...mode])).err).toMatch(/^--mode must be live or demo\nusage: /)

    const adopted = await call(env, ['adopt', '--mode', 'live', '--by', 'Fatima', '--reason', 'upgraded'])
    expect([adopted.code, adopted.err]).toEqual([0, ''])
    const row = await readInstallation(database.tables)
    expect(adopted.out).toContain(`adopted: installation ${row?.id} (live)`)
    expect((await run(database, ['audit'])).out).toMatch(
      /Fatima \(.+\) +mode-set +- +id: none → \S+; mode: none → live +upgraded/,
    )
    expect((await call(env, ['stuck'])).out).toMatch(/, installation \S+ \(live\)$/m)

    for (const mode of ['demo', 'live']) {
      const again = await call(env, ['adopt', '--mode', mode])
      expect([again.code, again.err]).toEqual([
        1,
        expect.stringMatching(/ belongs to installation \S+ \(live\) already\. .* never changed\.$/),
      ])
    }
    expect(await readInstallation(database.tables)).toEqual(row)
  })

  it('lists stuck bookings, and permits exactly one more creation', async () => {
    const { database, env, dataDir, url } = await openSource(engine)
    const { orderId, id, reference, stoppedAt } = await addStopped(database)

    const listed = await call(env, ['stuck'])
    const [where = '', header = '', row = '', ...rest] = listed.out.split('\n')
    expect([listed.code, listed.err, rest]).toEqual([0, '', []])
    const location = url ? `PostgreSQL ${url.split('@')[1]}` : `SQLite ${dataDir}/amtiati.sqlite`
    expect(where).toBe(
      `database: ${location}, 1 order, 1 user, installation ${database.installation?.id} (demo)`,
    )
    expect(header.split(/ {2,}/)).toEqual([
      'order',
      'reference',
      'state',
      'airway bill',
      'since',
      'creations',
      'last reason',
    ])
    const cells = [`OD-${orderId}`, reference, 'stopped', '-', stoppedAt, '2']
    expect(row.split(/ {2,}/)).toEqual([...cells, 'the shipping partner answered 500'])

    const permitted = await run(database, ['reissue', `OD-${orderId}`])
    expect(permitted).toMatchObject({ code: 0, out: expect.stringContaining(reference) })
    const now = Date.now()
    await leaseDueBooking({ database }, 'next', Date.now() + 1_000, now + minute)
    expect(await countCreation({ database }, id, 'next', now, 'N')).toMatchObject({ name: 'Sara' })
    expect(await countCreation({ database }, id, 'next', now, 'N')).toBeUndefined()

    const again = await run(database, ['reissue', String(orderId)])
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('nothing was changed') })
    expect((await run(database, ['stuck'])).out).toContain('no booking needs an operator')
  })

  it('refunds, inquires, reissues and unlocks, and stores who did what, when and why', async () => {
    const { database } = await openSource(engine)
    const { orderId } = await addStopped(database)
    const transaction = await addPayment(database, orderId)
    await lockPhone(database)
    const act = async (...args: string[]) => {
      const { code, out, err } = await run(database, [...args, '--by', 'Fatima', '--reason', 'she asked'])
      expect([code, err]).toEqual([0, ''])
      return out
    }
    const since = Date.now()
    await act('inquire', String(orderId))
    await act('reissue', String(orderId))
    expect(await act('refund', `OD-${orderId}`)).toContain(
      `what is left of the payment ${transaction} is refunded`,
    )
    expect(await listRefundsOfTransaction({ database }, transaction)).toMatchObject([
      { amount_halalas: 5_000, currency: 'SAR', reason: 'operator', state: 'due' },
    ])
    expect(await act('unlock', phone)).toContain(`${phone}: open again`)

    // What changes nothing is refused, and leaves no row.
    for (const [args, reason] of [
      [['refund', '7', '--reason', 'x'], 'OD-7 is not in this database'],
      [['inquire', '7'], 'OD-7 is not in this database'],
      [['reissue', String(orderId)], 'nothing was changed'],
      [['seen', String(orderId)], 'no open alert and no silent bag'],
      [['unlock', phone], 'was not locked'],
    ] as const)
      expect(await run(database, args)).toMatchObject({ code: 1, err: expect.stringContaining(reason) })

    const { out } = await run(database, ['audit'])
    const [header = '', ...rows] = out.split('\n').map((line) => line.split(/ {2,}/))
    expect(header).toEqual(['when', 'who', 'what', 'about', 'changed', 'reason'])
    expect(rows.map(([, who, what, about, , reason]) => [who, what, about, reason])).toEqual(
      [
        ['phone-unlocked', '+96651•••678'],
        ['refund-ordered', `OD-${orderId}`],
        ['label-permitted', `OD-${orderId}`],
        ['inquired', `OD-${orderId}`],
      ].map((action) => [expect.stringMatching(/^Fatima \(.+\)$/), ...action, 'she asked']),
    )
    for (const [when = ''] of rows) {
      expect(Date.parse(when)).toBeGreaterThanOrEqual(since)
      expect(Date.parse(when)).toBeLessThanOrEqual(Date.now())
    }
    const changes = rows.map(([, , , , changed]) => changed)
    expect(changes).toEqual([
      'wrong codes in a row as user: 20 → none',
      'refund: none → open',
      'allowed creations: 2 → 3',
      expect.stringMatching(/^inquiry of OD1-1: 2\S+Z → 2\S+Z$/),
    ])
    const ofOrder = await run(database, ['audit', `OD-${orderId}`])
    expect(ofOrder.out).not.toContain('unlocked')
    // Neither events nor their print hold a secret of the payment or the phone.
    const stored = JSON.stringify(await database.tables.selectFrom('events').selectAll().execute())
    for (const text of [stored, out])
      for (const secret of [clientSecret, phone]) expect(text).not.toContain(secret)
  })

  it('opens the browser that shows an agent’s pairing number, once, and stores it without the number', async () => {
    const { database } = await openSource(engine)
    const agent = '+966500000101'
    const now = Date.now()
    const row = {
      browser_hash: 'b',
      phone: agent,
      pairing: '482913',
      address: '192.0.2.1',
      shown_at: now,
      expires_at: now + 1_800_000,
    }
    await addPairing({ database }, row)
    const because = ['--reason', 'called from this phone']
    expect(await run(database, ['open-agent', agent, '111111', ...because])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no browser shows 111111'),
    })
    // As read aloud, in two groups.
    expect((await run(database, ['open-agent', agent, '٤٨٢', '٩١٣', ...because])).out).toContain(
      'the browser that shows 482913 may ask for a code',
    )
    expect(await run(database, ['open-agent', agent, '482913', ...because])).toMatchObject({ code: 1 })
    const acts = await listActs({ database }, { limit: 10 })
    expect(acts).toMatchObject([
      {
        kind: 'device-admitted',
        data: { about: '+96650•••101', personal: { reason: 'called from this phone' } },
      },
    ])
    expect(JSON.stringify(acts)).not.toContain('482913')
  })

  it('unlocks an address, for its recovery and its user, and stores no more than its first letter', async () => {
    const { database } = await openSource(engine)
    const email = 'maryam@example.com'
    const user = await ensureUser({ database }, phone, 'Maryam', noon)
    await setEmail({ database }, user.id, email, 0)
    const locked = { touched_at: noon, consecutive_failures: 20 }
    await database.tables
      .insertInto('otp_counters')
      .values([
        { role: 'recovery', phone: keyOfEmail(email), ...locked },
        { role: 'email', phone: keyOfUser(user.id), ...locked },
      ])
      .execute()
    expect((await run(database, ['unlock', ' Maryam@Example.com '])).out).toContain(`${email}: open again`)
    expect(await run(database, ['unlock', email])).toMatchObject({ code: 1 })
    const { out } = await run(database, ['audit'])
    expect(out).toContain('m•••@example.com')
    expect(out).not.toContain('aryam')
  })

  it('pauses and resumes background work by name, and stores it', async () => {
    const { database } = await openSource(engine)
    expect((await run(database, ['pause', 'shipments', '--reason', 'SMSA asked'])).out).toBe(
      'shipments: claims no more work, on all gateways within seconds',
    )
    expect(await run(database, ['pause', 'shipments'])).toMatchObject({
      code: 1,
      err: 'shipments: paused already, so nothing was changed',
    })
    const { out } = await run(database, ['workers'])
    expect(out).toMatch(/^shipments +paused since 2\S+Z$/m)
    expect(out).toMatch(/^refunds +runs$/m)
    expect((await run(database, ['pause', 'all'])).out).toMatch(/^tracking: .*\n(.*\n)*retention: /)
    expect((await run(database, ['resume', 'refunds'])).out).toBe('refunds: works again within seconds')
    await run(database, ['resume', 'all'])
    expect((await run(database, ['workers'])).out).not.toContain('paused')
    const audit = (await run(database, ['audit'])).out
    expect(audit).toMatch(/worker-paused +shipments +shipments: runs → paused +SMSA asked/)
    await expect(async () => readVerb(['pause', 'couriers'])).rejects.toThrow(
      /^name one worker, or all: shipments, /,
    )
  })

  it('stops selling and sells again, at once and from a time, and stores it', async () => {
    const { database } = await openSource(engine)
    const agents = [{ id: 'A01' }, { id: 'A02' }]
    await storeList({ database }, 'agents', JSON.stringify(agents), 1)
    const because = ['--reason', 'the store is full', '--by', 'Fatima']
    expect((await run(database, ['stops'])).out).toBe('nothing is stopped')

    const stopped = await run(database, ['stop', 'agent', 'A01', ...because])
    expect(stopped).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^agent A01 +in force +2\S+Z +until it is ended/m),
    })
    expect(stopped.out).toContain(
      'هذا الوكيل لا يستقبل حجوزات جديدة حاليًا. / This agent takes no new bookings',
    )
    const [ar, en] = ['نفتح غدًا صباحًا.', 'We open tomorrow morning.']
    const times = ['--from', '2101-05-18T06:00', '--until', '2101-05-18T06:00Z']
    await run(database, ['stop', 'all', '--ar', ar, '--en', en, ...times, ...because])
    const { out } = await run(database, ['stops'])
    expect(out).toMatch(/^all +begins later +2101-05-18T03:00:00.000Z +2101-05-18T06:00:00.000Z +Fatima \(/m)
    expect(out).toContain(`${ar} / ${en}`)

    expect(await run(database, ['stop', 'agent', 'A03', ...because])).toMatchObject({
      code: 1,
      err: 'Not in the lists of the shipping partner.',
    })
    // The list of branches was never fetched, so nothing is checked.
    expect((await run(database, ['stop', 'city', 'Al', 'Khobar', ...because])).out).toContain(
      'city Al Khobar',
    )
    const sold = await run(database, ['sell', 'agent', 'A01', ...because])
    expect(sold.out).toMatch(/^agent A01: sold again\n(.*\n)+all /)
    expect(await run(database, ['sell', 'agent', 'A01', ...because])).toMatchObject({
      code: 1,
      err: 'agent A01 is not stopped, so nothing was changed',
    })
    const audit = (await run(database, ['audit'])).out
    expect(audit).toMatch(
      /Fatima \(.+\) +stops-changed +- +stop 1: agent A01, from .+ → none +the store is full/,
    )
    for (const [args, words] of [
      [['stop', 'agent', 'A01'], 'say why'],
      [['sell', 'agent', 'A01'], 'say why'],
      [['stop', 'agent', ...because], 'name all, agent'],
      [['stop', 'all', 'A01', ...because], 'name all, agent'],
      [['stop', 'all', '--until', 'tomorrow', ...because], 'no time such as'],
      [['stop', 'all', '--ar', 'closed', '--en', 'closed', ...because], 'in Arabic'],
      [['stop', 'all', '--ar', ar, ...because], '--en must have'],
      [['stops', '--from', '2101-05-18T06:00'], 'belongs to stop'],
    ] as const)
      await expect(async () => readVerb(args)).rejects.toThrow(words)
  })

  it('tries a waiting refund again at once, and refuses another one', async () => {
    const { database } = await openSource(engine)
    const { orderId } = await addStopped(database)
    const transaction = await addPayment(database, orderId)
    const refund = () => run(database, ['refund', String(orderId), '--reason', 'lost bag'])
    expect((await refund()).code).toBe(0)
    const events = await listEvents({ database }, 'order_id', [orderId])
    expect(events.find(({ kind }) => kind === 'refund-ordered')).toMatchObject({
      by: { kind: 'operator' },
      data: { personal: { reason: 'lost bag' } },
    })
    const now = Date.now()
    const lease = async () =>
      (await leaseRefund({ database, random: systemRandom })) ?? { id: 0, lease: '', state: null }
    await planRefund({ database }, await lease(), 'due', now + 2 * hour)
    expect((await refund()).out).toContain(`the refund of ${transaction} is tried again within seconds`)
    const claimed = await lease()
    expect(claimed).toMatchObject({ state: 'due' })
    await planRefund({ database }, claimed, 'asked', now + hour)
    expect(await refund()).toMatchObject({ code: 1, err: expect.stringContaining('is under way already') })
    await database.transaction(() => markRefundDone({ database }, transaction, now))
    expect(await refund()).toMatchObject({ code: 1, err: expect.stringContaining('was returned already') })
  })

  it('only asks the desk where there is one, in the name of a colleague who signed in there lately', async () => {
    const { database } = await openSource(engine)
    const { orderId } = await addStopped(database)
    const transaction = await addPayment(database, orderId)
    const signIn = (subject: string, roles: readonly StaffRole[], ageMs: number) => {
      const by = staffActor({ issuer: 'https://id.example', subject, name: 'Majed', roles })
      const act = { by, kind: 'signed-in', at: Date.now() - ageMs } as const
      return database.transaction(() => recordAct({ database }, act))
    }
    await signIn('majed', ['money', 'lead'], 29 * day)
    await signIn('old', ['money'], 31 * day)
    await signIn('sara', ['support'], 0)
    const act = (verb: string, as?: string) =>
      run(
        database,
        [verb, `OD-${orderId}`, '--reason', 'lost bag', ...(as === undefined ? [] : ['--as', as])],
        { hasDesk: true },
      )
    for (const [as, words] of [
      [undefined, 'say who asks, with --as'],
      ['nobody', 'has not signed in at the desk within 30 days'],
      ['old', 'has not signed in at the desk within 30 days'],
      ['sara', 'has no role that asks for this'],
    ] as const)
      expect(await act('refund', as)).toMatchObject({ code: 1, err: expect.stringContaining(words) })
    expect((await act('refund', 'majed')).out).toContain(
      'once Majed confirms it at the desk and another person',
    )
    expect(await listRefundsOfTransaction({ database }, transaction)).toEqual([])
    expect((await act('refund', 'majed')).err).toContain('Majed was first')
    expect((await act('reissue', 'majed')).out).toContain('unproven')
    await orderRefund(database, transaction)
    await database.tables.updateTable('refunds').set({ refused_at: Date.now() }).execute()
    expect((await act('write-off', 'majed')).out).toContain('unproven')
    expect(await listRefundsOfTransaction({ database }, transaction)).toMatchObject([{ state: 'due' }])
    const asked = await database.tables.selectFrom('approvals').selectAll().orderBy('id').execute()
    const by = { asked_issuer: 'https://id.example', asked_subject: 'majed', asked_by: 'Majed' }
    const unproven = { ...by, state: 'waiting', terminal_user: expect.any(String), confirmed_at: null }
    expect(asked).toMatchObject([
      { act: 'refund', about: transaction, halalas: 5_000, ...unproven },
      { act: 'reissue', halalas: 0, ...unproven },
      { act: 'write-off', about: transaction, ...unproven },
    ])
    expect((await run(database, ['audit'])).out).toMatch(
      /majed \(.+\) +approval-requested +OD-\d+ +nothing +lost bag/,
    )
  })

  it('writes off a refund without a desk, and ends all sessions in an emergency, recorded with the operator', async () => {
    const { database } = await openSource(engine)
    const { orderId } = await addStopped(database)
    const transaction = await addPayment(database, orderId)
    const writeOff = () =>
      run(database, ['write-off', String(orderId), '--as', 'fatima', '--reason', 'paid by hand'])
    expect((await writeOff()).err).toContain('no open refund')
    await orderRefund(database, transaction)
    await database.tables.updateTable('refunds').set({ refused_at: Date.now() }).execute()
    expect((await writeOff()).out).toContain(`the refund of ${transaction} is closed`)
    expect(await listRefundsOfTransaction({ database }, transaction)).toMatchObject([
      { written_off_at: expect.any(Number) },
    ])
    const end = ['end-sessions', '--as', 'fatima', '--reason', 'a key was lost']
    expect((await run(database, end)).err).toBe(
      'End the sessions of all pilgrims and agents? Repeat it with --yes; nothing was changed',
    )
    expect((await run(database, [...end, '--yes'])).out).toBe('0 sessions of pilgrims and agents ended')
    expect((await run(database, end, { hasDesk: true })).err).toContain('has not signed in at the desk')
    const rows = (await listActs({ database }, { limit: 2 })).map(auditRowOf)
    expect(rows.map(({ by, action }) => `${action} by ${by}`)).toEqual([
      expect.stringMatching(/^all-sessions-ended by fatima \(.+\)$/),
      expect.stringMatching(/^refund-written-off by fatima \(.+\)$/),
    ])
  })

  it('ends the sessions that began while the operator thought about the question, too', async () => {
    const { database } = await openSource(engine)
    const now = Date.now()
    await database.tables
      .insertInto('sessions')
      .values({
        token_hash: 'new',
        id: 'new',
        device: 'Chrome',
        role: 'user',
        subject_id: 1,
        created_at: now,
        last_seen_at: now,
        idle_until: now + hour,
        ends_at: now + hour,
      })
      .execute()
    const end = ['end-sessions', '--as', 'fatima', '--reason', 'a key was lost', '--yes']
    expect((await run(database, end, { now: now - hour })).out).toBe(
      '1 sessions of pilgrims and agents ended',
    )
  })

  it('ends the sessions of the desk, releases the work of their people, and stores who did it', async () => {
    const { database } = await openSource(engine)
    const now = Date.now()
    const sara = { issuer: 'https://id.example', subject: 'sara', name: 'Sara' }
    const session = {
      ...sara,
      roles: 'support',
      token_hash: 'one',
      sid: null,
      id_token: 'sealed',
      authenticated_at: now,
      created_at: now,
      last_seen_at: now,
      idle_until: now + hour,
      ends_at: now + hour,
    }
    await database.tables
      .insertInto('desk_sessions')
      .values([session, { ...session, token_hash: 'two', subject: 'majed', name: 'Majed' }])
      .execute()
    await database.tables
      .insertInto('desk_work')
      .values({
        ...sara,
        kind: 'bags',
        reference: '7',
        order_id: null,
        taken_at: now,
        moved_at: now,
        handed_by: null,
        note: null,
      })
      .execute()
    const end = ['end-desk-sessions', '--as', 'fatima', '--reason', 'a laptop was stolen']
    expect((await run(database, end)).err).toContain('Repeat it with --yes')
    expect((await run(database, [...end, '--yes'])).out).toBe('2 sessions of the desk ended')
    expect(await database.tables.selectFrom('desk_sessions').selectAll().execute()).toEqual([])
    expect((await run(database, ['audit'])).out).toMatch(
      /fatima \(.+\) +all-sessions-ended +desk +ended: none → 2 +a laptop was stolen\n.*work-released/,
    )
  })

  it('accepts a shorter list of the partner that is refused, once, and stores it', async () => {
    const { database } = await openSource(engine)
    await storeList({ database }, 'centers', '[1,2,3]', noon)
    const accept = ['accept-list', 'centers', '--reason', 'the courier has closed its branches']
    expect((await run(database, [...accept, '--yes'])).err).toBe(
      'no shorter list of centers is refused, so nothing was changed',
    )
    await recordHalvedList({ database }, 'centers', noon)
    expect((await run(database, accept)).err).toMatch(
      /^3 centers are stored, and .* refused since 2.*Repeat it with --yes/,
    )
    expect((await run(database, [...accept, '--yes', '--by', 'Fatima'])).out).toMatch(
      /^centers: .* accepted .*An empty list takes this back$/,
    )
    // The time is far enough in the past for every gateway.
    expect(await recordHalvedList({ database }, 'centers', noon)).toBe(0)
    expect((await run(database, [...accept, '--yes'])).err).toContain('nothing was changed')
    expect((await run(database, ['audit'])).out).toMatch(
      /Fatima \(.+\) +list-accepted +centers +refused since: 2\S+Z → none +the courier has closed/,
    )
  })

  it('gives an account back to a number that it had, and to no other, and stores it', async () => {
    const { database } = await openSource(engine)
    const [owner, thief, stranger] = [phone, '+966512345670', '+966512345671']
    const user = await ensureUser({ database }, thief, 'Maryam', noon)
    await setEmail({ database }, user.id, 'thief@example.com', 0)
    await database.transaction(() =>
      recordChange({ database }, user.id, { change: 'phone', personal: { phone: owner } }),
    )
    const session = {
      token_hash: 'stolen',
      id: 'stolen',
      device: 'Chrome',
      role: 'user' as const,
      created_at: noon,
      last_seen_at: noon,
      idle_until: noon,
      ends_at: noon,
    }
    const other = await ensureUser({ database }, stranger, 'Other', noon)
    await database.tables
      .insertInto('sessions')
      .values([
        { ...session, subject_id: user.id },
        { ...session, token_hash: 'other', id: 'other', subject_id: other.id },
      ])
      .execute()
    const restore = (former: string, ...more: string[]) =>
      run(database, ['restore-number', thief, former, '--as', 'fatima', '--reason', 'not the owner', ...more])
    expect((await restore(stranger, '--yes')).err).toContain('did not have +966512345671 within 90 days')
    expect((await restore(owner)).err).toContain('Repeat it with --yes')
    const atOnce = ['restore-number', thief, owner, '--as', 'fatima', '--reason', 'not the owner', '--yes']
    expect((await run(database, atOnce, { hasDesk: true })).err).toContain('on the page of the person')
    expect(await findUserByPhone({ database }, thief)).toMatchObject({ id: user.id })

    expect((await restore(owner, '--yes')).out).toContain(
      `belongs to ${owner} again, without an address; 1 session`,
    )
    expect(await findUserByPhone({ database }, owner)).toMatchObject({ id: user.id, email: null })
    expect(await database.tables.selectFrom('sessions').select('id').execute()).toEqual([{ id: 'other' }])
    const { out } = await run(database, ['audit'])
    expect(out).toMatch(
      /fatima \(.+\) +sessions-ended .*phone: \+96651•••670 → \+96651•••678.* not the owner/,
    )
    expect(out).not.toContain(thief)

    await ensureUser({ database }, thief, 'Second', noon)
    const back = ['restore-number', owner, thief, '--as', 'fatima', '--reason', 'a test', '--yes']
    expect((await run(database, back)).err).toContain(`${thief} has another account`)
  })

  it('finds an order by everything that names it, and shows its whole state', async () => {
    const { database } = await openSource(engine)
    const { orderId, id, reference } = await addStopped(database)
    const transaction = await addPayment(database, orderId)
    await run(database, ['reissue', String(orderId), '--reason', 'the courier has none'])
    const now = Date.now()
    await leaseDueBooking({ database }, 'label', Date.now() + 1_000, now + minute)
    await setAwb({ database }, id, 'label', '231200021879')
    const [first = '', ...others] = await Promise.all(
      [`OD-${orderId}`, String(orderId), reference, '231200021879', 'OD1-1', transaction].map(
        async (what) => (await run(database, ['find', what])).out,
      ),
    )
    expect(new Set(others)).toEqual(new Set([first]))
    expect(first).toContain(`OD-${orderId}  PAID  50.00 SAR  FROM_MINA`)
    expect(first).toContain(`user 1: N, ${phone}`)
    expect(first).toContain('collected by or called under: Sara, +966500000008')
    expect(first).toMatch(/attempt OD1-1 +open +50\.00 SAR +provider's order 7000001, next inquiry 2/)
    expect(first).toMatch(
      new RegExp(`transaction ${transaction} +succeeded +50\\.00 SAR +applied, by callback`),
    )
    expect(first).toMatch(new RegExp(`shipment ${reference} +labelling +airway bill 231200021879`))
    expect(first).toMatch(/^ {2}2\S+ {2}operator .+ {2}Airway bill allowed once more/m)
    expect(first).toMatch(/^ {2}2\S+ {2}owner +Order created: from Makkah and Mina$/m)
    expect(first).not.toContain(clientSecret)
    expect(first).not.toMatch(/^(alerts|messages)$/m)

    await lockPhone(database)
    const ofPhone = await run(database, ['find', '0512345678'])
    expect(ofPhone.out).toContain(`${phone}: user 1, N`)
    expect(ofPhone.out).toContain('as user: locked, 20 wrong codes in a row')
    expect(ofPhone.out).toContain(`OD-${orderId}  PAID`)
    expect(await run(database, ['find', 'OD-77'])).toMatchObject({
      code: 1,
      err: 'nothing in this database is known as OD-77',
    })
  })

  it('lists refunds that are not done after six hours', async () => {
    const { database } = await openSource(engine)
    const { orderId } = await addStopped(database)
    const transaction = await addPayment(database, orderId)
    await orderRefund(database, transaction, Date.now() - 7 * hour)
    const { out } = await run(database, ['stuck'])
    expect(out).toMatch(new RegExp(`^OD-${orderId} +${transaction} +operator +due +50\\.00 SAR +2`, 'm'))
  })

  it('lists messages that were not sent, and sends those of an order again', async () => {
    const { database } = await openSource(engine)
    const { orderId } = await addStopped(database)
    expect((await run(database, ['messages'])).out).toBe('no message waits, failed or was dropped')
    const hourAgo = Date.now() - hour
    const message = { user_id: 1, order_id: orderId }
    for (const [age, kind] of (['paid', 'refunded', 'cancelled'] as const).entries())
      await addMessage(database, { ...message, kind, created_at: hourAgo + age, due_at: hourAgo + age })
    const { id = 0 } = (await leaseMessage({ database }, 'lease', Date.now() + 1_000, hourAgo)) ?? {}
    await writeMessage({ database }, { id, lease: 'lease' }, { phone, body: 'Paid.' })
    await endMessage({ database }, { id, lease: 'lease' }, 'failed', 'phone 21211', hourAgo)
    const { id: other = 0 } = (await leaseMessage({ database }, 'lease', Date.now() + 1_000, hourAgo)) ?? {}
    await releaseMessage({ database }, { id: other, lease: 'lease' }, Date.now() + hour)

    const { out } = await run(database, ['messages'])
    const [header = '', ...rows] = out.split('\n').map((line) => line.split(/ {2,}/))
    expect(header).toEqual(['order', 'about', 'state', 'why', 'since', 'next try'])
    expect(rows.map((row) => row.slice(0, 4))).toEqual([
      [`OD-${orderId}`, 'refunded', 'waiting', '-'],
      [`OD-${orderId}`, 'cancelled', 'waiting', '-'],
      [`OD-${orderId}`, 'paid', 'failed', 'phone 21211'],
    ])
    expect(out).not.toContain(phone)

    const resent = await run(database, ['resend', `OD-${orderId}`, '--by', 'Fatima', '--reason', 'new phone'])
    expect(resent.out.split('\n')).toEqual([
      `OD-${orderId}: the message paid is sent again within seconds`,
      `OD-${orderId}: the message refunded is tried again within seconds`,
    ])
    const again = (await listMessagesOfOrder({ database }, orderId)).at(-1)
    expect(again).toMatchObject({ kind: 'paid', state: 'waiting', body: '', sends: 0 })
    expect(await findMessage({ database }, id)).toMatchObject({ state: 'failed', body: 'Paid.' })
    expect((await findMessage({ database }, other))?.due_at).toBeLessThanOrEqual(Date.now())
    expect((await run(database, ['audit'])).out).toMatch(
      new RegExp(
        `Fatima .* message-asked +OD-${orderId} +message ${id}, paid: failed → sent again; .* new phone$`,
        'm',
      ),
    )
    expect(await run(database, ['resend', String(orderId)])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing was changed'),
    })
    expect(await run(database, ['resend'])).toMatchObject({ code: 1, err: expect.stringContaining('OD-42') })
  })

  it('deletes what is kept no longer, and stores what', async () => {
    const { database, env } = await openSource(engine)
    const now = Date.now()
    const old = { issuer: 'i', subject: 's', key: 'a', body_hash: 'h', answer: '{}', at: now - 31 * day }
    await database.tables
      .insertInto('desk_acts')
      .values([old, { ...old, key: 'b', at: now - 29 * day }])
      .execute()
    await database.tables
      .insertInto('sessions')
      .values({
        token_hash: 'old',
        id: 'old',
        device: 'Chrome',
        role: 'user',
        subject_id: 1,
        created_at: 1,
        last_seen_at: 1,
        idle_until: 2,
        ends_at: 2,
      })
      .execute()
    const { code, out, err } = await call(env, ['prune', '--by', 'Fatima'])
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').slice(1).sort()).toEqual(['acts.deleted  1', 'sessions.expired-deleted  1'])
    const audit = (await run(database, ['audit'])).out
    expect(audit).toContain('acts.deleted: none → 1')
    expect((await call(env, ['prune'])).out).toContain('nothing was due to be deleted')
  })

  it('checks the sequence of receipts, and fails with the missing numbers', async () => {
    const { database } = await openSource(engine)
    const { orderId } = await addStopped(database)
    for (const returned of [0, 1_000, 2_000]) {
      const number = await database.transaction(() =>
        addReceipt(
          { database },
          newReceipt(orderId, { transaction_id: '9000001', returned_halalas: returned, issued_at: 1 }),
        ),
      )
      if (returned < 2_000) await writeReceiptDocument({ database }, number, '{}')
    }
    const sound = await run(database, ['receipts'])
    expect(sound).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        '3 receipts, the last number is 3: none missing\n1 of them numbered, and not written yet',
      ),
    })
    await database.tables.deleteFrom('receipts').where('number', '=', 2).execute()
    expect(await run(database, ['receipts'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('missing: 2'),
    })
  })
})

it('reads the .env of the gateway', async () => {
  const { database, dataDir } = await openSource('sqlite')
  const { orderId } = await addStopped(database)
  const folder = freshFolder()
  for (const name of ['scripts', 'server', 'shared', 'pdf', 'node_modules', 'package.json'])
    await symlink(join(root, name), join(folder, name))
  await writeFile(join(folder, '.env'), `DATA_DIR=${dataDir}\n`)
  const { code, out } = await runScript('ops', ['stuck'], {}, folder)
  expect(code).toBe(0)
  expect(out).toContain(`SQLite ${dataDir}`)
  expect(out).toContain(`OD-${orderId}`)
})

it.each(
  [
    [],
    ['other'],
    ['toString'],
    ['stuck', '1'],
    ['receipts', '1'],
    ['reissue'],
    ['reissue', 'OD-x'],
    ['reissue', '1', '2'],
    ['find'],
    ['refund', '1'],
    ['write-off', '1'],
    ['write-off', '1', '2', '3', '--reason', 'why'],
    ['end-sessions', '--as', 'fatima'],
    ['end-sessions', '--reason', 'why'],
    ['end-desk-sessions', '--reason', 'why'],
    ['accept-list', 'cities', '--reason', 'why'],
    ['accept-list', 'centers'],
    ['restore-number', phone, '--as', 'fatima', '--reason', 'why'],
    ['restore-number', phone, '+966512345670', '--as', 'fatima'],
    ['restore-number', phone, phone, '--as', 'fatima', '--reason', 'why'],
    ['audit', 'OD-x'],
    ['unlock', 'no phone'],
    ['open-agent', '+966500000101', '123456'],
    ['open-agent', '+966500000101', '12345', '--reason', 'x'],
    ['prune', '1'],
    ['seen', '1', '--by', ''],
    ['seen', '1', '--reason', 'x'.repeat(301)],
  ].map((args) => ({ args })),
)('refuses $args before a database is opened', ({ args }) => {
  expect(() => readVerb(args)).toThrow(UsageError)
})

it('lists every verb in one line each for an unknown one', async () => {
  const { code, err } = await call({}, ['fnd', 'OD-1'])
  expect(code).toBe(1)
  const [fault, , ...lines] = err.split('\n')
  expect(fault).toBe('there is no verb fnd')
  const helps = lines.filter((line) => line.startsWith('  '))
  const names = helps.map((line) => line.trim().split(' ')[0])
  expect(names).toEqual(expect.arrayContaining(['find', 'end-sessions', 'sell', 'check-partners', 'adopt']))
  expect(new Set(names).size).toBe(helps.length)
  for (const line of helps) expect(line).toMatch(/^ {2}\S.{37} \S.{0,120}$/)
})

it.each([
  ['yes', undefined],
  ['no', 'the answer was not yes, so nothing was changed'],
  ['', 'the answer was not yes, so nothing was changed'],
])('asks at a terminal, and takes the answer "%s"', async (answer, refusal) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const asked = confirmAt({ stdin, stdout: new PassThrough() }, 'End all sessions?').catch(
    (error: Error) => error.message,
  )
  stdin.write(`${answer}\n`)
  expect(await asked).toBe(refusal)
})

it('prints its usage, and the database it opened', async () => {
  const folder = freshFolder()
  expect(await call({ DATA_DIR: folder }, ['reissue', 'OD-x'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^name one order, such as OD-42\nusage: npm run ops/),
  })
  expect(await call({ DATA_DIR: folder }, ['stuck'])).toMatchObject({
    code: 1,
    out: '',
    err: `SQLite ${folder}/amtiati.sqlite: it does not exist. Set DATA_DIR or DATABASE_URL.`,
  })
})

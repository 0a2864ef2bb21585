import { type Kysely, sql } from 'kysely'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { noon } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openPatientPostgres } from '#test/kit/database/open-postgres.ts'
import type { Database } from './database.ts'

/** Columns of rows about orders that no reader sees: they never change, or belong to the work on the row. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  orders: [],
  bookings: [
    ...[
      'id',
      'order_id',
      'leg',
      'reference',
      'uncertain_until',
      'creations',
      'creations_allowed',
      'stopped_at',
    ],
    ...['due_at', 'lease', 'leased_until', 'tries', 'last_error', 'issued_at'],
    'requested_at',
  ],
  refunds: [
    ...['id', 'transaction_id', 'created_at', 'asked_at', 'refused_at', 'done_at', 'written_off_at'],
    ...['due_at', 'lease', 'leased_until', 'tries', 'last_error'],
  ],
  order_shares: [],
}

forEachEngine((engine, open) => {
  let database: Database
  /** Received notices, oldest first, as `channel what`; `gap` when some may be missing. */
  let heard: string[]
  let orderId: number
  let beaconId: number
  let refundId: number
  let closing: () => Promise<void>

  // biome-ignore lint/suspicious/noExplicitAny: tables by their names
  const tables = () => database.tables as unknown as Kysely<any>
  const add = async (table: string, row: object) =>
    Number((await tables().insertInto(table).values(row).returning('id').executeTakeFirstOrThrow()).id)

  beforeEach(async () => {
    database = await open()
    heard = []
    const user_id = await add('users', { phone: `+9665${crypto.randomUUID()}`, name: 'N', created_at: noon })
    const order = {
      user_id,
      type: 'FROM_MINA',
      payment: 'paid',
      amount_halalas: 1,
      currency: 'SAR',
      agent_code: 'A',
      center_code: 'C',
      created_at: noon,
    }
    orderId = await add('orders', order)
    beaconId = await add('orders', order)
    const booking_id = await add('bookings', {
      order_id: orderId,
      leg: 0,
      reference: crypto.randomUUID(),
      origin: '{}',
      destination: '{}',
      state: 'none',
    })
    const attempt_id = await add('payment_attempts', {
      order_id: orderId,
      reference: crypto.randomUUID(),
      state: 'open',
      amount_halalas: 1,
      currency: 'SAR',
      created_at: noon,
      secret_until: noon,
      inquired_at: noon,
    })
    const money = { attempt_id, amount_halalas: 1, currency: 'SAR', reason: 'operator', state: 'due' }
    closing = database.listen({
      onNotice: ({ channel, what }) => void heard.push(`${channel} ${what}`),
      onGap: () => void heard.push('gap'),
    })
    if (engine === 'postgres') await eventually(() => (heard.shift() === 'gap' ? true : undefined))
    await expectNotice(async () => {
      refundId = await add('refunds', { ...money, transaction_id: crypto.randomUUID(), created_at: noon })
    })
    await expectNotice(() =>
      add('events', {
        order_id: orderId,
        booking_id,
        kind: 'scan',
        at: noon,
        recorded_at: noon,
        actor_kind: 'courier',
        data: '{}',
      }),
    )
    await tables()
      .insertInto('order_shares')
      .values({ order_id: orderId, token_hash: crypto.randomUUID(), created_at: noon })
      .execute()
    return () => closing()
  })
  /** Notices of `work` only. */
  async function noticesOf(work: () => Promise<unknown>): Promise<string[]> {
    await work()
    await tables().updateTable('orders').set({ agent_code: 'A' }).where('id', '=', beaconId).execute()
    const beacon = `amtiati_orders ${beaconId}`
    await eventually(() => (heard.includes(beacon) ? true : undefined), { everyMs: 1 })
    return heard.splice(0).filter((each) => each !== beacon)
  }

  async function expectNotice(work: () => Promise<unknown>): Promise<void> {
    expect(await noticesOf(work)).toEqual([`amtiati_orders ${orderId}`])
  }

  it('sends a notice for every column that readers of an order see, and for no other', async () => {
    const silent: Record<string, string[]> = {}
    const known = await database.tables.introspection.getTables()
    for (const table of Object.keys(unseen)) {
      silent[table] = []
      const own = { orders: orderId, refunds: refundId }[table]
      const key = own === undefined ? 'order_id' : 'id'
      for (const { name } of known.find((each) => each.name === table)?.columns ?? []) {
        const same = { [name]: sql.ref(name) }
        const all = await noticesOf(() =>
          tables()
            .updateTable(table)
            .set(same)
            .where(key, '=', own ?? orderId)
            .execute(),
        )
        const told = all.filter((each) => !each.startsWith('amtiati_desk '))
        if (told.length === 0) silent[table].push(name)
        else expect(told, `${table}.${name}`).toEqual([`amtiati_orders ${orderId}`])
      }
    }
    const sorted = (lists: typeof unseen) =>
      Object.fromEntries(Object.entries(lists).map(([table, columns]) => [table, columns.toSorted()]))
    expect(sorted(silent)).toEqual(sorted(unseen))
  })

  it('notifies the desk of changes of its lists, or of the page of an order alone, and of nothing else', async () => {
    const set = (table: string, change: object) => tables().updateTable(table).set(change).execute()
    const first = (table: string) => tables().selectFrom(table).selectAll().executeTakeFirstOrThrow()
    const desk = async (work: () => Promise<unknown>) =>
      (await noticesOf(work)).map((each) =>
        each.replace(`amtiati_desk ${orderId}`, 'desk').replace(`amtiati_desk_order ${orderId}`, 'order'),
      )
    const { user_id } = await first('orders')
    const { id: booking_id } = await first('bookings')
    const { id: attempt_id } = await first('payment_attempts')
    const row = { kind: 'bags', reference: '1', order_id: orderId, issuer: 'i', subject: 's', name: 'n' }
    const event = {
      kind: 'succeeded',
      source: 'callback',
      amount_halalas: 1,
      currency: 'SAR',
      body: '{}',
      received_at: noon,
    }
    const approval = {
      order_id: orderId,
      act: 'refund',
      about: '',
      halalas: 1,
      facts: '',
      reason: '',
      state: 'waiting',
      asked_at: noon,
      asked_issuer: 'i',
      asked_subject: 's',
      asked_by: 'n',
      expires_at: noon,
    }
    const act = { kind: 'note', at: noon, recorded_at: noon, actor_kind: 'staff', data: '{}' }
    const session = {
      token_hash: 'desk-hash',
      issuer: 'i',
      subject: 's',
      name: 'n',
      roles: 'lead',
      id_token: '',
      authenticated_at: noon,
      created_at: noon,
      last_seen_at: noon,
      idle_until: noon,
      ends_at: noon,
    }
    const times = { taken_at: noon, moved_at: noon }
    const insert = (table: string, values: object) => tables().insertInto(table).values(values).execute()
    const works: [() => Promise<unknown>, string[]][] = [
      [() => insert('desk_work', { ...row, ...times }), ['desk']],
      [() => set('desk_work', { moved_at: noon }), ['desk']],
      [() => tables().deleteFrom('desk_work').execute(), ['desk']],
      [
        () =>
          add('claims', {
            user_id,
            order_id: orderId,
            booking_id,
            kind: 'other',
            state: 'OPEN',
            body_hash: '',
            opened_at: noon,
            touched_at: noon,
            answer_by: noon,
          }),
        ['desk'],
      ],
      [() => set('claims', { state: 'ANSWERED' }), ['desk']],
      [() => set('claims', { touched_at: noon }), ['desk']],
      [() => set('claims', { late_since: noon }), ['desk']],
      [() => set('claims', { lease: 'x' }), []],
      [() => set('bookings', { stopped_at: noon }), ['desk']],
      [() => set('bookings', { due_at: noon }), []],
      [
        () =>
          add('scan_alerts', {
            booking_id,
            event_key: 'k',
            kind: 'missing',
            code: 'X',
            at: noon,
            noticed_at: noon,
          }),
        ['desk'],
      ],
      [() => set('scan_alerts', { closed_at: noon }), ['desk']],
      [
        () =>
          add('messages', {
            user_id,
            order_id: orderId,
            booking_id,
            event_id: 1,
            reported_event_id: 1,
            recipient: 'owner',
            channel: 'sms',
            kind: 'paid',
            phone: '',
            body: '',
            state: 'waiting',
            created_at: noon,
          }),
        [],
      ],
      [() => set('messages', { state: 'failed' }), ['desk']],
      [() => set('messages', { state: 'delivered' }), []],
      [() => add('payment_events', { ...event, transaction_id: '1', attempt_id, outcome: 'applied' }), []],
      [
        () => add('payment_events', { ...event, transaction_id: '2', outcome: 'unknown-order' }),
        ['amtiati_desk 0'],
      ],
      [() => tables().deleteFrom('payment_events').where('transaction_id', '=', '2').execute(), []],
      [() => set('payment_events', { seen_at: noon }), ['desk']],
      [() => add('payment_findings', { attempt_id, amount_halalas: 1, noticed_at: noon }), ['desk']],
      [() => set('payment_findings', { closed_at: noon }), ['desk']],
      [() => tables().deleteFrom('payment_findings').execute(), ['desk']],
      [() => add('approvals', approval), ['desk']],
      [() => set('approvals', { state: 'approved' }), ['desk']],
      [() => set('approvals', { decision: 'as asked' }), []],
      [
        () =>
          insert('tracked_bookings', {
            booking_id,
            awb: '1',
            due_at: noon,
            tracked_until: noon,
            silent_polls: 0,
          }),
        [],
      ],
      [() => set('tracked_bookings', { checked_at: noon }), ['desk']],
      [() => set('tracked_bookings', { due_at: noon }), []],
      [() => add('events', { ...act, order_id: orderId }), ['order']],
      [() => add('events', act), []],
      [() => add('events', { ...act, actor_kind: 'owner', order_id: orderId }), []],
      [() => insert('desk_sessions', session), []],
      [() => tables().deleteFrom('desk_sessions').execute(), ['amtiati_sessions desk-hash']],
    ]
    for (const [work, told] of works) expect(await desk(work), String(work)).toEqual(told)
  })

  it('sends one notice for a transaction, and none for one that is rolled back', async () => {
    const change = async () => {
      for (const table of ['bookings', 'bookings', 'order_shares'])
        await tables()
          .updateTable(table)
          .set(table === 'bookings' ? { awb: '2312' } : { created_at: noon })
          .where('order_id', '=', orderId)
          .execute()
    }
    await expectNotice(() => database.transaction(change))
    const undone = async () => {
      await change()
      throw new Error('undone')
    }
    expect(await noticesOf(() => database.transaction(undone).catch(() => undefined))).toEqual([])
  })

  it('tells that a link or a session has ended', async () => {
    await expectNotice(() => tables().deleteFrom('order_shares').where('order_id', '=', orderId).execute())
    const session = { id: crypto.randomUUID(), token_hash: 'hash', role: 'user', subject_id: 1, device: '' }
    const times = { created_at: noon, last_seen_at: noon, idle_until: noon, ends_at: noon }
    await tables()
      .insertInto('sessions')
      .values({ ...session, ...times })
      .execute()
    const end = () => tables().deleteFrom('sessions').where('token_hash', '=', 'hash').execute()
    expect(await noticesOf(end)).toEqual(['amtiati_sessions hash'])
  })
})

it('on PostgreSQL a connection that breaks is replaced, and said to have missed something', async () => {
  const errors: string[] = []
  const parts = openPatientPostgres(await freshPostgresUrl('migrated'), ({ message }) => errors.push(message))
  const heard: string[] = []
  const end = parts.listen({
    onNotice: ({ what }) => void heard.push(what),
    onGap: () => void heard.push('gap'),
  })
  onTestFinished(async () => {
    await end()
    await parts.kysely.destroy()
  })
  const run = (text: string) => sql.raw(text).execute(parts.kysely)
  await eventually(() => (heard.length === 1 ? true : undefined))
  await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN %'`)
  await eventually(() => (heard.length === 2 ? true : undefined))
  await run("SELECT pg_notify('amtiati_orders', '7')")
  await eventually(() => (heard.length === 3 ? true : undefined))
  expect(heard).toEqual(['gap', 'gap', '7'])
  expect(errors).toEqual(['terminating connection due to administrator command'])
})

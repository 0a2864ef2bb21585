import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { deleteAccount } from '#server/features/account/account.ts'
import { eventKinds } from '#server/features/history/history.kinds.ts'
import { tablesInOrder } from '#server/platform/database/schema.ts'
import { day, manualClock } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'

const now = Date.UTC(2027, 0, 1)
const phone = '+966512344678'
const staff = { issuer: 'https://id.example', subject: 's-1', name: 'Sara' }
const work = { due_at: null, lease: null, leased_until: 0 }
const otp = { role: 'user', phone }
const money = { amount_halalas: 5_000, currency: 'SAR' }
const ofBag = { order_id: 1, booking_id: 1 }

/**
 * A row of each table about an account, an order or a bag, parents first. Other text columns get a mark, as if a
 * person had written it.
 */
const rows: readonly (readonly [table: string, row: object])[] = [
  ['users', { id: 1, phone, created_at: now }],
  ['number_changes', { user_id: 1, state: 'taken', approved_at: now, takes_from: now, ends_at: now + day }],
  ['email_stops', { token_hash: 'h', user_id: 1, expires_at: now + day }],
  [
    'sessions',
    {
      token_hash: 't',
      id: 's',
      role: 'user',
      subject_id: 1,
      created_at: now,
      last_seen_at: now,
      idle_until: now + day,
      ends_at: now + day,
    },
  ],
  ['confirmations', { session_hash: 't', purpose: 'export', asked_at: now }],
  [
    'otp_challenges',
    {
      ...otp,
      id: 'c',
      browser_hash: 'h',
      state: 'sent',
      channel: 'sms',
      delivery: 'delivered',
      send_id: 1,
      checks: 0,
      sent_at: now,
      expires_at: now + day,
    },
  ],
  ['otp_counters', { ...otp, touched_at: now }],
  ['otp_events', { ...otp, kind: 'send', at: now, trust: 'open', outcome: 'answered', channel: 'sms' }],
  ['otp_devices', { ...otp, token_hash: 'h', created_at: now, used_at: now }],
  [
    'orders',
    {
      ...money,
      id: 1,
      user_id: 1,
      type: 'FROM_MINA',
      payment: 'paid',
      ended: null,
      handed_over: 'all',
      agent_code: 'A01',
      center_code: '1',
      transaction_id: 'T1',
      created_at: now,
      paid_at: now,
      terms_version: null,
      terms_language: null,
    },
  ],
  [
    'bookings',
    {
      ...work,
      id: 1,
      order_id: 1,
      leg: 0,
      reference: 'AM-1',
      origin: '{}',
      destination: '{}',
      awb: '231200021879',
      state: 'issued',
      carriage: 'collected',
    },
  ],
  ['labels', { booking_id: 1, pdf: new Uint8Array([1]), stored_at: now }],
  ...eventKinds.map(
    (kind) =>
      [
        'events',
        {
          ...(kind.startsWith('account-') ? { user_id: 1 } : ofBag),
          kind,
          key: null,
          at: now,
          recorded_at: now,
          actor_kind: 'agent',
          actor_issuer: null,
          actor_subject: null,
          actor_roles: null,
          data: JSON.stringify({ personal: { text: `~events.data ${kind}~` } }),
        },
      ] as const,
  ),
  [
    'handover_scans',
    {
      agent_code: 'A01',
      key: 'k',
      body_hash: 'h',
      booking_id: 1,
      outcome: 'received',
      at: now,
      recorded_at: now,
    },
  ],
  [
    'tracked_bookings',
    { ...work, booking_id: 1, awb: '231200021879', tracked_until: now, silent_polls: 0, seen: 'h' },
  ],
  ['scan_alerts', { booking_id: 1, event_key: 'h', kind: 'damaged', at: now, noticed_at: now }],
  ['idempotency_keys', { user_id: 1, order_id: 1, created_at: now }],
  [
    'payment_attempts',
    {
      ...work,
      ...money,
      id: 1,
      order_id: 1,
      reference: 'P1',
      intention_id: 'I1',
      state: 'succeeded',
      created_at: now,
      secret_until: now,
      inquired_at: now,
    },
  ],
  [
    'payment_events',
    {
      ...money,
      transaction_id: 'T1',
      kind: 'succeeded',
      attempt_id: 1,
      source: 'callback',
      outcome: 'applied',
      received_at: now,
    },
  ],
  [
    'refunds',
    {
      ...work,
      ...money,
      transaction_id: 'T1',
      attempt_id: 1,
      reason: 'operator',
      state: 'done',
      created_at: now,
      done_at: now,
    },
  ],
  [
    'receipts',
    {
      number: 1,
      kind: 'receipt',
      order_id: 1,
      transaction_id: 'T1',
      amount_halalas: 5_000,
      returned_halalas: 0,
      issued_at: now,
      uuid: 'u',
    },
  ],
  [
    'claims',
    {
      ...work,
      ...ofBag,
      id: 1,
      user_id: 1,
      kind: 'late',
      state: 'ANSWERED',
      outcome: null,
      opened_at: now,
      touched_at: now,
      answer_by: now,
    },
  ],
  ['compensations', { event_id: 1, claim_id: 1, halalas: 100 }],
  [
    'handover_photos',
    { booking_id: 1, taken_at: now, stored_at: now, delete_at: now, jpeg: new Uint8Array([1]) },
  ],
  ['claim_photos', { claim_id: 1, number: 1, jpeg: new Uint8Array([1]), stored_at: now }],
  [
    'messages',
    {
      ...work,
      user_id: 1,
      order_id: 1,
      event_id: 1,
      reported_event_id: 1,
      recipient: 'owner',
      channel: 'sms',
      kind: 'paid',
      state: 'delivered',
      push: null,
      created_at: now,
    },
  ],
  ['push_subscriptions', { user_id: 1, session_hash: 't', created_at: now }],
  ['order_shares', { order_id: 1, token_hash: 'h', created_at: now }],
  ['desk_work', { kind: 'labels', reference: '1', order_id: 1, ...staff, taken_at: now, moved_at: now }],
  [
    'approvals',
    {
      order_id: 1,
      act: 'refund',
      about: 'T1',
      halalas: 5_000,
      facts: '{}',
      state: 'approved',
      asked_at: now,
      asked_issuer: staff.issuer,
      asked_subject: staff.subject,
      asked_by: staff.name,
      asked_roles: null,
      terminal_user: null,
      expires_at: now,
      decided_at: now,
      decided_issuer: staff.issuer,
      decided_subject: 's-2',
      decided_by: 'Huda',
      decided_roles: null,
    },
  ],
]

/** Tables of partners, agents, staff and of the program. */
const ofNoAccount =
  `partner_lists terms agents agent_alerts agent_pairings scan_texts message_restores receipt_counters
  receipt_gaps payment_findings desk_sessions desk_logouts paused_workers stops desk_acts readings installation`.split(
    /\s+/,
  )

/** Rows that stay, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'receipts.document': 'tax law: six years',
  'receipts.reason': 'tax law: six years',
  'payment_events.body': 'details of a payment, which may be disputed: 540 days',
  'otp_events.phone': 'records of codes, which limits count: a day',
  'otp_events.prefix': 'records of codes, which limits count: a day',
  'otp_events.country': 'records of codes, which limits count: a day',
  'otp_events.address': 'records of codes, which limits count: a day',
  'desk_work.note': 'what a colleague wrote who handed the row on: until a day after it',
  'desk_work.handed_by': 'the name of that colleague',
}

forEachEngine((_, open) => {
  it('nothing that a person typed stays once the account is deleted, in any table', async () => {
    const clock = manualClock(now)
    const database = await open(clock)
    const core = await openCore({ database, clock })
    // biome-ignore lint/suspicious/noExplicitAny: tables are named by values
    const tables: Kysely<any> = database.tables
    const known = (await database.tables.introspection.getTables()).filter(
      ({ name }) => name in tablesInOrder,
    )
    const textsOf = (table: string) =>
      (known.find(({ name }) => name === table)?.columns ?? [])
        .filter(({ dataType }) => /text/i.test(dataType))
        .map(({ name }) => name)
    for (const [table, row] of rows.filter(([name]) => name in tablesInOrder)) {
      const marks = textsOf(table).map((column) => [column, `~${table}.${column}~`])
      await tables
        .insertInto(table)
        .values({ ...Object.fromEntries(marks), ...row })
        .execute()
    }
    const typed = async () => {
      const found = new Set<string>()
      for (const { name } of known)
        for (const row of await tables.selectFrom(name).selectAll().execute())
          for (const column of textsOf(name)) {
            const text = String(row[column])
            for (const [, mark = ''] of text.matchAll(/~([^~]+)~/g)) found.add(mark)
            if (text.includes(phone)) found.add(`${name}.${column}`)
          }
      return found
    }
    const before = await typed()
    expect([before.has('users.name'), before.has('users.phone'), before.has('events.actor_name')]).toEqual([
      true,
      true,
      true,
    ])
    await deleteAccount(core, 1, { forfeits: true })
    expect([...(await typed())].sort()).toEqual(Object.keys(exceptions).sort())
  })

  it('every table is searched, or belongs to no account', () => {
    const filled = rows.map(([table]) => table)
    expect(
      Object.keys(tablesInOrder).filter((table) => !filled.includes(table) && !ofNoAccount.includes(table)),
    ).toEqual([])
  })
})

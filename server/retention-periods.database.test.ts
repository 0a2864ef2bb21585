import { beforeEach, describe, expect, it } from 'vitest'
import { type Core, createCore } from '#server/core.ts'
import { photoEndOf } from '#server/features/orders/handovers.rules.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Schema } from '#server/platform/database/schema.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { createRetention } from '#server/platform/retention.ts'
import { receiptRetention, retentionDays } from '#shared/platform/retention.ts'
import { day, hour, type ManualClock, manualClock, minute } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { quietConfig } from '#test/kit/gateway/quiet-gateway.ts'
import { readRepoFile } from '#test/kit/repo/repo-files.ts'
import { registerFeatures } from './app.ts'

/** The first moment of a month: PostgreSQL drops the labels of a month with its first moment. */
const start = Date.UTC(2027, 0, 1)

const user = { id: 1, name: 'Maryam', phone: '+966512344678', created_at: start }
const order = {
  id: 1,
  user_id: user.id,
  type: 'FROM_MINA',
  payment: 'paid',
  amount_halalas: 5_000,
  currency: 'SAR',
  agent_code: 'A01',
  center_code: '1',
  created_at: start,
  paid_at: start,
}
const booking = {
  id: 1,
  order_id: order.id,
  leg: 0,
  reference: 'AM-1',
  origin: '{}',
  destination: '{}',
  state: 'issued',
}
const otherBag = { ...booking, id: 2, leg: 1, reference: 'AM-2' }
const attempt = {
  id: 1,
  order_id: order.id,
  reference: 'P-1',
  amount_halalas: 5_000,
  currency: 'SAR',
  state: 'succeeded',
  created_at: start,
  secret_until: start,
  inquired_at: start,
}
const session = {
  id: 's',
  role: 'user',
  subject_id: user.id,
  device: '',
  created_at: start,
  last_seen_at: start,
}
const staff = { issuer: 'https://id.example', subject: 's-1', name: 'Sara' }
const phone = { role: 'user', phone: user.phone }
const challenge = { browser_hash: 'b', send_id: 1, state: 'sent', checks: 0, sent_at: start }
const pairing = { phone: '+966500000101', pairing: '123456', address: '10.0.0.0', shown_at: start }
const alert = { phone: '+966500000101', partner_agent_id: 'A01', name: 'A', wrong_codes: 5, sends: 5 }
const message = {
  user_id: user.id,
  order_id: order.id,
  booking_id: 0,
  event_id: 1,
  reported_event_id: 1,
  recipient: 'owner',
  channel: 'sms',
  kind: 'paid',
  state: 'delivered',
}
const approval = {
  order_id: order.id,
  act: 'refund',
  about: 'T1',
  halalas: 5_000,
  payload: '{"phone":"+966512344678"}',
  facts: '{}',
  reason: 'lost bag',
  state: 'waiting',
  asked_at: start,
  asked_issuer: staff.issuer,
  asked_subject: staff.subject,
  asked_by: staff.name,
  expires_at: start + 72 * hour,
}
const claim = {
  id: 1,
  user_id: user.id,
  order_id: order.id,
  booking_id: booking.id,
  kind: 'late',
  state: 'CLOSED',
  body_hash: 'h',
  opened_at: start,
  touched_at: start,
  answer_by: start,
}

/** Columns of an event of the order. */
const happened = { order_id: order.id, at: start, recorded_at: start }

/** One kind of data, as a row that is written at `start`, or that ends then. */
interface Kind {
  /** The entry of `core.retention` that deletes it. */
  readonly event: string
  readonly keptMs: number
  /** The row of "What is deleted, and when" in docs/operate.md: its beginning, and the text about the time. */
  readonly document: readonly [data: string, deleted: string]
  /** Its period of `retentionDays`, which the privacy page states. */
  readonly page?: keyof typeof retentionDays
  readonly table: keyof Schema
  readonly row: Readonly<Record<string, unknown>>
}

/** Parents before children. */
const kinds: readonly Kind[] = [
  {
    event: 'orders.receivers-deleted',
    keptMs: 400 * day,
    document: ['whom owners named', '400 days after the order'],
    page: 'labels',
    table: 'bookings',
    row: { ...booking, receiver: 'Huda', receiver_name: 'Huda', receiver_phone: '+966512340000' },
  },
  {
    event: 'orders.labels-deleted',
    keptMs: 400 * day,
    document: ['files of airway bills', '400 days after their creation'],
    page: 'labels',
    table: 'labels',
    row: { booking_id: booking.id, pdf: new Uint8Array([1]), stored_at: start },
  },
  {
    event: 'orders.photos-deleted',
    keptMs: 180 * day,
    document: ['pictures of hand-overs', '180 days after the collection'],
    page: 'handoverPhotos',
    table: 'handover_photos',
    row: {
      booking_id: booking.id,
      taken_at: start,
      stored_at: start,
      delete_at: photoEndOf(0, start),
      jpeg: new Uint8Array([1]),
    },
  },
  {
    event: 'orders.photos-deleted',
    keptMs: 400 * day,
    document: ['pictures of hand-overs', '400 days after the upload'],
    page: 'uncollectedPhotos',
    table: 'handover_photos',
    row: {
      booking_id: otherBag.id,
      taken_at: start,
      stored_at: start,
      delete_at: photoEndOf(start, undefined),
      jpeg: new Uint8Array([1]),
    },
  },
  {
    event: 'orders.scans-deleted',
    keptMs: 400 * day,
    document: ['scans of agents', '400 days after the scan'],
    page: 'labels',
    table: 'handover_scans',
    row: {
      agent_code: 'A01',
      key: 'k',
      body_hash: 'h',
      booking_id: booking.id,
      outcome: 'received',
      at: start,
      recorded_at: start,
    },
  },
  {
    event: 'orders.refusal-texts-deleted',
    keptMs: 400 * day,
    document: ['words of agents', '400 days after it'],
    page: 'labels',
    table: 'events',
    row: {
      order_id: order.id,
      booking_id: booking.id,
      kind: 'not-accepted',
      at: start,
      recorded_at: start,
      actor_kind: 'agent',
      data: JSON.stringify({ reason: 'other', personal: { text: 'It is open.' } }),
    },
  },
  {
    event: 'orders.refusal-texts-deleted',
    keptMs: 400 * day,
    document: ['why the courier issued no airway bill', '400 days after it'],
    page: 'labels',
    table: 'events',
    row: {
      ...happened,
      booking_id: booking.id,
      kind: 'label-refused',
      actor_kind: 'courier',
      data: JSON.stringify({ personal: { reason: 'Maryam is unknown.' } }),
    },
  },
  {
    event: 'orders.keys-deleted',
    keptMs: 30 * day,
    document: ['keys of repeated booking calls', '30 days after use'],
    table: 'idempotency_keys',
    row: { user_id: user.id, key: 'k', body_hash: 'h', order_id: order.id, created_at: start },
  },
  {
    event: 'shares.deleted',
    keptMs: 400 * day,
    document: ['links to shared journeys', '400 days after they were made'],
    table: 'order_shares',
    row: { order_id: order.id, token_hash: 't', created_at: start },
  },
  {
    event: 'payments.unpaid-orders-deleted',
    keptMs: 90 * day,
    document: ['expired and cancelled orders', '90 days after their creation'],
    page: 'unpaidOrders',
    table: 'orders',
    row: { ...order, id: 2, payment: 'unpaid', ended: 'expired', ended_at: order.created_at, paid_at: null },
  },
  {
    event: 'payments.details-deleted',
    keptMs: 540 * day,
    document: ['details of a payment', '540 days after they arrived'],
    page: 'paymentDetails',
    table: 'payment_events',
    row: {
      transaction_id: 'T1',
      kind: 'succeeded',
      attempt_id: attempt.id,
      source: 'callback',
      outcome: 'applied',
      amount_halalas: 5_000,
      currency: 'SAR',
      body: '{"pan":"2346"}',
      received_at: start,
    },
  },
  ...(['payment-failed', 'refund-refused'] as const).map(
    (kind): Kind => ({
      event: 'payments.words-deleted',
      keptMs: 540 * day,
      document: ['why the bank refused', '540 days after it'],
      page: 'paymentDetails',
      table: 'events',
      row: {
        ...happened,
        kind,
        actor_kind: 'provider',
        data: JSON.stringify({ personal: { reason: 'The card of Maryam is closed.' } }),
      },
    }),
  ),
  {
    event: 'work.findings-deleted',
    keptMs: 540 * day,
    document: ['money that the provider counted', '540 days after a person looked at it'],
    page: 'paymentDetails',
    table: 'payment_findings',
    row: { attempt_id: attempt.id, amount_halalas: 5_000, noticed_at: start, closed_at: start },
  },
  {
    event: 'receipts.deleted',
    keptMs: receiptRetention.days * day,
    document: ['receipts, tax invoices', '2,558 days after their issue'],
    table: 'receipts',
    row: {
      number: 1,
      kind: 'receipt',
      order_id: order.id,
      transaction_id: 'T1',
      amount_halalas: 5_000,
      returned_halalas: 0,
      issued_at: start,
      uuid: 'u',
      document: '',
    },
  },
  {
    event: 'claims.deleted',
    keptMs: 540 * day,
    document: ['claims: what was written', '540 days after the last step'],
    page: 'claims',
    table: 'claims',
    row: claim,
  },
  {
    event: 'claims.photos-deleted',
    keptMs: 180 * day,
    document: ['photographs of claims', '180 days after their upload'],
    page: 'claimPhotos',
    table: 'claim_photos',
    row: { claim_id: claim.id, number: 1, jpeg: new Uint8Array([1]), stored_at: start },
  },
  {
    event: 'messages.texts-deleted',
    keptMs: 90 * day,
    document: ['messages about bags', '90 days after they were written'],
    page: 'messageTexts',
    table: 'messages',
    row: { ...message, phone: user.phone, body: 'Paid.', created_at: start },
  },
  {
    event: 'messages.deleted',
    keptMs: 540 * day,
    document: ['what they were about', '540 days after they were written'],
    page: 'messages',
    table: 'messages',
    row: { ...message, event_id: 2, kind: 'handed-over', phone: '', body: '', created_at: start },
  },
  ...(['order-viewed', 'note', 'order-cancelled', 'claim-answered'] as const).map(
    (kind): Kind => ({
      event: 'audit.deleted',
      keptMs: 730 * day,
      document: ['acts and views of staff and operators', '730 days after it'],
      page: 'operatorActions',
      table: 'events',
      row: {
        ...happened,
        kind,
        actor_kind: 'staff',
        actor_issuer: staff.issuer,
        actor_subject: staff.subject,
        actor_name: staff.name,
        actor_roles: 'support',
        data: JSON.stringify({ personal: { reason: 'She called.' }, changed: { state: ['a', 'b'] } }),
      },
    }),
  ),
  {
    event: 'acts.deleted',
    keptMs: 30 * day,
    document: ['keys of acts of staff', '30 days after it'],
    table: 'desk_acts',
    row: { issuer: staff.issuer, subject: staff.subject, key: 'k', body_hash: 'h', answer: '{}', at: start },
  },
  {
    event: 'approvals.expired',
    keptMs: 72 * hour,
    document: ['approval requests', '730 days after it'],
    table: 'approvals',
    row: approval,
  },
  {
    event: 'approvals.deleted',
    keptMs: 730 * day,
    document: ['approval requests', '730 days after it'],
    page: 'operatorActions',
    table: 'approvals',
    row: { ...approval, state: 'approved', about: 'T2', payload: null },
  },
  {
    event: 'stops.deleted',
    keptMs: 730 * day,
    document: ['stops of selling', '730 days after they were ended'],
    page: 'operatorActions',
    table: 'stops',
    row: {
      what: 'all',
      from_at: start,
      text_ar: 'لا بيع.',
      text_en: 'No sales.',
      set_at: start,
      set_by: staff.name,
      reason: 'storm',
      ended_at: start,
    },
  },
  {
    event: 'readings.deleted',
    keptMs: day,
    document: ['views that count for limits', 'a day after it'],
    table: 'readings',
    row: { reader: 'agent:1', about: '1', at: start },
  },
  {
    event: 'work.takes-deleted',
    keptMs: day,
    document: ['rows of work lists', 'a day after'],
    table: 'desk_work',
    row: { kind: 'labels', reference: '1', ...staff, taken_at: start, moved_at: start },
  },
  {
    event: 'desk.sessions-deleted',
    keptMs: 10 * hour,
    document: ['sessions of the desk', 'when they have ended'],
    table: 'desk_sessions',
    row: {
      issuer: staff.issuer,
      subject: 's-2',
      name: 'Huda',
      token_hash: 't',
      roles: 'support',
      id_token: '',
      authenticated_at: start,
      created_at: start,
      last_seen_at: start,
      idle_until: start + 10 * hour,
      ends_at: start + 10 * hour,
    },
  },
  {
    event: 'desk.logouts-deleted',
    keptMs: day,
    document: ['sessions of the desk', 'a day after they came'],
    table: 'desk_logouts',
    row: { token_hash: 't', at: start },
  },
  {
    event: 'sessions.former-phones-deleted',
    keptMs: 90 * day,
    document: ['numbers that accounts had before', '90 days after the change'],
    page: 'messageTexts',
    table: 'events',
    row: {
      kind: 'account-changed',
      user_id: user.id,
      at: start,
      recorded_at: start,
      actor_kind: 'owner',
      data: '{"change":"phone","personal":{"phone":"+966512340000"}}',
    },
  },
  {
    event: 'sessions.number-changes-deleted',
    keptMs: 31 * day,
    document: ['changes of number', '31 days after the approval'],
    table: 'number_changes',
    row: {
      user_id: user.id,
      state: 'waiting',
      former_phone: user.phone,
      phone: '+966512340000',
      approved_at: start,
      takes_from: start + day,
      ends_at: start + 31 * day,
    },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: 20 * day,
    document: ['sessions, and with them', 'when they have ended'],
    table: 'sessions',
    row: { ...session, token_hash: 't', idle_until: start + 20 * day, ends_at: start + 20 * day },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: 15 * minute,
    document: ['confirmations', 'fifteen minutes after they were asked for'],
    table: 'confirmations',
    row: { session_hash: 't', purpose: 'export', browser_hash: 'b', challenge_id: 'c', asked_at: start },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: day,
    document: ['links by which a mailbox', 'a day after the address was added'],
    table: 'email_stops',
    row: { token_hash: 't', user_id: user.id, email: 'a@example.com', expires_at: start + day },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: 30 * minute,
    document: ['agents whose number', 'when they have ended: a day, half an hour'],
    table: 'agent_pairings',
    row: { ...pairing, browser_hash: 'b', expires_at: start + 30 * minute },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: day,
    document: ['agents whose number', 'when they have ended: a day, half an hour'],
    table: 'agent_alerts',
    row: { ...alert, noticed_at: start, ends_at: start + day },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: 20 * minute,
    document: ['codes, their events', 'when limits of sign-in no longer count them'],
    table: 'otp_challenges',
    row: { ...phone, ...challenge, id: 'c', expires_at: start + 10 * minute },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: day,
    document: ['codes, their events', 'a day by default'],
    table: 'otp_events',
    row: {
      ...phone,
      kind: 'send',
      prefix: '+96651234',
      country: 'SA',
      address: '10.0.0.0',
      trust: 'open',
      at: start,
      outcome: 'answered',
    },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: 180 * day,
    document: ['codes, their events', 'known devices and rows of wrong codes 180 days'],
    table: 'otp_devices',
    row: { ...phone, token_hash: 't', created_at: start, used_at: start },
  },
  {
    event: 'sessions.expired-deleted',
    keptMs: 180 * day,
    document: ['codes, their events', 'known devices and rows of wrong codes 180 days'],
    table: 'otp_counters',
    row: { ...phone, touched_at: start, consecutive_failures: 1 },
  },
]

/** A row is still there a minute before its time, and gone a minute after it. */
const slack = minute

forEachEngine((_, open) => {
  let clock: ManualClock
  let database: Database
  let core: Core
  let failed: unknown[]
  beforeEach(async () => {
    clock = manualClock(start)
    database = await open(clock)
    failed = []
    const log = { ...silentLog, error: (line: unknown) => void failed.push(line) }
    core = createCore({ config: await quietConfig(), database, clock, log, metrics: createMetrics() })
    registerFeatures(core)
  })

  const insert = (table: keyof Schema, row: object) =>
    database.tables
      .insertInto(table)
      .values(row as never)
      .execute()

  /** True while the row is there with all that was written into it. */
  async function isKept({ table, row }: Kind): Promise<boolean> {
    const stored = (await database.tables.selectFrom(table).selectAll().execute()) as Record<
      string,
      unknown
    >[]
    const isWritten = ([column, value]: [string, unknown], of: Record<string, unknown>) =>
      value instanceof Uint8Array || of[column] === value
    return stored.some((each) => Object.entries(row).every((written) => isWritten(written, each)))
  }

  async function deleteOldAt(ms: number): Promise<void> {
    clock.advance(start + ms - clock.now())
    const worker = createRetention(core)
    while (await worker.runBatch());
  }

  it('every kind of data is there until its time, and gone after it', async () => {
    await insert('users', user)
    await insert('orders', order)
    for (const { table, row } of kinds) {
      await insert(table, row)
      if (table !== 'bookings') continue
      await insert('bookings', otherBag)
      await insert('payment_attempts', attempt)
    }
    const found = new Map<Kind, readonly boolean[]>()
    for (const keptMs of [...new Set(kinds.map((kind) => kind.keptMs))].sort((a, b) => a - b)) {
      const due = kinds.filter((kind) => kind.keptMs === keptMs)
      await deleteOldAt(keptMs - slack)
      const before = await Promise.all(due.map(isKept))
      await deleteOldAt(keptMs + slack)
      const after = await Promise.all(due.map(isKept))
      for (const [at, kind] of due.entries()) found.set(kind, [before[at] === true, after[at] === true])
    }
    const shown = (kept: (kind: Kind) => readonly boolean[] | undefined) =>
      kinds.map((kind) => ({ event: kind.event, table: kind.table, kept: kept(kind) }))
    expect(shown((kind) => found.get(kind))).toEqual(shown(() => [true, false]))
    expect(failed).toEqual([])
  })

  it('no data is deleted that has no period here', () => {
    const tested = new Set(kinds.map(({ event }) => event))
    expect(new Set(core.retention.map(({ event }) => event))).toEqual(tested)
  })
})

describe('the documents', () => {
  it('say of every kind of data when it is deleted', () => {
    const [, section = ''] = readRepoFile('docs/operate.md').split('\n## What is deleted, and when\n')
    const table = (section.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split(' | '))
      .slice(1)
    const isOf = ([data, deleted]: Kind['document'], cells: readonly string[]) =>
      cells[0]?.startsWith(`| ${data}`) === true && cells[1]?.includes(deleted) === true
    expect(kinds.filter(({ document }) => !table.some((cells) => isOf(document, cells)))).toEqual([])
    expect(table.filter((cells) => !kinds.some(({ document }) => isOf(document, cells)))).toEqual([])
  })

  it('state the periods of the privacy page, each of which is proven here', () => {
    const proven = kinds.flatMap(({ page, keptMs }) => (page === undefined ? [] : [[page, keptMs / day]]))
    expect(Object.fromEntries(proven)).toEqual(retentionDays)
    for (const [page, days] of proven) expect([page, days]).toEqual([page, retentionDays[page as never]])
  })
})

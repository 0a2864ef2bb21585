import type { Generated, Selectable } from 'kysely'
import type { ActorKind, EventKind } from '#server/features/history/history.kinds.ts'
import type { MessageState, PushState } from '#server/features/messages/messages.rules.ts'
import type { HandoverOutcome } from '#server/features/orders/orders.rules.ts'
import type { EventKind as CodeEventKind, Origin, Outcome } from '#server/features/otp/otp.rules.ts'
import type { ReturnReason } from '#server/features/receipts/receipts.rules.ts'
import type { Role } from '#server/features/sessions/sessions.rules.ts'
import type { SmsRefusal } from '#server/features/users/users.rules.ts'
import type { Mode } from '#server/platform/modes.ts'
import type { ClaimKind, ClaimOutcome, ClaimState } from '#shared/claims/claims.schemas.ts'
import type { MessageChannel, MessageKind, MessageRecipient } from '#shared/messages/messages.schemas.ts'
import type { BookingState, BookingType, OrderEnd, OrderPayment } from '#shared/orders/orders.schemas.ts'
import type { Carriage, HandOverCount } from '#shared/orders/travel.rules.ts'
import type { AlertKind } from '#shared/orders/travel.schemas.ts'
import type * as payments from '#shared/payments/payments.schemas.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { ApprovalAct, ApprovalState, WorkKind } from '#shared/platform/desk-words.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { StopKind } from '#shared/platform/stop.ts'
import type { ReceiptKind } from '#shared/receipts/receipts.schemas.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import type { NumberChangeState } from '#shared/sessions/number-changes.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'

/**
 * Money is halalas, times are epoch milliseconds, phones are E.164. In the tables of codes a phone may also be the key
 * by which an address is limited (server/features/otp/emails.rules.ts).
 */
export interface Schema {
  liveness: { id: number; writes: number }
  installation: { one: number; id: string; mode: Mode; created_at: number }

  users: {
    id: Generated<number>
    /** `deleted-<id>` for a deleted user, so that a new user can have the number. */
    phone: string
    name: string
    created_at: number
    deleted_at: number | null
    language: string | null
    messages: Generated<number>
    sms_refused: SmsRefusal | null
    /** A proven address, in the spelling of `readEmail`. */
    email: string | null
    /** From this time the address can move the account to another number. */
    email_recovers_from: Generated<number>
    /** No address is accepted before this time, because the last one was refused from its own mailbox. */
    email_refused_until: Generated<number>
  }
  /** The desk has approved them because the old number is lost. */
  number_changes: {
    id: Generated<number>
    user_id: number
    state: NumberChangeState
    former_phone: string
    phone: string | null
    approved_at: number
    /** From this time a code to the new number gives access to the account. */
    takes_from: number
    ends_at: number
    ended_at: number | null
  }
  email_stops: {
    token_hash: string
    user_id: number
    email: string
    expires_at: number
  }
  agents: {
    id: Generated<number>
    partner_agent_id: string
    name: string
    phone: string
    created_at: number
  }
  sessions: {
    token_hash: string
    /** The owner ends the session by this id, which is no secret. */
    id: string
    device: string
    role: Role
    subject_id: number
    created_at: number
    last_seen_at: number
    idle_until: number
    ends_at: number
    /** Wrong codes since the last right one. */
    wrong_confirmations: Generated<number>
  }
  confirmations: {
    session_hash: string
    purpose: ConfirmationPurpose
    browser_hash: string
    challenge_id: string
    asked_at: number
    confirmed_until: number | null
  }
  otp_challenges: Phone & {
    id: string
    browser_hash: string
    provider_ref: string | null
    state: 'sent' | 'proven' | 'spent'
    checks: number
    uncertain_checks: Generated<number>
    sent_at: number
    expires_at: number
    send_id: number
    /** Null means SMS, in old rows. */
    channel: SendChannel | null
    delivery: Generated<CodeDelivery | null>
    email: string | null
    new_phone: string | null
  }
  otp_counters: Phone & {
    touched_at: number
    /** Wrong codes from browsers that have never signed in with the phone. */
    consecutive_failures: Generated<number>
    /** Wrong codes from browsers that have signed in with the phone. */
    known_consecutive_failures: Generated<number>
  }
  otp_events: Omit<Origin, 'channel'> & {
    channel: Generated<SendChannel | null>
    id: Generated<number>
    kind: CodeEventKind
    at: number
    outcome: Outcome
  }
  otp_devices: Phone & {
    token_hash: string
    created_at: number
    used_at: number
  }
  agent_alerts: {
    id: Generated<number>
    phone: string
    partner_agent_id: string
    name: string
    /** Entered and sent during the day before, counted to the limit. */
    wrong_codes: number
    sends: number
    noticed_at: number
    ends_at: number
  }
  /** Browsers at the agents' sign-in, which the desk can open. */
  agent_pairings: {
    browser_hash: string
    phone: string
    pairing: string
    address: string
    shown_at: number
    expires_at: number
    opened_at: number | null
  }

  partner_lists: {
    kind: string
    body: string
    fetched_at: number
    halved_since: number | null
  }
  orders: {
    id: Generated<number>
    user_id: number
    type: BookingType
    payment: OrderPayment
    ended: OrderEnd | null
    ended_at: number | null
    amount_halalas: number
    currency: string
    agent_code: string
    center_code: string
    transaction_id: string | null
    created_at: number
    paid_at: number | null
    /** Only `setCarriage` writes it. */
    handed_over: Generated<HandOverCount>
    /** Shown when the order was made; null in old orders. */
    terms_version: Generated<string | null>
    terms_language: Generated<LanguageCode | null>
    search_text: Generated<string | null>
  }
  terms: {
    version: string
    body: string
    since: number
  }
  bookings: Work & {
    id: Generated<number>
    order_id: number
    leg: number
    reference: string
    origin: string
    destination: string
    awb: string | null
    state: BookingState
    /**
     * 0: the partner was never asked. Otherwise it may have a shipment until a look-up after this time does not find
     * it.
     */
    uncertain_until: Generated<number>
    requested_at: number | null
    /** Requested and not refused. Each shipment may exist at the partner. */
    creations: Generated<number>
    /** At this number of creations the booking is escalated. */
    creations_allowed: Generated<number>
    stopped_at: number | null
    issued_at: number | null
    /** The receiver of the first creation, whom all later creations use. */
    receiver: string | null
    /** Named by the owner, the same on each leg; null when the owner collects the bag. */
    receiver_name: string | null
    receiver_phone: string | null
    second_phone: string | null
    /** Only `setCarriage` writes it. */
    carriage: Generated<Carriage>
    last_event_at: number | null
  }
  labels: { booking_id: number; pdf: Uint8Array; stored_at: number }
  events: {
    id: Generated<number>
    kind: EventKind
    /** Identity of a bag's event that may be reported more than once. */
    key: string | null
    order_id: number | null
    booking_id: number | null
    claim_id: number | null
    user_id: number | null
    at: number
    recorded_at: number
    actor_kind: ActorKind
    actor_issuer: string | null
    actor_subject: string | null
    actor_name: string | null
    /** The roles at that time, separated by spaces. */
    actor_roles: string | null
    data: string
  }
  handover_scans: {
    agent_code: string
    /** The Idempotency-Key, or a generated one. */
    key: string
    body_hash: string
    booking_id: number
    outcome: HandoverOutcome
    /** A time corrected by `correctedTime`. */
    at: number
    recorded_at: number
  }
  tracked_bookings: Work & {
    booking_id: number
    awb: string
    tracked_until: number
    silent_polls: number
    seen: string | null
    /** The last event of a bag on its way; null before the hand-over and at the branch. */
    heard_at: number | null
    /** Staff checked the silence, which then starts anew. */
    checked_at: Generated<number | null>
  }
  scan_alerts: {
    id: Generated<number>
    booking_id: number
    event_key: string
    kind: AlertKind
    code: string
    text: string | null
    place: string | null
    at: number
    noticed_at: number
    closed_at: number | null
  }
  scan_texts: { code: string; ar: string | null; en: string | null; fetched_at: number }
  idempotency_keys: {
    user_id: number
    key: string
    body_hash: string
    order_id: number
    created_at: number
  }

  payment_attempts: Work & {
    id: Generated<number>
    order_id: number
    reference: string
    amount_halalas: number
    currency: string
    state: payments.AttemptState
    intention_id: string | null
    provider_order_id: number | null
    client_secret: string | null
    created_at: number
    secret_until: number
    inquired_at: number
    inquiry_step: Generated<number>
  }
  payment_events: {
    id: Generated<number>
    transaction_id: string
    kind: payments.EventKind
    attempt_id: number | null
    source: payments.EventSource
    outcome: payments.EventOutcome
    amount_halalas: number
    currency: string
    body: string
    received_at: number
    /** Staff ended an unresolved one; null while it is open. */
    seen_at: Generated<number | null>
  }
  payment_findings: {
    id: Generated<number>
    attempt_id: number
    amount_halalas: number
    noticed_at: number
    /** Staff ended it, or a later inquiry agreed; null while it is open. */
    closed_at: number | null
    /** A later inquiry agreed. An amount beyond it is another payment. */
    agreed_at: Generated<number | null>
  }
  refunds: Work & {
    id: Generated<number>
    transaction_id: string
    attempt_id: number
    /** The amount is in minor units of `currency`, which differs from SAR when the provider took another currency. */
    amount_halalas: number
    currency: string
    reason: payments.RefundReason
    state: payments.RefundState
    created_at: number
    asked_at: number | null
    refused_at: Generated<number | null>
    done_at: number | null
    /** The desk closed it without the provider: no money came back. Such a row is `done`. */
    written_off_at: number | null
  }
  receipts: {
    /** The number is the ZATCA phase 2 counter, too. */
    number: number
    kind: ReceiptKind
    order_id: number
    transaction_id: string
    corrects: number | null
    amount_halalas: number
    /** The whole amount that was returned up to a correction; otherwise 0. */
    returned_halalas: number
    reason: ReturnReason | null
    issued_at: number
    uuid: string
    /** JSON of everything that is printed, frozen once it is written; empty until then. */
    document: string
  }
  receipt_counters: { id: number; last_number: number }
  receipt_gaps: { first_number: number; last_number: number; recorded_at: number }

  messages: Work & {
    id: Generated<number>
    user_id: number
    order_id: number
    /** 0 for a message about a whole order: nulls would be distinct in the unique index. */
    booking_id: number
    event_id: number
    /** The event that the text reports: of a message that staff send again, the first one's. */
    reported_event_id: number
    recipient: MessageRecipient
    channel: MessageChannel
    kind: MessageKind
    /** A phone, or an e-mail address. Empty until the text is written, and after its retention. */
    phone: string
    /** Empty until the worker writes it, and after its retention. An e-mail has the subject, an empty line and the text. */
    body: string
    state: MessageState
    sends: Generated<number>
    /** The last request; null before the first, and when it certainly had no effect. */
    asked_at: number | null
    ref: string | null
    /** The failure of that earlier send was final. */
    former_ref: string | null
    status_rank: Generated<number>
    checks: Generated<number>
    retried: Generated<number>
    push: PushState | null
    /** The message is not sent before this time, because it reports something that can be undone, or a late bag. */
    held_until: number | null
    created_at: number
    ended_at: number | null
    seen_at: Generated<number | null>
  }
  claims: Work & {
    id: Generated<number>
    user_id: number
    order_id: number
    booking_id: number
    kind: ClaimKind
    state: ClaimState
    outcome: ClaimOutcome | null
    idem_key: string | null
    body_hash: string
    opened_at: number
    touched_at: number
    /** End of a working day in Riyadh. An open claim is due on it, like `due_at`. */
    answer_by: number
    /** The first deadline that passed without an answer; null unless the claim is open. */
    late_since: number | null
    closed_at: number | null
    partner_case: string | null
    partner_told_at: number | null
  }
  /** Others pay them: one for each closing with one, even if it was undone. */
  compensations: {
    event_id: number
    claim_id: number
    halalas: number
    reference: string | null
  }
  claim_photos: { claim_id: number; number: number; jpeg: Uint8Array; stored_at: number }
  message_restores: {
    id: Generated<number>
    first_order: number
    since: number
  }
  push_subscriptions: {
    endpoint: string
    user_id: number
    session_hash: string
    p256dh: string
    auth: string
    /** Push services refuse messages with another key of the gateway. */
    server_key: string
    created_at: number
  }
  order_shares: { order_id: number; token_hash: string; created_at: number }
  desk_sessions: {
    token_hash: string
    /** The identity provider and its name for the person never change. `name` may. */
    issuer: string
    subject: string
    sid: string | null
    name: string
    roles: string
    id_token: string
    authenticated_at: number
    created_at: number
    last_seen_at: number
    idle_until: number
    ends_at: number
  }
  /** Taken rows of work lists. They count while the holder is signed in. */
  desk_work: {
    kind: WorkKind
    /** The number of an order, claim, approval … */
    reference: string
    order_id: number | null
    issuer: string
    subject: string
    name: string
    taken_at: number
    /** The holder was last active on the row at this time. */
    moved_at: number
    /** The colleague who handed it over; null when it was taken. */
    handed_by: string | null
    note: string | null
  }
  desk_logouts: { token_hash: string; at: number }
  paused_workers: { name: string; paused_at: number }
  stops: {
    id: Generated<number>
    what: StopKind
    /** The code of an agent or branch, or the English name of a city; null for everything. */
    code: string | null
    /** All times of this table are the database's. */
    from_at: number
    until_at: number | null
    text_ar: string
    text_en: string
    set_at: number
    set_by: string
    reason: string
    /** Taken back or replaced by a later state; null while it counts. */
    ended_at: number | null
    ended_by: string | null
    ended_because: string | null
  }
  /**
   * Acts that one staff member requests and another approves. Also acts without approval, which count against a limit
   * (`alone`).
   */
  approvals: {
    id: Generated<number>
    order_id: number | null
    act: ApprovalAct
    /** The transaction of a refund, the number of a claim or the user of a new number; else empty. */
    about: string
    /** 0 when no money moves. */
    halalas: number
    /** JSON of the rest of the request, partly for the approver only; null once decided. */
    payload: string | null
    /** JSON. The request is approved only while the facts are the same. */
    facts: string
    reason: string
    state: ApprovalState
    asked_at: number
    asked_issuer: string
    asked_subject: string
    asked_by: string
    asked_roles: Generated<string | null>
    expires_at: number
    decided_at: number | null
    decided_issuer: string | null
    decided_subject: string | null
    decided_by: string | null
    decided_roles: Generated<string | null>
    /** The reason of a refusal, or the act that overtook the request. */
    decision: string | null
    /** The terminal asked in the name of `asked_by`; null at the desk. */
    terminal_user: Generated<string | null>
    /** `asked_by` confirmed at the desk what the terminal requested. */
    confirmed_at: Generated<number | null>
  }
  desk_acts: {
    issuer: string
    subject: string
    key: string
    body_hash: string
    answer: string
    at: number
  }
  /** Viewed by agents and staff, each thing once per window of its limit; see readings.ts. */
  readings: {
    reader: string
    about: string
    at: number
  }
}

/** Parents stand before children, so that references hold at each insert. */
export const tablesInOrder = {
  installation: ['one'],
  users: ['id'],
  number_changes: ['id'],
  email_stops: ['token_hash'],
  agents: ['id'],
  sessions: ['token_hash'],
  confirmations: ['session_hash', 'purpose'],
  otp_challenges: ['id'],
  otp_counters: ['role', 'phone'],
  otp_events: ['id'],
  otp_devices: ['token_hash', 'role', 'phone'],
  agent_alerts: ['id'],
  agent_pairings: ['browser_hash', 'phone'],
  partner_lists: ['kind'],
  terms: ['version'],
  orders: ['id'],
  bookings: ['id'],
  labels: ['booking_id'],
  events: ['id'],
  handover_scans: ['agent_code', 'key'],
  tracked_bookings: ['booking_id'],
  scan_alerts: ['id'],
  scan_texts: ['code'],
  idempotency_keys: ['user_id', 'key'],
  payment_attempts: ['id'],
  payment_events: ['id'],
  payment_findings: ['id'],
  refunds: ['id'],
  claims: ['id'],
  compensations: ['event_id'],
  claim_photos: ['claim_id', 'number'],
  messages: ['id'],
  message_restores: ['id'],
  receipts: ['number'],
  receipt_counters: ['id'],
  receipt_gaps: ['first_number'],
  order_shares: ['order_id'],
  push_subscriptions: ['endpoint'],
  desk_sessions: ['token_hash'],
  desk_logouts: ['token_hash'],
  desk_work: ['kind', 'reference'],
  paused_workers: ['name'],
  stops: ['id'],
  approvals: ['id'],
  desk_acts: ['issuer', 'subject', 'key'],
  readings: ['reader', 'about'],
} as const satisfies {
  [T in Exclude<keyof Schema, 'liveness'>]: readonly (keyof Schema[T])[]
}

export type Row<T extends keyof Schema> = Selectable<Schema[T]>

interface Work {
  due_at: number | null
  lease: string | null
  leased_until: Generated<number>
  /** Claims of the work, except those that a verb does not count. */
  tries: Generated<number>
  last_error: string | null
}

type Phone = Pick<Origin, 'role' | 'phone'>

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
 * Money is in halalas, times are epoch milliseconds, phones are E.164. In the tables of one-time codes `phone` can also
 * contain the text by which an e-mail address is limited (server/features/otp/emails.rules.ts).
 */
export interface Schema {
  liveness: { id: number; writes: number }
  installation: { one: number; id: string; mode: Mode; created_at: number }

  users: {
    id: Generated<number>
    /** The phone of a deleted user is `deleted-<id>`, so that a new user can have the phone. */
    phone: string
    name: string
    created_at: number
    deleted_at: number | null
    language: string | null
    messages: Generated<number>
    sms_refused: SmsRefusal | null
    email: string | null
    /** From this time the e-mail address can move the account to another phone number. */
    email_recovers_from: Generated<number>
    /**
     * The account accepts no e-mail address before this time, because its owner removed the last one by the link in an
     * e-mail.
     */
    email_refused_until: Generated<number>
  }
  /** Phone numbers that the desk approved for accounts whose old phone number is lost. */
  number_changes: {
    id: Generated<number>
    user_id: number
    state: NumberChangeState
    former_phone: string
    phone: string | null
    approved_at: number
    /** From this time a code to the new phone number gives access to the account. */
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
    /** This id is not secret: the owner ends the session by it. */
    id: string
    device: string
    role: Role
    subject_id: number
    created_at: number
    last_seen_at: number
    idle_until: number
    ends_at: number
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
    /** Old one-time codes have no channel, which means SMS. */
    channel: SendChannel | null
    delivery: Generated<CodeDelivery | null>
    email: string | null
    new_phone: string | null
  }
  otp_counters: Phone & {
    touched_at: number
    /** Counts wrong codes from browsers that have never signed in with the phone number. */
    consecutive_failures: Generated<number>
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
    /** The columns `wrong_codes` and `sends` count the codes in the 24 hours before the alert, up to their limits. */
    wrong_codes: number
    sends: number
    noticed_at: number
    ends_at: number
  }
  /** The sign-in page of an agent shows the number `pairing`, by which the desk can admit the agent's browser. */
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
    /** Only `setCarriage` writes this column. */
    handed_over: Generated<HandOverCount>
    /** The terms that the user saw when the order was made; null in old orders. */
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
     * 0 when the partner was never asked for a shipment. Otherwise a shipment of the booking can exist, until a look-up
     * after this time finds none.
     */
    uncertain_until: Generated<number>
    requested_at: number | null
    /**
     * Counts the requests to create a shipment for the booking that were not refused: each of them can have created
     * one.
     */
    creations: Generated<number>
    /** A booking with this many requests to create its shipment is escalated. */
    creations_allowed: Generated<number>
    stopped_at: number | null
    issued_at: number | null
    /** The receiver in the first request to create a shipment. All later requests must repeat it. */
    receiver: string | null
    /** The receiver that the owner named, the same on each leg; null when the owner collects the bag. */
    receiver_name: string | null
    receiver_phone: string | null
    second_phone: string | null
    /** Only `setCarriage` writes this column. */
    carriage: Generated<Carriage>
    last_event_at: number | null
  }
  labels: { booking_id: number; pdf: Uint8Array; stored_at: number }
  events: {
    id: Generated<number>
    kind: EventKind
    /** The key identifies an event of a bag, which can be reported more than once. */
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
    actor_roles: string | null
    data: string
  }
  handover_scans: {
    agent_code: string
    key: string
    body_hash: string
    booking_id: number
    outcome: HandoverOutcome
    at: number
    recorded_at: number
  }
  handover_photos: {
    booking_id: number
    taken_at: number
    stored_at: number
    delete_at: number
    jpeg: Uint8Array
  }
  tracked_bookings: Work & {
    booking_id: number
    awb: string
    tracked_until: number
    silent_polls: number
    seen: string | null
    /** The time of the last event of a bag on its way; null before the hand-over and at the branch. */
    heard_at: number | null
    /** Staff last checked a bag without events at this time, from which the time without events counts anew. */
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
    /** The time at which staff closed an unresolved payment event; null until then. */
    seen_at: Generated<number | null>
  }
  payment_findings: {
    id: Generated<number>
    attempt_id: number
    amount_halalas: number
    noticed_at: number
    /** This time is null until staff close the finding, or a later inquiry agrees. */
    closed_at: number | null
    /** A later inquiry agreed at this time. A difference after that comes from another payment. */
    agreed_at: Generated<number | null>
  }
  refunds: Work & {
    id: Generated<number>
    transaction_id: string
    attempt_id: number
    /** The amount is in minor units of `currency`, which is not SAR when the payment provider took another currency. */
    amount_halalas: number
    currency: string
    reason: payments.RefundReason
    state: payments.RefundState
    created_at: number
    asked_at: number | null
    refused_at: Generated<number | null>
    done_at: number | null
    /** Staff closed the refund at this time without money coming back. Such a refund is `done`. */
    written_off_at: number | null
  }
  receipts: {
    /** The number of the receipt is also its counter in ZATCA phase 2. */
    number: number
    kind: ReceiptKind
    order_id: number
    transaction_id: string
    corrects: number | null
    amount_halalas: number
    /** A correcting receipt has the whole amount that was returned until then; other receipts have 0. */
    returned_halalas: number
    reason: ReturnReason | null
    issued_at: number
    uuid: string
    /**
     * JSON of everything that is printed on the receipt. The document is empty until it is written, and never changed
     * after that.
     */
    document: string
  }
  receipt_counters: { id: number; last_number: number }
  receipt_gaps: { first_number: number; last_number: number; recorded_at: number }

  messages: Work & {
    id: Generated<number>
    user_id: number
    order_id: number
    /** 0 for a message about a whole order, because nulls would be distinct in the unique index. */
    booking_id: number
    event_id: number
    /** The event that the message reports. A message that staff send again has the event of the first message. */
    reported_event_id: number
    recipient: MessageRecipient
    channel: MessageChannel
    kind: MessageKind
    /** A phone number or an e-mail address. Empty until the text is written, and after its retention. */
    phone: string
    /**
     * The body is empty until the worker writes it, and after its retention. An e-mail has its subject, an empty line
     * and its text.
     */
    body: string
    state: MessageState
    sends: Generated<number>
    /**
     * The last request to send the message began at this time. It is null before the first request, and when the last
     * request certainly had no effect.
     */
    asked_at: number | null
    ref: string | null
    /** The provider's id of an earlier send of the message. A look-up must not take it for the present send. */
    former_ref: string | null
    status_rank: Generated<number>
    checks: Generated<number>
    retried: Generated<number>
    push: PushState | null
    /** The message must not be sent before this time, because it reports a late bag or something that can be undone. */
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
    /**
     * The claim must be answered by the end of this working day in Riyadh. An open claim becomes due (`due_at`) then.
     */
    answer_by: number
    /** The first deadline that passed without an answer; null unless the claim is open. */
    late_since: number | null
    closed_at: number | null
    partner_case: string | null
    partner_notified_at: number | null
  }
  /** Compensations that staff promised when they closed a claim. The gateway does not pay them. */
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
    /** The VAPID key of a push subscription. A push service refuses a message that is signed with another key. */
    server_key: string
    created_at: number
  }
  order_shares: { order_id: number; token_hash: string; created_at: number }
  desk_sessions: {
    token_hash: string
    /** Staff members. `issuer` and `subject` (the identity provider's id) never change. `name` can change. */
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
  /** Rows of work lists that staff have taken. A row counts as taken only while its holder is signed in. */
  desk_work: {
    kind: WorkKind
    reference: string
    order_id: number | null
    issuer: string
    subject: string
    name: string
    taken_at: number
    /** The holder of the row was last active on it at this time. */
    moved_at: number
    /** The colleague who handed the row over; null when the holder took it. */
    handed_by: string | null
    note: string | null
  }
  desk_logouts: { token_hash: string; at: number }
  paused_workers: { name: string; paused_at: number }
  stops: {
    id: Generated<number>
    what: StopKind
    /** The code of an agent or branch, or the English name of a city; null stops all sales. */
    code: string | null
    /** All times of sales stops are by the database's clock. */
    from_at: number
    until_at: number | null
    text_ar: string
    text_en: string
    set_at: number
    set_by: string
    reason: string
    /** The stop was ended or replaced at this time; null while it applies. */
    ended_at: number | null
    ended_by: string | null
    ended_because: string | null
  }
  /**
   * Acts that one staff member requests and another approves. Acts without approval (`alone`) count against a limit.
   */
  approvals: {
    id: Generated<number>
    order_id: number | null
    act: ApprovalAct
    /**
     * The transaction of a refund, the number of a claim, or the user who gets another phone number; otherwise empty.
     */
    about: string
    halalas: number
    /** JSON of the requested act; null after the decision. Only the approver sees some parts of it. */
    payload: string | null
    /** JSON of the facts at the time of the request, which can be approved only while they are the same. */
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
    /** Why the request was refused, or which act made it unnecessary. */
    decision: string | null
    /** An operator requested the act in a terminal for `asked_by`; null when it was requested at the desk. */
    terminal_user: Generated<string | null>
    /** The staff member `asked_by` confirmed the request from the terminal, at the desk, at this time. */
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
  /**
   * Things, such as orders, that agents and staff have viewed. Each has one row per window of its limit (readings.ts).
   */
  readings: {
    reader: string
    about: string
    at: number
  }
}

/** All tables with their primary keys. A table must stand after those to which it refers. */
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
  handover_photos: ['booking_id'],
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
  /** Counts the leases of a row of work, except those that a verb does not count. */
  tries: Generated<number>
  last_error: string | null
}

type Phone = Pick<Origin, 'role' | 'phone'>

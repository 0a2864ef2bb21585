import type { Generated, Selectable } from 'kysely'
import type { ActorKind, EventKind } from '#server/features/history/history.kinds.ts'
import type { MessageState, PushState } from '#server/features/messages/messages.rules.ts'
import type { HandoverOutcome } from '#server/features/orders/orders.rules.ts'
import type { EventKind as CodeEventKind, Origin, Outcome } from '#server/features/otp/otp.rules.ts'
import type { ReturnReason } from '#server/features/receipts/receipts.rules.ts'
import type { Role, SmsRefusal } from '#server/features/sessions/sessions.rules.ts'
import type { Mode } from '#server/platform/modes.ts'
import type { ClaimKind, ClaimOutcome, ClaimState } from '#shared/claims/claims.schemas.ts'
import type { ApprovalAct, ApprovalState } from '#shared/desk-actions/desk-actions.schemas.ts'
import type { MessageChannel, MessageKind, MessageRecipient } from '#shared/messages/messages.schemas.ts'
import type { BookingState, BookingType, OrderEnd, OrderPayment } from '#shared/orders/orders.schemas.ts'
import type { Carriage, HandOverCount } from '#shared/orders/travel.rules.ts'
import type { AlertKind } from '#shared/orders/travel.schemas.ts'
import type * as payments from '#shared/payments/payments.schemas.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { StopKind } from '#shared/platform/stop.ts'
import type { ReceiptKind } from '#shared/receipts/receipts.schemas.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import type { NumberChangeState } from '#shared/sessions/number-changes.ts'
import type { CodeDelivery } from '#shared/sessions/sessions.schemas.ts'
import type { WorkKind } from '#shared/work/work.schemas.ts'

/**
 * Every table as the newest migration leaves it. Money is halalas, times are epoch milliseconds, phones are E.164; in the
 * tables of codes they are also what the limits of an address count by (server/features/otp/emails.rules.ts).
 */
export interface Schema {
  liveness: { id: number; writes: number }
  /** One row; see installation.ts. */
  installation: { one: number; id: string; mode: Mode; created_at: number }

  users: {
    id: Generated<number>
    /** `deleted-<id>` of a deleted user, so that a new user can have the number. */
    phone: string
    name: string
    created_at: number
    deleted_at: number | null
    /** As last seen in a browser of the user; null when never. */
    language: string | null
    /** 1 when the user wants messages about bags. */
    messages: Generated<number>
    /** Why the phone gets no messages; null when it may. */
    sms_refused: SmsRefusal | null
    /** An address that its owner has proven, as `readEmail` spells it; null without one. */
    email: string | null
    /** The address moves the account to another number from then on. */
    email_recovers_from: Generated<number>
    /** No address is accepted before: the last one was refused from its own mailbox. */
    email_refused_until: Generated<number>
  }
  /** Changes of number that the desk has approved, because the old number is gone. */
  number_changes: {
    id: Generated<number>
    user_id: number
    state: NumberChangeState
    /** The number before. */
    former_phone: string
    /** The number that gets the account; null once the change has ended. */
    phone: string | null
    approved_at: number
    /** A code to the new number gets the account from then on. */
    takes_from: number
    ends_at: number
    ended_at: number | null
  }
  /** Links by which a mailbox refuses the account that has added it. */
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
    /** Public id of the session, by which its owner ends it; not a secret. */
    id: string
    /** See devices.rules.ts; empty when unknown. */
    device: string
    role: Role
    subject_id: number
    created_at: number
    last_seen_at: number
    idle_until: number
    ends_at: number
    /** Wrong codes of confirmations since the last right one. */
    wrong_confirmations: Generated<number>
  }
  /** Requests that the user of a session was asked to confirm, or has confirmed, with a code. */
  confirmations: {
    session_hash: string
    purpose: ConfirmationPurpose
    browser_hash: string
    /** The code that was sent for it. */
    challenge_id: string
    asked_at: number
    /** Null until the code was entered. */
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
    /** Event of its send. */
    send_id: number
    /** Null: an SMS of before there were others. */
    channel: SendChannel | null
    /** Null until the service is asked. */
    delivery: Generated<CodeDelivery | null>
    /** The address that the code was sent to; null for a code to a phone. */
    email: string | null
    /** For `recovery`: the new number of the account. */
    new_phone: string | null
  }
  otp_counters: Phone & {
    touched_at: number
    /** Wrong codes from browsers that have never signed in with the phone. */
    consecutive_failures: Generated<number>
    /** Wrong codes from browsers that have. */
    known_consecutive_failures: Generated<number>
  }
  otp_events: Omit<Origin, 'channel'> & {
    /** Null in checks. */
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
  /** Agents of the directory whose number has used up the codes of a day; one row for a number. */
  agent_alerts: {
    id: Generated<number>
    phone: string
    partner_agent_id: string
    name: string
    /** Entered and sent in the day before, counted to the limit. */
    wrong_codes: number
    sends: number
    noticed_at: number
    ends_at: number
  }
  /** Browsers at the agents' sign-in that show a pairing number, which the desk can open. */
  agent_pairings: {
    browser_hash: string
    phone: string
    /** Six digits. */
    pairing: string
    /** As `addressGroup` writes it. */
    address: string
    shown_at: number
    expires_at: number
    /** Null until the desk has opened it. */
    opened_at: number | null
  }

  partner_lists: {
    kind: string
    body: string
    fetched_at: number
    /** Since when the partner has sent lists of less than half; null after any other one. */
    halved_since: number | null
  }
  orders: {
    id: Generated<number>
    user_id: number
    type: BookingType
    /** `returned`: the payment that paid the order went back whole. */
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
    /** How many of its bags have left their owner's hands. Only `setCarriage` writes it. */
    handed_over: Generated<HandOverCount>
    /** What was shown when the order was made, and in which language; null in orders of before. */
    terms_version: Generated<string | null>
    terms_language: Generated<LanguageCode | null>
    /** What agents search of a paid order, in one spelling. The database writes it. */
    search_text: Generated<string | null>
  }
  /** The terms of each order, every text of them once. */
  terms: {
    /** A hash of the text: the same text has the same version. */
    version: string
    /** JSON of `ShownTerms`. */
    body: string
    /** The first order on them. */
    since: number
  }
  bookings: Work & {
    id: Generated<number>
    order_id: number
    leg: number
    reference: string
    /** JSON of a `Location`, as it was when the order was created. */
    origin: string
    destination: string
    awb: string | null
    state: BookingState
    /** 0: the partner was never asked. Otherwise it may hold a shipment until a look-up after this time does not find it. */
    uncertain_until: Generated<number>
    /** When the partner was first asked for its airway bill; null in rows of before. */
    requested_at: number | null
    /** Creations that were requested and not refused: each shipment may exist at the partner. */
    creations: Generated<number>
    /** At this many creations the booking stops for an operator. */
    creations_allowed: Generated<number>
    /** Since when it waits for an operator; null while it does not. */
    stopped_at: number | null
    /** When its label was stored; null in rows of before. The file may be gone. */
    issued_at: number | null
    /** The receiver's name as it was sent with the first creation; every later creation uses the same. */
    receiver: string | null
    /** The receiver whom the owner has named, the same on each leg; null when the owner collects the bag. */
    receiver_name: string | null
    receiver_phone: string | null
    /** Another number for calls about the bag. */
    second_phone: string | null
    /** The place of the bag. Only `setCarriage` writes it. */
    carriage: Generated<Carriage>
    /** The time of the newest event. */
    last_event_at: number | null
  }
  /** One for each booking. */
  labels: { booking_id: number; pdf: Uint8Array; stored_at: number }
  /** What happened, in the order of its ids; see features/history. */
  events: {
    id: Generated<number>
    kind: EventKind
    /** Identity of an event of a bag that may be reported more than once. */
    key: string | null
    order_id: number | null
    booking_id: number | null
    claim_id: number | null
    user_id: number | null
    /** When it happened, by the clock of the device or service that saw it. */
    at: number
    recorded_at: number
    actor_kind: ActorKind
    actor_issuer: string | null
    actor_subject: string | null
    actor_name: string | null
    /** Roles of the staff member at that time, separated by spaces. */
    actor_roles: string | null
    /** JSON: the data of the kind. */
    data: string
  }
  handover_scans: {
    agent_code: string
    /** The Idempotency-Key, or one of ours where the request had none. */
    key: string
    body_hash: string
    booking_id: number
    outcome: HandoverOutcome
    /** When the bag was taken, corrected; see `correctedTime`. */
    at: number
    recorded_at: number
  }
  tracked_bookings: Work & {
    booking_id: number
    awb: string
    /** Polling ends at this time. */
    tracked_until: number
    /** Polls since the last news. */
    silent_polls: number
    /** Fingerprint of the scans of the last poll that was recorded. */
    seen: string | null
    /** Last news of a bag that is on its way; null while it is with its owner or at the branch. */
    heard_at: number | null
    /** When a person last looked at its silence, which counts anew from then. */
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
    /** Until when the client secret may be returned again. */
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
    /** When a person looked at an unresolved one; null while none has. */
    seen_at: Generated<number | null>
  }
  /** Money that the provider counts on an attempt, and of which it has reported no payment. */
  payment_findings: {
    id: Generated<number>
    attempt_id: number
    amount_halalas: number
    noticed_at: number
    /** When a person looked at it, or a later inquiry agreed; null while it is open. */
    closed_at: number | null
    /** When a later inquiry agreed: what it counts more from then on is another payment. */
    agreed_at: Generated<number | null>
  }
  refunds: Work & {
    id: Generated<number>
    transaction_id: string
    attempt_id: number
    /** In the minor units of `currency`, which is another than SAR only where the provider took another. */
    amount_halalas: number
    currency: string
    reason: payments.RefundReason
    state: payments.RefundState
    created_at: number
    /** The last request that the provider may have got; null before the first. */
    asked_at: number | null
    /** When the provider refused the last request itself; null while it is not known to have. */
    refused_at: Generated<number | null>
    done_at: number | null
    /** Closed by the desk without the provider: no money came back by it. Such a row is `done`. */
    written_off_at: number | null
  }
  receipts: {
    /** The counter of phase 2, too. */
    number: number
    kind: ReceiptKind
    order_id: number
    transaction_id: string
    /** The number of the corrected receipt. */
    corrects: number | null
    amount_halalas: number
    /** For a correction: the whole amount returned so far; otherwise 0. */
    returned_halalas: number
    /** Why money went back; null for the receipt of a payment that paid its order. */
    reason: ReturnReason | null
    issued_at: number
    uuid: string
    /** JSON of everything that is printed, frozen once it is written; empty until then. */
    document: string
  }
  /** One row. */
  receipt_counters: { id: number; last_number: number }
  /** Numbers that a restore has left out. */
  receipt_gaps: { first_number: number; last_number: number; recorded_at: number }

  messages: Work & {
    id: Generated<number>
    user_id: number
    order_id: number
    /** 0 for a message about a whole order: null would never be equal to itself in the unique index. */
    booking_id: number
    /** The event that caused it: one message for each recipient and channel. */
    event_id: number
    /** The event that its text reports. A message that staff send again has the event of the first one. */
    reported_event_id: number
    recipient: MessageRecipient
    channel: MessageChannel
    kind: MessageKind
    /** A phone number, or an e-mail address for letters. Empty until the text is written, and after its retention. */
    phone: string
    /** Empty until the worker has written it, and later like `phone`. An e-mail has the subject, an empty line and the text. */
    body: string
    state: MessageState
    /** Requests that may have sent it. */
    sends: Generated<number>
    /** The last of them; null before the first, and when it certainly had no effect. */
    asked_at: number | null
    /** The provider's id; null until it is known. */
    ref: string | null
    /** The id of the send before, whose failure was final. */
    former_ref: string | null
    /** See `statusRanks`; 0 before the first report. */
    status_rank: Generated<number>
    /** How often the status was asked for. */
    checks: Generated<number>
    /** 1 after a failure that is tried again once only. */
    retried: Generated<number>
    /** See `pushStates`; null before the first push. */
    push: PushState | null
    /** A message about something that can still be undone, or about a late bag, is not sent before this time; null when nothing can change it. */
    held_until: number | null
    created_at: number
    ended_at: number | null
    /** When a person looked at one that did not arrive. */
    seen_at: Generated<number | null>
  }
  claims: Work & {
    id: Generated<number>
    /** The owner of the order. */
    user_id: number
    order_id: number
    booking_id: number
    kind: ClaimKind
    state: ClaimState
    /** Set when the claim is closed. */
    outcome: ClaimOutcome | null
    /** The Idempotency-Key of its opening; null without one. */
    idem_key: string | null
    body_hash: string
    opened_at: number
    /** The last step that a person took. */
    touched_at: number
    /** The end of a working day in Riyadh; of an open claim the day on which it is due, when `due_at` is, too. */
    answer_by: number
    /** The first day that passed without an answer; null of a claim that is not open. */
    late_since: number | null
    closed_at: number | null
    /** The courier's own number of the complaint, and when it was made. */
    partner_case: string | null
    partner_told_at: number | null
  }
  /** What staff recorded of compensations, which we do not pay: one for each closing that has one, also if it was undone. */
  compensations: {
    /** The event of the closing. */
    event_id: number
    claim_id: number
    halalas: number
    /** Null after the account was deleted. */
    reference: string | null
  }
  claim_photos: { claim_id: number; number: number; jpeg: Uint8Array; stored_at: number }
  message_restores: {
    id: Generated<number>
    /** Orders below this number are older than the restore. */
    first_order: number
    /** When the backup was taken. */
    since: number
  }
  push_subscriptions: {
    /** The address at the push service, in its normal spelling. */
    endpoint: string
    user_id: number
    /** The session in which it was made; the database deletes it with the session. */
    session_hash: string
    p256dh: string
    auth: string
    /** The public key of the gateway at that time: with another one the push service refuses messages. */
    server_key: string
    created_at: number
  }
  order_shares: { order_id: number; token_hash: string; created_at: number }
  /** Sessions of staff. */
  desk_sessions: {
    token_hash: string
    /** The identity provider and its name for the person, which never change; `name` may. */
    issuer: string
    subject: string
    /** The provider's session; null where it names none. */
    sid: string | null
    name: string
    /** Separated by spaces. */
    roles: string
    /** Sealed. */
    id_token: string
    authenticated_at: number
    created_at: number
    last_seen_at: number
    idle_until: number
    ends_at: number
  }
  /** Rows of work lists that a person of the desk has taken; it counts while that person is signed in. */
  desk_work: {
    kind: WorkKind
    /** The row of the list: the number of an order, claim, approval … */
    reference: string
    order_id: number | null
    issuer: string
    subject: string
    name: string
    taken_at: number
    /** The last thing that the person did with it. */
    moved_at: number
    /** The colleague who handed it over, and the note; null where it was taken. */
    handed_by: string | null
    note: string | null
  }
  /** Log-out tokens that were accepted. */
  desk_logouts: { token_hash: string; at: number }
  paused_workers: { name: string; paused_at: number }
  stops: {
    id: Generated<number>
    what: StopKind
    /** The code of the agent or branch, or the English name of the city; null for everything. */
    code: string | null
    /** By the database's time, like all times of this table. */
    from_at: number
    /** Null until it is ended. */
    until_at: number | null
    text_ar: string
    text_en: string
    set_at: number
    set_by: string
    reason: string
    /** When it was taken back, or ended by itself; null while it is one of the stops. */
    ended_at: number | null
    ended_by: string | null
    ended_because: string | null
  }
  /** Acts that one staff member requests and another approves; also acts without approval, which count against a limit (`alone`). */
  approvals: {
    id: Generated<number>
    /** Null where it is about no order. */
    order_id: number | null
    act: ApprovalAct
    /** The transaction of a refund, the number of a claim, the person of a new number; else empty. */
    about: string
    /** The amount that it moves; 0 when no money moves. */
    halalas: number
    /** JSON of the rest of the request, some of which only the approver reads; null once it is decided. */
    payload: string | null
    /** JSON of the facts it was asked on. Approved only while they are the same. */
    facts: string
    reason: string
    state: ApprovalState
    asked_at: number
    /** The requester's identity, which stays when the name changes. */
    asked_issuer: string
    asked_subject: string
    asked_by: string
    /** At that time, as in `desk_sessions`; null for operators. */
    asked_roles: Generated<string | null>
    expires_at: number
    decided_at: number | null
    decided_issuer: string | null
    decided_subject: string | null
    decided_by: string | null
    decided_roles: Generated<string | null>
    /** Why it was refused, or what overtook it. */
    decision: string | null
    /** The user of the terminal that asked in the name of `asked_by`; null at the desk. */
    terminal_user: Generated<string | null>
    /** When `asked_by` confirmed at the desk what the terminal asked for. */
    confirmed_at: Generated<number | null>
  }
  /** Requests of staff that were carried out, by their key: the same one again changes nothing. */
  desk_acts: {
    issuer: string
    subject: string
    key: string
    body_hash: string
    /** JSON. */
    answer: string
    at: number
  }
  /** What agents and staff were shown, each thing once within the window of its limit; see readings.ts. */
  readings: {
    reader: string
    about: string
    at: number
  }
}

/** Tables with their primary keys, parents before children, so that references hold at each insert. */
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

/** A row as it is read. */
export type Row<T extends keyof Schema> = Selectable<Schema[T]>

/** Work that the row stands for; see leases.ts. */
interface Work {
  /** When there is work to do; null when there is none. */
  due_at: number | null
  lease: string | null
  leased_until: Generated<number>
  /** Claims of the work, except those that a verb does not count. */
  tries: Generated<number>
  /** Why the last try failed. */
  last_error: string | null
}

type Phone = Pick<Origin, 'role' | 'phone'>

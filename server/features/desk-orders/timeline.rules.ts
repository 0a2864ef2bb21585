import type { Actor, StoredEvent } from '#server/features/history/history.ts'
import { maskedPhone } from '#server/platform/masks.ts'
import { rolesIn } from '#server/platform/staff-roles.ts'
import { claimNumber } from '#shared/claims/claims.schemas.ts'
import { hasOwnLine, type TimelineKind, type TimelineLine } from '#shared/desk-orders/desk-orders.schemas.ts'
import { isMail } from '#shared/messages/messages.schemas.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { isUnderWay } from '#shared/orders/travel.rules.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import type { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import type { TimelineFacts } from './timeline.store.ts'

/** A line without its text, which depends on the reader. Money is in minor units of `currency`. */
export interface Line {
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: TimelineKind
  readonly by: Readonly<TimelineLine['by']>
  readonly data: TimelineLine['data']
}

const hour = 3_600_000

/** After how much something is said of a refund, a bag, and wrong codes: as other parts act on it. */
export interface TimelineLimits {
  readonly refundMs: number
  readonly silenceMs: number
  readonly wrongCodes: number
}

/** Every line of an order, the newest first. Lines of one moment stand in the order in which such things happen. */
export function timelineOf(
  facts: TimelineFacts,
  receipts: readonly ReceiptExport[],
  now: number,
  limits: TimelineLimits,
): readonly Line[] {
  const lines = [
    ...orderLines(facts),
    ...accountLines(facts),
    ...codeLines(facts, limits),
    ...paymentLines(facts),
    ...receipts.map(receiptLine),
    ...bagLines(facts, now, limits),
    ...messageLines(facts),
    ...approvalLines(facts, now),
    ...refundLines(facts, now, limits),
    ...noteLines(facts),
    ...actionLines(facts),
    // A person takes a claim, and then answers it.
    ...claimLines(facts),
  ]
  return lines
    .map((line, index) => ({ line, index }))
    .sort((one, other) => other.line.at - one.line.at || other.index - one.index)
    .map(({ line }) => line)
}

const system = { kind: 'system' } as const
const owner = { kind: 'owner' } as const
const partner = { kind: 'partner' } as const
const provider = { kind: 'provider' } as const
/** A person of the desk, or an operator. */
const staff = (name: string, roles: string | null): Line['by'] => ({
  kind: 'staff',
  name,
  roles: rolesIn(roles),
})

/** A line at a time that may not be known. */
const at = (time: number | null, kind: TimelineKind, by: Line['by'], data: Line['data'] = {}): Line[] =>
  time === null ? [] : [{ at: time, kind, by, data }]

/** Who did it, as a line names them. */
function byOf(by: Actor): Line['by'] {
  switch (by.kind) {
    case 'staff':
      return { kind: 'staff', name: by.name, roles: [...by.roles] }
    case 'operator':
      return { kind: 'staff', name: by.name, roles: [] }
    case 'agent':
      return { kind: 'agent', name: by.name }
    case 'courier':
      return partner
    // Receivers do nothing that is recorded.
    case 'receiver':
      return system
    default:
      return { kind: by.kind }
  }
}

/** A line of an event. */
const ofEvent = (event: StoredEvent, kind: TimelineKind, data: Line['data'] = {}): Line => ({
  at: event.at,
  kind,
  by: byOf(event.by),
  data,
})

function orderLines({ bags, history }: TimelineFacts): Line[] {
  const { city } = destinationOf(bags.bookings.at(0)?.destination)
  return history.order.flatMap((event) => {
    switch (event.kind) {
      case 'order-created':
        return [ofEvent(event, 'order-created', { type: event.data.type, city: city ?? null })]
      case 'order-expired':
        return [ofEvent(event, 'order-expired')]
      case 'order-cancelled':
        return [ofEvent(event, 'order-cancelled', { ...event.data.personal })]
      case 'link-created':
        return [ofEvent(event, 'shared')]
      case 'receiver-changed':
        // What staff do is a line of its own, with the reason.
        return event.by.kind === 'owner' ? [ofEvent(event, 'receiver')] : []
      default:
        return []
    }
  })
}

/** Changes of the owner's account since the order was created. */
const accountLines = ({ order, history }: TimelineFacts): Line[] =>
  history.account.flatMap((event) => {
    if (event.kind === 'account-deleted') return [ofEvent(event, 'deleted')]
    const isRenamed = event.kind === 'account-changed' && event.data.change === 'name'
    return isRenamed && event.at >= order.created_at ? [ofEvent(event, 'renamed')] : []
  })

type Action = TimelineFacts['people']['actions'][number]

const actorOf = (row: Action): Line['by'] => staff(row.actor, row.actor_roles)

/** The action by which something came about: the last of these kinds until then. */
const actionUntil = (
  actions: readonly Action[],
  time: number | null,
  kinds: readonly string[],
): Action | undefined =>
  actions.find((row) => kinds.includes(row.action) && row.at <= (time ?? Number.MAX_SAFE_INTEGER))

/** Told as long as codes are kept. */
function codeLines({ people }: TimelineFacts, { wrongCodes }: TimelineLimits): Line[] {
  const sends = people.codes.filter(({ kind }) => kind === 'send').toReversed()
  const wrongs = people.codes.filter(({ outcome }) => outcome === 'wrong').map((code) => code.at)
  const unlocks = people.actions.filter(({ action }) => action === 'unlock').map((row) => row.at)
  const isLocked = people.locks.some(
    (row) => Math.max(row.consecutive_failures, row.known_consecutive_failures) >= wrongCodes,
  )
  /** Of a lock that was opened at `until`: the last wrong code since the one before. */
  const lockedBefore = (until: number) => {
    const since = Math.max(0, ...unlocks.filter((time) => time < until))
    return wrongs.find((time) => time < until && time >= since)
  }
  const locked = [
    ...unlocks.map(lockedBefore),
    ...(isLocked ? [lockedBefore(Number.MAX_SAFE_INTEGER) ?? people.locks[0]?.touched_at] : []),
  ]
  return [
    ...sends.flatMap((send) => {
      const isRefused = ['refused', 'blocked', 'failed'].includes(send.outcome)
      const data = { channel: send.channel ?? 'sms', outcome: send.outcome }
      return at(send.at, isRefused ? 'code-refused' : 'code-sent', system, data)
    }),
    ...locked.flatMap((time) => at(time ?? null, 'locked', system, { count: wrongCodes })),
  ]
}

function paymentLines({ order, money, history }: TimelineFacts): Line[] {
  return [
    ...money.attempts.flatMap((attempt) =>
      at(attempt.created_at, 'payment-opened', provider, {
        reference: attempt.reference,
        amount: attempt.amount_halalas,
        currency: attempt.currency,
      }),
    ),
    ...money.events
      .flatMap((event) => reportsOf(event, history.order))
      .flatMap((event) => {
        const { kind, by } = paymentKindOf(event)
        return at(event.received_at, kind, by, {
          transaction: event.transaction_id,
          amount: event.amount_halalas,
          currency: event.currency,
          expected: order.amount_halalas,
          reported: event.kind,
          outcome: event.outcome,
          source: event.source,
          reason: event.kind === 'failed' ? reasonIn(event.body) : null,
          // What needs a person is never folded.
          failed: outcomesForPeople.includes(event.outcome),
          seen: event.seen_at !== null,
        })
      }),
    ...money.findings.flatMap((found) =>
      at(found.noticed_at, 'payment-hidden', provider, {
        amount: found.amount_halalas,
        currency: 'SAR',
        seen: found.closed_at !== null,
        reference: money.attempts.find(({ id }) => id === found.attempt_id)?.reference ?? null,
      }),
    ),
  ]
}

type PaymentEvent = TimelineFacts['money']['events'][number]

/** A report after those that it corrected, which have events. */
function reportsOf(report: PaymentEvent, history: readonly StoredEvent[]): readonly PaymentEvent[] {
  const former = history.flatMap((event) => {
    if (event.kind !== 'payment-noted') return []
    const { transaction, reported, halalas, currency, outcome, source } = event.data
    if (transaction !== report.transaction_id || reported !== report.kind) return []
    const isStored =
      halalas === report.amount_halalas && currency === report.currency && outcome === report.outcome
    return isStored
      ? []
      : [{ ...report, received_at: event.at, amount_halalas: halalas, currency, outcome, source }]
  })
  return [...former, report]
}

const outcomesForPeople: readonly PaymentEvent['outcome'][] = [
  'reference-mismatch',
  'unknown-order',
  'partial-refund',
]

/** What an event says; as a callback or an inquiry where it says nothing that is a step of its own. */
function paymentKindOf({ kind, outcome, source }: PaymentEvent): Pick<Line, 'kind' | 'by'> {
  if (kind === 'failed') return { kind: 'payment-declined', by: provider }
  if (kind === 'pending') return { kind: 'payment-pending', by: provider }
  if (kind === 'succeeded' && !outcomesForPeople.includes(outcome)) {
    const said = { 'second-payment': 'payment-second', 'amount-mismatch': 'payment-wrong-amount' } as const
    return { kind: said[outcome as keyof typeof said] ?? 'payment-succeeded', by: provider }
  }
  return source === 'callback' ? { kind: 'callback', by: provider } : { kind: 'inquiry', by: system }
}

/** The provider's words for a refused card; null once they were cleared. */
function reasonIn(body: string): string | null {
  const { data } = JSON.parse(body) as { data?: { message?: unknown } }
  return typeof data?.message === 'string' && data.message !== '' ? data.message : null
}

function receiptLine({ number, kind, corrects, amountHalalas, issuedAt }: ReceiptExport): Line {
  const isNote = kind === 'credit-note' || kind === 'refund-receipt'
  return {
    at: Date.parse(issuedAt),
    kind: isNote ? 'credit-note' : 'invoice',
    by: system,
    data: { number, kind, corrects, amount: amountHalalas, currency: 'SAR' },
  }
}

/** Lines of the stored events; `cancelled` follows from the order's own line. */
const eventKinds: Readonly<Record<EventKind, TimelineKind | undefined>> = {
  'handed-over': 'handed-over',
  'hand-over-undone': 'handed-over-undone',
  'not-accepted': 'not-accepted',
  'picked-up': 'picked-up',
  'in-transit': 'in-transit',
  'at-branch': 'at-branch',
  collected: 'collected',
  exception: 'exception',
  returning: 'returning',
  cancelled: undefined,
  unknown: 'unknown',
}

function bagLines({ bags, history }: TimelineFacts, now: number, limits: TimelineLimits): Line[] {
  const alarms = new Map(bags.alerts.map((alert) => [`${alert.booking_id} ${alert.event_key}`, alert.kind]))
  return bags.bookings.flatMap((bag) => {
    const own = { leg: bag.leg + 1, awb: bag.awb }
    const events = bags.events.filter(({ bookingId }) => bookingId === bag.id)
    const { city, addressAR, addressEN } = destinationOf(bag.destination)
    return [
      // Of a label from before the column the file has the time, while it is kept.
      ...at(bag.awb === null ? null : (bag.issued_at ?? bag.stored_at), 'label-issued', partner, own),
      ...history.order
        .filter(({ bookingId }) => bookingId === bag.id)
        .flatMap((event) => labelLines(event, own)),
      ...events
        .toSorted((a, b) => a.id - b.id)
        .flatMap((event) => {
          const kind = eventKinds[event.kind]
          const alarm = alarms.get(`${bag.id} ${event.key}`) ?? null
          const branch =
            kind === 'at-branch' ? { branchAr: addressAR ?? null, branchEn: addressEN ?? null } : {}
          return kind === undefined
            ? []
            : at(event.at, kind, eventActorOf(event), {
                ...own,
                place: event.place,
                code: event.code,
                words: event.text,
                alarm,
                ...branch,
                recordedAt: new Date(event.recordedAt).toISOString(),
                city: city ?? null,
              })
        }),
      ...bags.alerts
        .filter(({ booking_id }) => booking_id === bag.id)
        .flatMap(({ kind, noticed_at, code, text }) =>
          hasOwnLine(kind) ? at(noticed_at, kind, system, { ...own, code, words: text }) : [],
        ),
      ...silencesOf(events, now, limits).flatMap((time) =>
        at(time, 'silent', system, { ...own, hours: limits.silenceMs / hour }),
      ),
    ]
  })
}

/** By when there is to be news of a bag on its way, also after a person has looked; null for others. */
export const newsDueAt = (
  { heard_at, checked_at }: Pick<Bag, 'heard_at' | 'checked_at'>,
  { silenceMs }: Pick<TimelineLimits, 'silenceMs'>,
): number | null => (heard_at === null ? null : Math.max(heard_at, checked_at ?? 0) + silenceMs)

/**
 * When each silence of a bag on its way became a worry: news was due, and came later or did not come. From what was stored, in
 * that order: a later scan ends a silence, and does not undo it.
 */
function silencesOf(events: readonly BagEvent[], now: number, limits: TimelineLimits): number[] {
  const stored = events.toSorted((a, b) => a.id - b.id)
  return stored.flatMap(({ recordedAt }, index) => {
    const known = stored.slice(0, index + 1)
    const next = stored[index + 1]?.recordedAt ?? now
    // Scans of one answer are stored within a moment.
    if (next - recordedAt < 1_000 || !isUnderWay(known)) return []
    const dueAt = Math.max(...known.map(heardAt)) + limits.silenceMs
    return dueAt <= next ? [dueAt] : []
  })
}

type BagEvent = TimelineFacts['bags']['events'][number]

/** A scan of an agent is heard of when it is stored. */
const heardAt = (event: BagEvent) => (event.source === 'agent' ? event.recordedAt : event.at)

/** Why an airway bill was not issued, and that it waits for a person after so many tries. */
function labelLines(event: StoredEvent, own: Line['data']): Line[] {
  if (event.kind === 'label-refused')
    return [ofEvent(event, 'label-failed', { ...own, reason: event.data.personal?.reason ?? null })]
  return event.kind === 'label-escalated'
    ? [ofEvent(event, 'label-stopped', { ...own, tries: event.data.creations })]
    : []
}

type Bag = TimelineFacts['bags']['bookings'][number]

function eventActorOf({ source, place }: BagEvent): Line['by'] {
  if (source === 'agent') return place === null ? { kind: 'agent' } : { kind: 'agent', name: place }
  return source === 'courier' ? partner : system
}

const destinationOf = (json: string | undefined): Partial<Location> =>
  json === undefined ? {} : (JSON.parse(json) as Location)

function messageLines({ people }: TimelineFacts): Line[] {
  return people.messages.flatMap((message) => {
    const channel = isMail(message.kind) ? 'email' : message.push === 'accepted' ? 'push' : 'sms'
    const data = {
      message: message.id,
      // The same for one that was sent again.
      event: eventOf(message),
      about: message.kind,
      channel,
      to: channel === 'sms' && message.phone !== '' ? maskedPhone(message.phone) : null,
      reason: message.last_error,
    }
    const service = { kind: 'message-service' } as const
    const ends = {
      delivered: () => at(message.ended_at, 'message-delivered', service, data),
      failed: () => at(message.ended_at, 'message-failed', service, data),
      dropped: () => at(message.ended_at, 'message-dropped', system, data),
    }
    const end = ends[message.state as keyof typeof ends]
    // A push is no request that could be asked about later, and is taken at once.
    const sentAt = message.asked_at ?? (message.push === 'accepted' ? message.ended_at : null)
    // Before an answer it may not have been sent.
    const isSent = message.state !== 'waiting' && message.state !== 'uncertain'
    return [
      ...firstTryOf(message, data),
      ...at(isSent ? sentAt : null, 'message-sent', system, data),
      ...(end?.() ?? []),
    ]
  })
}

/** A send that failed, after which the message was sent once more. */
function firstTryOf({ first_try: tried }: Message, data: Line['data']): Line[] {
  const [sentAt, failedAt, ...reason] = tried?.split('/') ?? []
  if (failedAt === undefined) return []
  const failed = { ...data, reason: reason.join('/') }
  return [
    ...at(Number(sentAt), 'message-sent', system, { ...data, reason: null }),
    ...at(Number(failedAt), 'message-failed', { kind: 'message-service' }, failed),
  ]
}

type Message = TimelineFacts['people']['messages'][number]

const eventOf = (row: Message): string =>
  [row.kind, row.booking_id, row.refund_id, row.claim_id, row.event_id].join(' ')

/** What one person asked for and another one decided. */
function approvalLines({ people }: TimelineFacts, now: number): Line[] {
  return people.approvals.flatMap((row) => {
    const money = row.halalas === 0 ? {} : { amount: row.halalas, currency: 'SAR' }
    const data = { approval: row.id, act: row.act, about: row.about, ...money }
    const of = row.act === 'refund' ? 'refund' : 'approval'
    const asked = staff(row.asked_by, row.asked_roles)
    const decided = staff(row.decided_by ?? '', row.decided_roles)
    const isExpired = row.state === 'expired' || (row.state === 'waiting' && row.expires_at <= now)
    return [
      ...at(row.asked_at, `${of}-asked`, asked, { ...data, reason: row.reason }),
      ...(row.state === 'approved' ? at(row.decided_at, `${of}-approved`, decided, data) : []),
      ...(row.state === 'refused'
        ? at(row.decided_at, `${of}-refused`, decided, { ...data, reason: row.decision })
        : []),
      ...(row.state === 'overtaken'
        ? at(row.decided_at, `${of}-overtaken`, decided, { ...data, changed: row.decision })
        : []),
      ...(isExpired ? at(row.expires_at, `${of}-expired`, system, data) : []),
    ]
  })
}

const noteLines = ({ people }: TimelineFacts): Line[] =>
  people.notes.flatMap(({ id, at: time, name, roles, text }) =>
    at(time, 'note', staff(name, roles), { note: id, words: text }),
  )

/** Of a refund that one person ordered alone; what two decided has lines of its own. */
const whyAlone = ({ reason, created_at }: Refund, actions: readonly Action[]): string | null =>
  reason === 'operator' ? (actionUntil(actions, created_at, ['refund'])?.reason ?? null) : null

/** Who ordered a refund; of the desk alone, by approving it, or by cancelling the order. */
function refundActor({ reason, created_at }: Refund, actions: readonly Action[]): Line['by'] {
  const kinds = { operator: ['refund', 'refund-approved'], cancelled: ['cancel', 'cancel-approved'] }
  const own = actionUntil(actions, created_at, reason in kinds ? kinds[reason as keyof typeof kinds] : [])
  return own ? actorOf(own) : refundActors[reason]
}

type Refund = TimelineFacts['money']['refunds'][number]

function refundLines(
  { money, people, history }: TimelineFacts,
  now: number,
  { refundMs }: TimelineLimits,
): Line[] {
  // The provider's own report is the line of a refund that was made there by hand.
  const ordered = money.refunds.filter(
    (refund) => refund.asked_at !== null || refund.done_at !== refund.created_at,
  )
  return ordered.flatMap((refund) => {
    const data = {
      transaction: refund.transaction_id,
      amount: refund.amount_halalas,
      currency: refund.currency,
      reason: refund.reason,
    }
    const writer = actionUntil(people.actions, refund.written_off_at, ['write-off', 'write-off-approved'])
    const overdueAt = refund.created_at + refundMs
    const isOverdue = overdueAt <= (refund.done_at ?? now)
    return [
      ...at(refund.created_at, 'refund-ordered', refundActor(refund, people.actions), {
        ...data,
        words: whyAlone(refund, people.actions),
      }),
      ...history.order.flatMap((event) =>
        (event.kind === 'refund-requested' || event.kind === 'refund-doubtful') &&
        event.data.refundId === refund.id
          ? [ofEvent(event, event.kind, data)]
          : [],
      ),
      ...at(isOverdue ? overdueAt : null, 'refund-overdue', system, { ...data, hours: refundMs / hour }),
      ...(refund.written_off_at === null
        ? at(refund.done_at, 'refund-done', provider, data)
        : at(
            refund.written_off_at,
            'refund-written-off',
            writer ? actorOf(writer) : { kind: 'staff' },
            data,
          )),
    ]
  })
}

const refundActors: Readonly<Record<Refund['reason'], Line['by']>> = {
  'wrong-amount': system,
  'second-payment': system,
  'owner-deleted': owner,
  cancelled: owner,
  operator: { kind: 'staff' },
}

/** What was written is on the page of the claim. */
function claimLines({ people }: TimelineFacts): Line[] {
  const kinds = new Map(people.claims.map(({ id, kind }) => [id, kind]))
  const steps = people.claimEvents.toSorted((one, other) => one.id - other.id)
  return steps.flatMap((step) =>
    at(step.at, step.kind, claimActorOf(step), {
      claim: step.claimId,
      number: claimNumber(step.claimId),
      about: kinds.get(step.claimId) ?? null,
      ...(step.kind === 'claim-closed' && { outcome: step.data.outcome }),
      ...(step.kind === 'claim-passed-on' && { case: step.data.personal?.case ?? null }),
    }),
  )
}

function claimActorOf({ by }: TimelineFacts['people']['claimEvents'][number]): Line['by'] {
  if (by.kind === 'staff') return { kind: 'staff', name: by.name, roles: [...by.roles] }
  return by.kind === 'owner' ? owner : system
}

/** Actions of operators and staff that have a line of their own. */
const actionKinds: Readonly<Record<string, TimelineKind>> = {
  unlock: 'unlocked',
  reissue: 'label-reissued',
  seen: 'checked',
  reveal: 'revealed',
  receiver: 'receiver',
  'work-taken': 'taken',
  'work-released': 'released',
  'work-handed': 'handed',
  'work-seen': 'settled',
}
/** Told by lines of their own, and a look at which nothing was seen. */
const withoutLine = ['reveal-refused', 'note', 'cancel', 'refund', 'compensation']
const hasLine = (action: string): boolean =>
  !withoutLine.includes(action) &&
  !action.startsWith('claim-') &&
  !/-(?:asked|confirmed|approved|refused|overtaken)$/.test(action)

/** Who has a row of a work list after an action. */
const holderIn = (json: string): string | null => (JSON.parse(json) as { has?: string }).has ?? null

function actionLines({ people }: TimelineFacts): Line[] {
  const actions = people.actions
    .filter(({ action }) => hasLine(action))
    .sort((one, other) => one.id - other.id)
  return actions.flatMap((row) =>
    at(row.at, actionKinds[row.action] ?? 'action', actorOf(row), {
      number: row.id,
      action: row.action,
      reason: row.reason,
      ...(row.action.startsWith('work-') && { has: holderIn(row.after) }),
    }),
  )
}

import type { TimelineActor, TimelineKind, TimelineLine } from '#shared/desk-orders/desk-orders.schemas.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import type { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import { maskedPhone } from './masks.rules.ts'
import type { TimelineFacts } from './timeline.store.ts'

/** A line without its text, which depends on the reader. Money is in minor units of `currency`. */
export interface Line {
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: TimelineKind
  readonly by: { readonly kind: TimelineActor; readonly name?: string }
  readonly data: TimelineLine['data']
}

const hour = 3_600_000
/** What is said of a refund or a bag only once it lasts. */
const patience = { refundMs: 6 * hour, silenceMs: 24 * hour }

const wrongCodesOfLock = 20

/** Every line of an order, the newest first. Lines of one moment stand in the order in which such things happen. */
export function timelineOf(
  facts: TimelineFacts,
  receipts: readonly ReceiptExport[],
  now: number,
): readonly Line[] {
  const lines = [
    ...orderLines(facts),
    ...codeLines(facts),
    ...paymentLines(facts),
    ...receipts.map(receiptLine),
    ...bagLines(facts, now),
    ...messageLines(facts),
    ...refundLines(facts, now),
    ...actionLines(facts),
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

/** A line at a time that may not be known. */
const at = (time: number | null, kind: TimelineKind, by: Line['by'], data: Line['data'] = {}): Line[] =>
  time === null ? [] : [{ at: time, kind, by, data }]

function orderLines({ order, bags, people }: TimelineFacts): Line[] {
  const { city } = destinationOf(bags.bookings.at(0)?.destination)
  return [
    ...at(order.created_at, 'order-created', owner, { type: order.type, city: city ?? null }),
    ...at(order.expired_at, 'order-expired', system),
    ...at(order.cancelled_at, 'order-cancelled', owner),
    ...people.shares.flatMap(({ created_at }) => at(created_at, 'shared', owner)),
    ...at(order.deleted_at, 'deleted', owner),
  ]
}

function codeLines({ people }: TimelineFacts): Line[] {
  const sends = people.codes.filter(({ kind }) => kind === 'send').toReversed()
  const lastWrong = people.codes.find(({ outcome }) => outcome === 'wrong')?.at
  const locked = people.locks.filter(
    (row) => Math.max(row.consecutive_failures, row.known_consecutive_failures) >= wrongCodesOfLock,
  )
  return [
    ...sends.flatMap((send) => {
      const isRefused = ['refused', 'blocked', 'failed'].includes(send.outcome)
      const data = { channel: send.channel ?? 'sms', outcome: send.outcome }
      return at(send.at, isRefused ? 'code-refused' : 'code-sent', system, data)
    }),
    ...locked.flatMap(({ touched_at }) => at(lastWrong ?? touched_at, 'locked', system)),
  ]
}

function paymentLines({ order, money }: TimelineFacts): Line[] {
  return [
    ...money.attempts.flatMap((attempt) =>
      at(attempt.created_at, 'payment-opened', provider, {
        reference: attempt.reference,
        amount: attempt.amount_halalas,
        currency: attempt.currency,
      }),
    ),
    ...money.events.flatMap((event) => {
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
      })
    }),
  ]
}

type PaymentEvent = TimelineFacts['money']['events'][number]

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

function bagLines({ bags }: TimelineFacts, now: number): Line[] {
  const alarms = new Map(bags.alerts.map((alert) => [`${alert.booking_id} ${alert.event_key}`, alert.kind]))
  return bags.bookings.flatMap((bag) => {
    const own = { leg: bag.leg + 1, awb: bag.awb }
    const events = bags.events.filter(({ booking_id }) => booking_id === bag.id)
    const { city, addressAR, addressEN } = destinationOf(bag.destination)
    return [
      ...at(bag.awb === null ? null : bag.stored_at, 'label-issued', partner, own),
      ...at(bag.stopped_at, 'label-stopped', system, { ...own, tries: bag.creations }),
      ...events
        .toSorted((a, b) => a.id - b.id)
        .flatMap((event) => {
          const kind = eventKinds[event.kind]
          const alarm = alarms.get(`${bag.id} ${event.event_key}`) ?? null
          const branch =
            kind === 'at-branch' ? { branchAr: addressAR ?? null, branchEn: addressEN ?? null } : {}
          return kind === undefined
            ? []
            : at(event.at, kind, eventActorOf(event), {
                ...{ ...own, place: event.place, code: event.code, words: event.text, alarm, ...branch },
                ...{ recordedAt: new Date(event.recorded_at).toISOString(), city: city ?? null },
              })
        }),
      ...bags.alerts
        .filter(({ booking_id, kind }) => booking_id === bag.id && kind === 'contradiction')
        .flatMap((alert) =>
          at(alert.noticed_at, 'contradiction', system, { ...own, code: alert.code, words: alert.text }),
        ),
      ...at(silentSince(bag, now), 'silent', system, own),
    ]
  })
}

/** When the silence of a bag on its way began to be a worry; null while it is none. */
function silentSince({ heard_at }: { readonly heard_at: number | null }, now: number): number | null {
  return heard_at !== null && heard_at + patience.silenceMs <= now ? heard_at + patience.silenceMs : null
}

function eventActorOf({ source, place }: TimelineFacts['bags']['events'][number]): Line['by'] {
  if (source === 'agent') return place === null ? { kind: 'agent' } : { kind: 'agent', name: place }
  return source === 'courier' ? partner : system
}

const destinationOf = (json: string | undefined): Partial<Location> =>
  json === undefined ? {} : (JSON.parse(json) as Location)

function messageLines({ people }: TimelineFacts): Line[] {
  return people.messages.flatMap((message) => {
    const channel = message.phone.includes('@') ? 'email' : message.push === 'accepted' ? 'push' : 'sms'
    const data = {
      message: message.id,
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
    return [...at(message.asked_at, 'message-sent', system, data), ...(end?.() ?? [])]
  })
}

function refundLines({ money }: TimelineFacts, now: number): Line[] {
  return money.refunds.flatMap((refund) => {
    const data = {
      transaction: refund.transaction_id,
      amount: refund.amount_halalas,
      currency: refund.currency,
      reason: refund.reason,
    }
    const isOpen = refund.state !== 'done'
    const overdueAt = refund.created_at + patience.refundMs
    const asked = refund.state === 'uncertain' ? 'refund-doubtful' : 'refund-requested'
    return [
      ...at(refund.created_at, 'refund-ordered', refundActors[refund.reason], data),
      ...at(refund.asked_at, asked, system, data),
      ...at(isOpen && overdueAt <= now ? overdueAt : null, 'refund-overdue', system, data),
      ...at(refund.done_at, 'refund-done', provider, data),
    ]
  })
}

const refundActors: Readonly<Record<TimelineFacts['money']['refunds'][number]['reason'], Line['by']>> = {
  'wrong-amount': system,
  'second-payment': system,
  'owner-deleted': owner,
  cancelled: owner,
  operator: { kind: 'staff' },
}

/** Actions of operators and staff that have a line of their own. */
const actionKinds: Readonly<Record<string, TimelineKind>> = {
  unlock: 'unlocked',
  reissue: 'label-reissued',
  seen: 'checked',
  reveal: 'revealed',
}
/** For the audit alone: nothing was seen. */
const withoutLine = ['reveal-refused']

function actionLines({ people }: TimelineFacts): Line[] {
  const actions = people.actions
    .filter(({ action }) => !withoutLine.includes(action))
    .sort((one, other) => one.id - other.id)
  return actions.flatMap((row) =>
    at(
      row.at,
      actionKinds[row.action] ?? 'action',
      { kind: 'staff', name: row.actor },
      {
        ...{ number: row.id, action: row.action, reason: row.reason },
      },
    ),
  )
}

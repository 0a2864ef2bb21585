import { riyadhOffset } from '#shared/platform/instant.ts'
import type { MailState } from '../mail/mail.state.ts'
import type { MessagingState } from '../messaging/messaging.state.ts'
import type { OtpState } from '../otp/otp.state.ts'
import { isPaid, type TransactionRecord } from '../payment/payment.records.ts'
import { type Delivery, isAccepted } from '../platform/deliveries.ts'
import type { JournalEntry } from '../platform/journal.entry.ts'
import type { ShipmentRecord } from '../shipping/shipping.state.ts'
import { money, type OrderRecord, type PartnerSources } from './orders.records.ts'

type TimelineKind = 'sms' | 'card' | 'callback' | 'courier' | 'tracking' | 'message' | 'refund'

/** One line of the timeline of an order. */
export interface TimelineItem {
  /** The same in every answer: rows are updated in place. */
  key: string
  /** ISO time. */
  at: string
  kind: TimelineKind
  title: string
  detail: string | null
  /** A one-time code to copy. */
  code: string | null
  tone: 'good' | 'wait' | 'bad' | 'plain'
  /** A request of the gateway, which stands for something only by its answer. */
  isRequest: boolean
  /** The request that it is seen by, if the journal has it. */
  entry: JournalEntry | null
}

export interface OrderSources extends PartnerSources {
  otp: OtpState
  messaging: MessagingState
  mail: MailState
}

interface TimelineContext {
  sources: OrderSources
  /** Of the order, in any order. */
  entries: readonly JournalEntry[]
}

/** Codes that were sent before the order are part of its timeline up to this long. */
const signInMs = 3_600_000

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

type Draft = Pick<TimelineItem, 'key' | 'at' | 'kind' | 'title'> & Partial<TimelineItem>

const itemOf = (draft: Draft): TimelineItem => ({
  detail: null,
  code: null,
  tone: 'plain',
  isRequest: false,
  entry: null,
  ...draft,
})

const codeItems = ({ phone, createdAt }: OrderRecord, { otp }: OrderSources): TimelineItem[] =>
  phone === null
    ? []
    : otp
        .inbox(phone)
        .filter(({ sentAt }) => sentAt >= createdAt - signInMs)
        .map(({ id, code, service, text, sentAt }) =>
          itemOf({
            key: `code-${id}`,
            at: iso(sentAt),
            kind: 'sms',
            title: `Code ${code} for ${service === 'agent' ? 'an agent' : 'a pilgrim'}, ${phone}`,
            detail: text,
            code,
          }),
        )

function transactionItem(transaction: TransactionRecord, asked: number, currency: string): TimelineItem {
  const { id, kind, amountHalalas, answer, card, settlesAt, createdAt } = transaction
  const amount = money(amountHalalas, currency)
  const base = { key: `transaction-${id}`, at: iso(createdAt), detail: `${card.brand} ${card.last4} · ${id}` }
  if (kind !== 'payment') {
    const title = answer.isApproved
      ? `${kind === 'void' ? 'Voided' : 'Refunded'} ${amount}`
      : `Refund of ${amount} refused: ${answer.message}`
    return itemOf({ ...base, kind: 'refund', title, tone: answer.isApproved ? 'good' : 'bad' })
  }
  if (settlesAt !== null)
    return itemOf({ ...base, kind: 'card', title: `Card payment of ${amount} is pending`, tone: 'wait' })
  if (!isPaid(transaction))
    return itemOf({
      ...base,
      kind: 'card',
      title: `Card declined: ${amount}, ${answer.message}`,
      tone: 'bad',
    })
  return amountHalalas === asked
    ? itemOf({ ...base, kind: 'card', title: `Card charged: ${amount}`, tone: 'good' })
    : itemOf({
        ...base,
        kind: 'card',
        title: `Card charged ${amount} instead of ${money(asked, currency)}`,
        tone: 'bad',
      })
}

/** What the gateway answered to one attempt, and why it refused. */
function attemptText(entry: JournalEntry | null, attempt: Delivery['attempts'][number]): string {
  const answer = attempt.error ?? `answered ${attempt.status}`
  const why = entry?.callback?.why
  return why ? `gateway ${answer}: ${why}` : `gateway ${answer}`
}

/** The attempts of a callback, and what is still to come of it. */
function deliveryItems(
  delivery: Delivery,
  about: { kind: TimelineKind; service: string; name: string; since: number },
  { entries }: TimelineContext,
): TimelineItem[] {
  const { kind, service, name, since } = about
  const entryOf = (attempt: number) =>
    entries.find(
      (entry) =>
        entry.service === service && entry.callback?.id === delivery.id && entry.callback.attempt === attempt,
    ) ?? null
  const key = `${service}-callback-${delivery.id}`
  const mode = delivery.about.mode === undefined ? '' : ` (${delivery.about.mode})`
  const items = delivery.attempts.map((attempt, index) =>
    itemOf({
      key: `${key}-${index + 1}`,
      at: iso(attempt.at),
      kind,
      title: `${name}${mode} → ${attemptText(entryOf(index + 1), attempt)}`,
      detail: index === 0 ? null : `attempt ${index + 1}`,
      tone: isAccepted(attempt.status) ? 'good' : 'bad',
      entry: entryOf(index + 1),
    }),
  )
  if (delivery.state === 'lost')
    items.push(
      itemOf({
        key: `${key}-lost`,
        at: entryOf(0)?.at ?? iso(since),
        kind,
        title: `${name} lost: it is never sent`,
        tone: 'bad',
        entry: entryOf(0),
      }),
    )
  if (delivery.nextAttemptAt !== null)
    items.push(
      itemOf({
        key: `${key}-next`,
        at: iso(delivery.nextAttemptAt),
        kind,
        title: `${name}${mode} is going to be sent`,
        tone: 'wait',
      }),
    )
  return items
}

function paymentItems({ intentions }: OrderRecord, context: TimelineContext): TimelineItem[] {
  const { payment, deliveries } = context.sources
  return intentions.flatMap((intention) => {
    const { id, reference, amountHalalas, currency, createdAt } = intention
    const transactions = payment.transactionsOf(intention)
    const sinceOf = (transactionId: unknown) =>
      transactions.find((transaction) => transaction.id === transactionId)?.createdAt ?? createdAt
    return [
      itemOf({
        key: `intention-${id}`,
        at: iso(createdAt),
        kind: 'card',
        title: `Payment of ${money(amountHalalas, currency)} opened`,
        detail: `${reference ?? 'no reference'} · ${id}`,
      }),
      ...transactions.map((transaction) => transactionItem(transaction, amountHalalas, currency)),
      ...deliveries.listOf(id).flatMap((delivery) => {
        const { type, transactionId } = delivery.about
        const name = type === 'TOKEN' ? 'Callback about a saved card' : `Callback about ${transactionId}`
        const since = sinceOf(transactionId)
        return deliveryItems(delivery, { kind: 'callback', service: 'payment', name, since }, context)
      }),
    ]
  })
}

function shipmentItems(shipment: ShipmentRecord, context: TimelineContext): TimelineItem[] {
  const { journeys, pushes } = context.sources
  const { awb, reference, createdAtMs, createdAt } = shipment
  const isSecond = createdAt[0] !== iso(createdAtMs)
  return [
    itemOf({
      key: `shipment-${awb}`,
      at: iso(createdAtMs),
      kind: 'courier',
      title: isSecond ? `Airway bill ${awb}: a second one for ${reference}` : `Airway bill ${awb}`,
      detail: `${reference} · to ${shipment.request.ConsigneeAddress.City}`,
      tone: isSecond ? 'bad' : 'good',
    }),
    ...journeys.scansOf(shipment).map((scan, index) =>
      itemOf({
        key: `scan-${awb}-${index}`,
        at: iso(Math.max(scanTime(scan.ScanDateTime, scan.ScanTimeZone), createdAtMs)),
        kind: 'tracking',
        title: `Scan ${scan.ScanType} ${scan.ScanDescription ?? ''}`.trim(),
        detail: `${awb} · ${scan.City ?? 'no city'} · ${scan.ScanDateTime}${scan.ScanTimeZone ?? ' without zone'}`,
        tone: scan.ScanType === 'DE' ? 'bad' : 'plain',
      }),
    ),
    ...pushes.listOf(shipment).flatMap((delivery) => {
      const name = `Push of ${delivery.about.scans}`
      return deliveryItems(
        delivery,
        { kind: 'tracking', service: 'tracking', name, since: createdAtMs },
        context,
      )
    }),
  ]
}

/** Epoch milliseconds of a scan, 0 for no time: a scan that a tester wrote may have any text. */
const scanTime = (time: string, zone: string = riyadhOffset): number => Date.parse(`${time}${zone}`) || 0

function messageItems({ order, phone, shipments }: OrderRecord, context: TimelineContext): TimelineItem[] {
  if (phone === null) return []
  const { messaging } = context.sources
  const names = [new RegExp(`\\b${order}\\b`), ...shipments.map(({ awb }) => new RegExp(`\\b${awb}\\b`))]
  return messaging
    .list(phone, Number.POSITIVE_INFINITY)
    .filter(({ body }) => names.some((name) => name.test(body)))
    .flatMap((message) => {
      const { sid, body, to, status, errorCode, createdAt } = message
      const isFailed = ['undelivered', 'failed'].includes(status)
      return [
        itemOf({
          key: `message-${sid}`,
          at: iso(createdAt),
          kind: 'message',
          title: body,
          detail: `${to} · ${status}${errorCode === null ? '' : ` (${errorCode})`}`,
          tone: isFailed ? 'bad' : status === 'delivered' ? 'good' : 'wait',
        }),
        ...messaging.callbacksOf(message).flatMap((delivery) => {
          const name = `Status ${delivery.about.status}`
          return deliveryItems(
            delivery,
            { kind: 'callback', service: 'messaging', name, since: createdAt },
            context,
          )
        }),
      ]
    })
}

const kindOfService: Readonly<Record<string, TimelineKind>> = {
  otp: 'sms',
  payment: 'card',
  shipping: 'courier',
  tracking: 'tracking',
  messaging: 'message',
}

const isSameRequest = (a: JournalEntry, b: JournalEntry | undefined): boolean =>
  a.service === b?.service &&
  a.operation === b.operation &&
  a.response?.status === b.response?.status &&
  a.fault?.kind === b.fault?.kind

/** The gateway's requests, oldest first; repeated ones, such as look-ups, are one row. */
function requestItems({ entries }: TimelineContext): TimelineItem[] {
  const incoming = entries.filter(({ direction }) => direction === 'in').toSorted((a, b) => a.id - b.id)
  const runs: JournalEntry[][] = []
  for (const entry of incoming) {
    const run = runs.find((each) => isSameRequest(entry, each[0]) && entry.request.method === 'GET')
    if (run === undefined) runs.push([entry])
    else run.push(entry)
  }
  return runs.flatMap((run) => {
    const [first] = run
    const last = run.at(-1)
    if (first === undefined || last === undefined) return []
    const { service, operation, response, fault, error, durationMs } = last
    const answer = response === null ? (error ?? 'no answer') : `${response.status}`
    return itemOf({
      key: `request-${first.id}`,
      at: first.at,
      kind: kindOfService[service] ?? 'card',
      title: `${service}: ${operation} → ${answer}${run.length > 1 ? ` (${run.length} times)` : ''}`,
      detail: fault === null ? `${durationMs} ms` : `${durationMs} ms · fault ${fault.kind}`,
      tone: fault !== null || !isAccepted(response?.status ?? null) ? 'bad' : 'plain',
      isRequest: true,
      entry: last,
    })
  })
}

/** Everything that happened to an order, oldest first. */
export function timelineOf(order: OrderRecord, context: TimelineContext): TimelineItem[] {
  return [
    ...codeItems(order, context.sources),
    ...paymentItems(order, context),
    ...order.shipments.flatMap((shipment) => shipmentItems(shipment, context)),
    ...messageItems(order, context),
    ...requestItems(context),
  ].toSorted((a, b) => a.at.localeCompare(b.at))
}

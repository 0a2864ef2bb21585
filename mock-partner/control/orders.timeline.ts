import { isAccepted } from '../platform/deliveries.ts'
import type { JournalEntry } from '../platform/journal.entry.ts'
import type { Journal } from '../platform/journal.ts'
import { orderNumberIn } from '../platform/references.ts'
import { money, type OrderRecord } from './orders.records.ts'
import { signInMs } from './orders.texts.ts'

/** One line of the timeline of an order: a request that the simulator got or sent. */
interface TimelineItem {
  id: number
  /** ISO time. */
  at: string
  service: string
  title: string
  detail: string
  tone: 'good' | 'bad'
  entry: JournalEntry
}

/** Entries of one order that are read; a bag asked about every half minute has more. */
const entriesPerOrder = 500

/** Calls with which the gateway reads and changes nothing. */
const isLookUp = ({ operation, request }: JournalEntry): boolean =>
  request.method === 'GET' || ['sign-in', 'inquire', 'track-many'].includes(operation)

const words = (operation: string): string =>
  operation.charAt(0).toUpperCase() + operation.slice(1).replaceAll('-', ' ')

/** Codes of the scans in a push, oldest first. */
const scansIn = (text: string): string =>
  [...text.matchAll(/"ScanType":"([^"]*)"/g)]
    .map(([, code]) => code)
    .reverse()
    .join(' ')

function itemOf(entry: JournalEntry): TimelineItem {
  const { id, at, service, operation, request, response, error, callback, fault, payment, refs } = entry
  const mode = callback?.mode ? ` (${callback.mode})` : ''
  const charged = payment?.charged ?? null
  const details = [
    operation === 'push-scans' ? scansIn(request.body?.text ?? '') : '',
    payment === null ? '' : `${money(payment.asked, payment.currency)} asked`,
    charged === null ? '' : `${money(charged, payment?.currency)} charged`,
    service === 'payment' ? '' : refs.join(', '),
    callback?.why ?? '',
    fault === null ? '' : `fault ${fault.kind}`,
  ]
  const isGood = isAccepted(response?.status ?? null) && payment?.differs !== true
  return {
    id,
    at,
    service,
    title: `${words(operation)}${mode} → ${response?.status ?? error ?? 'no answer'}`,
    detail: details.filter(Boolean).join(' · '),
    tone: isGood ? 'good' : 'bad',
    entry,
  }
}

/** What happened to an order, newest first, with the codes of its phone; the journal forgets it at a restart. */
export function timelineOf({ order, phone, createdAt }: OrderRecord, journal: Journal): TimelineItem[] {
  const number = orderNumberIn(order)
  const since = createdAt - signInMs
  const codes = phone === null ? [] : journal.list({ phone, service: 'otp', since }, entriesPerOrder)
  const own = number === undefined ? [] : journal.list({ order: number }, entriesPerOrder)
  return [...own, ...codes]
    .filter((entry) => !isLookUp(entry))
    .sort((a, b) => b.id - a.id)
    .map(itemOf)
}

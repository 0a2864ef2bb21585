import { tooManyCalls } from '#server/platform/limits.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { readOrderNumber } from '#shared/orders/order-number.ts'
import { legsOf } from '#shared/orders/orders.rules.ts'
import type { BookingType, Location } from '#shared/orders/orders.schemas.ts'
import { riyadhOffset } from '#shared/platform/instant.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import type { Cursor } from './desk-orders.queries.ts'

export interface ReadQuery {
  readonly orderId: number | undefined
  readonly isOrderNumber: boolean
  readonly claimId: number | undefined
  /** The spellings of a searched airway bill, reference or transaction, each of which can be stored. */
  readonly references: readonly string[]
  readonly phone: string | undefined
  /** Four digits can be the end of a phone or an order number. */
  readonly phoneEnd: string | undefined
}

export function readQuery(typed: string): ReadQuery {
  const text = foldDigits(typed).trim()
  const number = readOrderNumber(text)
  const digits = text.replace(/[\s-]/g, '')
  const isNumber = /^\d+$/.test(digits)
  const references = [text, ...(isNumber ? [digits] : [])].filter((each) => /^[A-Za-z0-9-]{4,64}$/.test(each))
  return {
    orderId: number?.id,
    isOrderNumber: number?.isCertain ?? false,
    claimId: readClaimNumber(text),
    references: [...new Set(references)],
    phone: canonicalPhone(text) ?? (isNumber ? canonicalPhone(`+${digits}`) : undefined),
    phoneEnd: /^\d{4}$/.test(digits) ? digits : undefined,
  }
}

function readClaimNumber(text: string) {
  const [, digits] = /^cl[\s-]*([1-9]\d{0,14})$/i.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const newest: Cursor = { createdAt: Number.MAX_SAFE_INTEGER, id: 0 }

const dayOf = (day: string) => Date.parse(`${day}T00:00:00.000${riyadhOffset}`)
const dayMs = 24 * 60 * 60_000

export function cursorOf(cursor: string | undefined, to: string | undefined): Cursor {
  const [createdAt, id] = (cursor ?? '').split('-').map(Number)
  if (cursor !== undefined && createdAt !== undefined && id !== undefined) return { createdAt, id }
  return to === undefined ? newest : { createdAt: dayOf(to) + dayMs, id: 0 }
}

export const sinceOf = (from: string | undefined): number => (from === undefined ? 0 : dayOf(from))

export const cursorText = ({ createdAt, id }: Cursor): string => `${createdAt}-${id}`

export const staffKey = ({ issuer, subject }: Pick<Staff, 'issuer' | 'subject'>): string =>
  `${issuer} ${subject}`

export function assertFree(waitMs: number | undefined): void {
  if (waitMs !== undefined) throw tooManyCalls(waitMs)
}

interface LegRow {
  readonly leg: number
  readonly origin: string
  readonly destination: string
}

export function endsOf(
  type: BookingType,
  bag: LegRow | undefined,
): { agent: Location | null; branch: Location | null } {
  if (!bag) return { agent: null, branch: null }
  const [origin, destination] = [JSON.parse(bag.origin), JSON.parse(bag.destination)] as [Location, Location]
  return legsOf(type)[bag.leg]?.to === 'center'
    ? { agent: origin, branch: destination }
    : { agent: destination, branch: origin }
}

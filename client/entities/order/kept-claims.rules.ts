import { bookingTypes } from '#shared/orders/booking-types.ts'
import type { Booking, Location, Order } from '#shared/orders/orders.schemas.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'

/** A paid order as the server last described it. */
export interface KeptClaim {
  readonly order: Order
  /** When the server described it so, in epoch milliseconds. */
  readonly knownAt: number
  /** What it was asked by besides its number: merchant references in addresses of the result page. */
  readonly references: readonly string[]
}

/** The claims of one user, newest order first. */
export interface KeptClaims {
  readonly userId: number
  /** When a list of orders was answered last; 0 before the first. */
  readonly listedAt: number
  readonly claims: readonly KeptClaim[]
}

/** The privacy page names this number. */
export const maxKeptClaims = 20

/** A list that was answered within this time is not asked for again. */
const listedForMs = 10 * 60_000

/** True when the list should be asked for again: it is old, or a claim has no barcode yet. */
export function isOutdated({ listedAt, claims }: KeptClaims, now: number): boolean {
  return (
    now - listedAt > listedForMs || claims.some(({ order }) => order.bookings.some(({ awb }) => awb === null))
  )
}

interface Answer {
  readonly orders: readonly Order[]
  /** What a single order was asked by; undefined for a list. */
  readonly reference?: string | undefined
  readonly now: number
}

/** Takes up the paid orders of an answer, and drops those that are paid no more. */
export function withAnswer(kept: KeptClaims, { orders, reference, now }: Answer): KeptClaims {
  const claims = new Map(kept.claims.map((claim) => [claim.order.orderId, claim]))
  for (const order of orders) {
    const before = claims.get(order.orderId)
    claims.delete(order.orderId)
    if (order.status !== 'PAID') continue
    const references = new Set(before?.references)
    if (reference !== undefined && reference !== String(order.orderId)) references.add(reference)
    claims.set(order.orderId, { order, knownAt: now, references: [...references] })
  }
  const newestFirst = [...claims.values()].sort((a, b) => b.order.orderId - a.order.orderId)
  return {
    ...kept,
    listedAt: reference === undefined ? now : kept.listedAt,
    claims: newestFirst.slice(0, maxKeptClaims),
  }
}

/** The claim with this order number or merchant reference. */
export function claimOf({ claims }: KeptClaims, key: string): KeptClaim | undefined {
  return claims.find(({ order, references }) => String(order.orderId) === key || references.includes(key))
}

/**
 * Reads what is stored; `undefined` when it is not a `KeptClaims`, as after a release that stores another shape. Claims
 * older than a session can be are left out: no answer of the server has confirmed the session since.
 */
export function parseKeptClaims(stored: unknown, now: number): KeptClaims | undefined {
  if (!isRecord(stored) || typeof stored.userId !== 'number' || !Array.isArray(stored.claims))
    return undefined
  const oldest = now - sessionLife.user.absoluteMs
  const claims = stored.claims
    .filter(isKeptClaim)
    .filter(({ knownAt }) => knownAt > oldest)
    .map((claim) => ({ ...claim, order: withTravel(claim.order) }))
  const listedAt = typeof stored.listedAt === 'number' ? stored.listedAt : 0
  return { userId: stored.userId, listedAt, claims }
}

/** A claim that was kept before bags were followed has no journey. */
function withTravel(order: Order): Order {
  const unknown = { state: null, lastEventAt: null, events: [] }
  return { ...order, bookings: order.bookings.map((booking) => ({ ...unknown, ...booking })) }
}

// By hand, because the browser's bundle has the schemas as types only (platform/typebox-stub.ts).

function isKeptClaim(value: unknown): value is KeptClaim {
  return (
    isRecord(value) &&
    typeof value.knownAt === 'number' &&
    Array.isArray(value.references) &&
    value.references.every((reference) => typeof reference === 'string') &&
    isOrder(value.order)
  )
}

export function isOrder(value: unknown): value is Order {
  return (
    isRecord(value) &&
    Number.isInteger(value.orderId) &&
    typeof value.status === 'string' &&
    isOptionalText(value.transactionId) &&
    bookingTypes.some((type) => type === value.type) &&
    typeof value.creationDate === 'string' &&
    !Number.isNaN(Date.parse(value.creationDate)) &&
    typeof value.payable === 'boolean' &&
    (value.refund === undefined || isRefund(value.refund)) &&
    Array.isArray(value.bookings) &&
    value.bookings.every(isBooking)
  )
}

function isRefund(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.state === 'string' &&
    typeof value.amount === 'number' &&
    typeof value.reason === 'string' &&
    isOptionalText(value.currency)
  )
}

function isBooking(value: unknown): value is Booking {
  return (
    isRecord(value) &&
    (value.awb === null || typeof value.awb === 'string') &&
    isOptionalText(value.receiver) &&
    isLocation(value.origin) &&
    isLocation(value.destination) &&
    (value.events === undefined || (Array.isArray(value.events) && value.events.every(isEvent)))
  )
}

function isEvent(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.kind === 'string' &&
    typeof value.source === 'string' &&
    typeof value.at === 'string' &&
    !Number.isNaN(Date.parse(value.at)) &&
    [value.place, value.code, value.text].every(isOptionalText)
  )
}

function isLocation(value: unknown): value is Location {
  if (!isRecord(value)) return false
  const { coordinates } = value
  const isPoint =
    isRecord(coordinates) &&
    typeof coordinates.latitude === 'number' &&
    typeof coordinates.longitude === 'number'
  const texts = [value.name, value.address, value.addressAR, value.addressEN, value.city, value.phone]
  return (coordinates === null || isPoint) && texts.every(isOptionalText)
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route does, in the words of the journal and of faults. Routes without one are in neither. */
    operation?: string
  }
}

/** Testers find a request by these. It is about no order, about one, or about several (tracking in bulk). */
export interface References {
  /** Order numbers. */
  orders: number[]
  /** E.164. */
  phone: string | null
  /** Merchant references, references of shipments, airway bills, ids of intentions, transactions and messages. */
  refs: string[]
  /** Only requests about one payment have it. */
  payment: PaymentSummary | null
}

/** Amounts in halalas, as the provider has them when the entry is made. */
export interface PaymentSummary {
  /** As in `GET /control/payments`: `open`, `pending`, `paid`, `refunded`, `voided`, `expired` or `amount-differs`. */
  status: string
  currency: string
  /** The price of the order. */
  asked: number
  /** The charge of the newest approved payment; null without one. */
  charged: number | null
  /** The charge is not what was asked: the order must not count as paid. */
  differs: boolean
}

/** Finds the references of a request to one service. */
export type FindReferences = (request: FastifyRequest) => References

export const noReferences = (): References => ({ orders: [], phone: null, refs: [], payment: null })

/** `unknown` for a path that no service has; undefined for a route that only serves files. */
export function operationOf(request: FastifyRequest): string | undefined {
  return request.is404 ? 'unknown' : request.routeOptions.config.operation
}

/** The first order number in a text for people, such as `OD-42`. References of shipments and scenarios do not fit. */
export function orderNumberIn(text: string): number | undefined {
  const [, digits] = /(?<![\w-])[A-Z]{1,3}-(\d{1,15})(?![\w-])/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** `42`, `OD-42` and 42 are the same order. */
export function readOrderNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  const [, digits] = typeof value === 'string' ? (/^(?:[A-Za-z]{1,3}-)?(\d{1,15})$/.exec(value) ?? []) : []
  return digits === undefined ? undefined : Number(digits)
}

/** A text that a request has; undefined for an empty one and for anything else. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Each once, without what is missing. */
export const distinct = <T>(values: readonly (T | null | undefined)[]): T[] => [
  ...new Set(values.filter((value): value is T => value !== null && value !== undefined)),
]

import type { FastifyRequest } from 'fastify'
import type { Subject } from './journal.entry.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route does, in the words of the journal and of faults. Routes without one are in neither. */
    operation?: string
  }
}

/** Of requests to a path that no service has. */
export const unknownOperation = 'unknown'

/** Undefined: a route that only serves files. */
export function operationOf(request: FastifyRequest): string | undefined {
  return request.is404 ? unknownOperation : request.routeOptions.config.operation
}

/** What a request is about besides its operation. */
export type Describe = (request: FastifyRequest) => Omit<Subject, 'operation'>

export const noSubject = (): Omit<Subject, 'operation'> => ({
  orders: [],
  phone: null,
  refs: [],
  payment: null,
})

/** Order numbers in words, such as `OD-42`. References of shipments and scenarios do not fit. */
const orderNumberInText = /(?<![\w-])[A-Z]{1,3}-(\d{1,15})(?![\w-])/

/** The first order number in a text for people. */
export function orderNumberIn(text: string): number | undefined {
  const [, digits] = orderNumberInText.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** `42`, `OD-42` and 42 are the same order. */
export function readOrderNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  const [, digits] = typeof value === 'string' ? (/^(?:[A-Za-z]{1,3}-)?(\d{1,15})$/.exec(value) ?? []) : []
  return digits === undefined ? undefined : Number(digits)
}

/** Each once, without what is missing. */
export const distinct = <T>(values: readonly (T | null | undefined)[]): T[] => [
  ...new Set(values.filter((value): value is T => value !== null && value !== undefined)),
]

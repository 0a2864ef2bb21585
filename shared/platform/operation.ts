import type { Static, TSchema } from 'typebox'
import type { StaffRole } from './staff-roles.ts'

/**
 * `provider` is proven by a signature, `browser` is a report that the browser itself sends: neither comes from a page.
 * `tester` is proven by the demo's key (DEMO_CONTROL_KEY) and exists in MODE=demo only. `staff` is signed in at the
 * desk and exists only with a desk (DESK_OIDC_ISSUER).
 */
export type Access = 'anyone' | 'user' | 'agent' | 'signed-in' | 'staff' | 'provider' | 'browser' | 'tester'

/** What the browser needs of an operation (`<feature>.operations.ts`). */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: Access
  /** The name of the events, if the answer is an event stream. */
  readonly stream?: { readonly event: string }
}

/** An operation with its schemas, descriptions and errors (`<feature>.api.ts`): the server and the documents need them. */
export interface OperationShape extends Endpoint {
  readonly summary: string
  readonly feature: string
  /** The staff member has one of these roles. Default: any role. */
  readonly roles?: readonly StaffRole[]
  /**
   * Pages of staff call it without user action, so it does not extend the session's idle limit. `again`: only when the
   * query says so.
   */
  readonly isQuiet?: true | 'again'
  /** Finishes a payment that has begun: an overloaded gateway refuses it last. */
  readonly refusedLast?: true
  /** Frequent and without effect: successes are logged at level `debug`. */
  readonly isRoutine?: true
  readonly params?: TSchema
  readonly query?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  readonly response: TSchema
  /** The answer may be 202, with the same shape: another person has to approve first. */
  readonly mayWait?: true
  readonly status?: 204
  /** The success is a file; the schema describes its content. */
  readonly contentType?: string
  /**
   * An event stream (`contentType: 'text/event-stream'`), whose events say what changed without its content. It ends
   * with an event `closing`.
   */
  readonly stream?: { readonly event: string; readonly data: TSchema }
  /** If not `application/json`: bytes without a schema, which the handler checks. */
  readonly consumes?: readonly string[]
  /** A longer body is read after the caller is known. */
  readonly bodyBytes?: number
  /**
   * 304 answers a request that has the ETag. `strong`: the handler sends one per content encoding. `weak`:
   * `registerOperation` adds a hash of the answer.
   */
  readonly etag?: 'strong' | 'weak'
  /** Codes that this operation itself throws. The server's `errorCodesOf` adds those that follow from method and access. */
  readonly errors?: readonly string[]
}

export function defineOperation<const O extends OperationShape>(operation: O): O {
  return operation
}

type StaticOr<T, Otherwise> = T extends TSchema ? Static<T> : Otherwise

export type ParamsOf<O extends OperationShape> = StaticOr<O['params'], undefined>
export type QueryOf<O extends OperationShape> = StaticOr<O['query'], undefined>
export type BodyOf<O extends OperationShape> = StaticOr<O['body'], undefined>
export type ResponseOf<O extends OperationShape> = Static<O['response']>
export type StreamDataOf<O extends OperationShape> = O['stream'] extends { data: infer D extends TSchema }
  ? Static<D>
  : never

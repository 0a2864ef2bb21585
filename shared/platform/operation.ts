import type { Static, TSchema } from 'typebox'
import type { StaffRole } from './staff-roles.ts'

/**
 * Who may call an operation. A `provider` signs its calls. A `browser` sends reports by itself. Neither call comes from
 * a page. A `tester` sends the demo's key (DEMO_CONTROL_KEY), in MODE=demo only. `staff` have signed in at the desk, if
 * there is a desk (DESK_OIDC_ISSUER).
 */
export type Access = 'anyone' | 'user' | 'agent' | 'signed-in' | 'staff' | 'provider' | 'browser' | 'tester'

/** The part of an operation that the browser needs (`<feature>.operations.ts`). */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: Access
  /** The name of the events, if the response is an event stream. */
  readonly stream?: { readonly event: string }
}

/**
 * An operation with the schemas, descriptions and errors that the server and the documents need (`<feature>.api.ts`).
 */
export interface OperationShape extends Endpoint {
  readonly summary: string
  readonly feature: string
  /** The staff member must have one of these roles. Default: any role. */
  readonly roles?: readonly StaffRole[]
  /**
   * Pages of the desk call the operation without user action, so a call does not extend the idle limit of the session.
   * `again`: only a call with the query `again` is quiet.
   */
  readonly isQuiet?: true | 'again'
  /** The operation helps to finish a payment that has begun, so an overloaded gateway refuses it last. */
  readonly refusedLast?: true
  /** The operation is frequent and changes nothing, so successes are logged at level `debug`. */
  readonly isRoutine?: true
  readonly params?: TSchema
  readonly query?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  readonly response: TSchema
  /** The response may be 202 with the same shape, when another staff member has to approve first. */
  readonly mayWait?: true
  readonly status?: 204
  /** A successful response is a file of this type; the schema describes its content. */
  readonly contentType?: string
  /**
   * The response is an event stream (`contentType: 'text/event-stream'`), whose events say what changed without its
   * content. The stream ends with an event `closing`.
   */
  readonly stream?: { readonly event: string; readonly data: TSchema }
  /**
   * Types of the body other than `application/json`. Such a body consists of bytes without a schema, which the handler
   * checks.
   */
  readonly consumes?: readonly string[]
  /**
   * The limit of the body in bytes, instead of the usual limit. If callers have sessions, the body is read only after
   * the caller is known.
   */
  readonly bodyBytes?: number
  /**
   * A request that has the current ETag gets 304. `strong`: the handler sends one ETag for each content encoding.
   * `weak`: `registerOperation` adds a hash of the response.
   */
  readonly etag?: 'strong' | 'weak'
  /**
   * Codes that this operation itself throws. `errorCodesOf` in the server adds the codes that follow from method and
   * access.
   */
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

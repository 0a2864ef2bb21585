import type { Static, TSchema } from 'typebox'
import type { StaffRole } from './staff-roles.ts'

/**
 * `provider`: a partner's server, which signs its calls. `browser`: a browser that sends a report by itself. `tester`:
 * a caller with DEMO_CONTROL_KEY, in MODE=demo only.
 */
export type Access = 'anyone' | 'user' | 'agent' | 'signed-in' | 'staff' | 'provider' | 'browser' | 'tester'

/** The browser needs only this part of an operation (`<feature>.operations.ts`). */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access: Access
  readonly stream?: { readonly event: string }
}

export interface OperationShape extends Endpoint {
  readonly summary: string
  readonly feature: string
  /** Without `roles`, every role of staff is enough. */
  readonly roles?: readonly StaffRole[]
  /**
   * Pages of the desk make this call without user action, so it does not extend the idle limit of the session. `again`:
   * only a call with the query `again` is quiet.
   */
  readonly isQuiet?: true | 'again'
  /** The operation helps to finish a payment that has begun, so an overloaded gateway refuses it last. */
  readonly refusedLast?: true
  /** The operation is frequent and changes nothing, so its successes are logged at level `debug`. */
  readonly isRoutine?: true
  readonly params?: TSchema
  readonly query?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  readonly response: TSchema
  /** The response is 202 with the same shape when another staff member has to approve first. */
  readonly mayWait?: true
  readonly status?: 204
  readonly contentType?: string
  /**
   * The response is an event stream. Its events say what has changed without the new content; its last event is
   * `closing`.
   */
  readonly stream?: { readonly event: string; readonly data: TSchema }
  /** Content types of a body without a schema. The handler checks its bytes. */
  readonly consumes?: readonly string[]
  /**
   * Bytes of the longest body, instead of the usual limit. The gateway checks a session before it reads such a body.
   */
  readonly bodyBytes?: number
  /**
   * `strong`: the handler sends one ETag for each content encoding. `weak`: `registerOperation` adds a hash of the
   * response.
   */
  readonly etag?: 'strong' | 'weak'
  /** The server adds the error codes that follow from method and access (`errorCodesOf`). */
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

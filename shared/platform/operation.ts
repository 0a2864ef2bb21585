import type { Static, TSchema } from 'typebox'
import type { StaffRole } from './staff-roles.ts'

/**
 * Who may call an operation; the server's `registerOperation` enforces it before the handler runs. `provider` is proven by
 * a signature, `browser` is a report that the browser itself sends: neither request comes from a page. `tester` is proven by
 * the key of the demo (DEMO_CONTROL_KEY), and such operations exist in MODE=demo only. `staff` is signed in at the desk, and
 * such operations exist only where the desk is configured (DESK_OIDC_ISSUER).
 */
export type Access = 'anyone' | 'user' | 'agent' | 'signed-in' | 'staff' | 'provider' | 'browser' | 'tester'

export interface OperationShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Fastify spelling: `/api/orders/:id`. */
  readonly path: string
  readonly summary: string
  readonly feature: string
  readonly access: Access
  /** For `staff`: the caller has one of these roles. Default: any role. */
  readonly roles?: readonly StaffRole[]
  /**
   * For `staff`: pages call it without a press, so it does not extend the idle limit of the session. `again`: only when the
   * query says so.
   */
  readonly isQuiet?: true | 'again'
  /** Needed to finish a payment that has begun: an overloaded gateway refuses it last. */
  readonly refusedLast?: true
  /** Asked all the time and changing nothing: a successful answer is logged at level `debug`, a failure as always. */
  readonly isRoutine?: true
  readonly params?: TSchema
  readonly query?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  /** The success shape. Failures are always a `Problem`. */
  readonly response: TSchema
  /** It may be answered 202, with the same shape: nothing is done before another person approves. */
  readonly mayWait?: true
  /** A success without a body: `response` is then null. */
  readonly status?: 204
  /** Set where the success answer is a file; the schema then describes its content. */
  readonly contentType?: string
  /**
   * An event stream (`contentType: 'text/event-stream'`): the name of its events and the schema of their data, which name what
   * changed and hold nothing of it. It ends with an event `closing`.
   */
  readonly stream?: { readonly event: string; readonly data: TSchema }
  /** Media types of the body, where they are not `application/json`: bytes, which no schema describes. The handler checks them. */
  readonly consumes?: readonly string[]
  /** The limit of a body that may be longer than others; it is read after the caller is known. */
  readonly bodyBytes?: number
  /**
   * The success answer carries an ETag, and 304 answers a request that already has it. `strong`: the handler sends it, one for
   * each content encoding. `weak`: `registerOperation` adds a hash of the answer.
   */
  readonly etag?: 'strong' | 'weak'
  /**
   * Codes that this operation itself throws. Those that follow from method and access (a session, the origin, the
   * framework, the load) are added by `errorCodesOf` of the server.
   */
  readonly errors?: readonly string[]
}

/**
 * An operation is written once: the server implements it, the browser calls it, OpenAPI and the tests read it. The browser
 * has method, path, access and stream of it (client/platform/contract.plugin.ts).
 */
export function defineOperation<const O extends OperationShape>(operation: O): O {
  return operation
}

type StaticOr<T, Otherwise> = T extends TSchema ? Static<T> : Otherwise

export type ParamsOf<O extends OperationShape> = StaticOr<O['params'], undefined>
export type QueryOf<O extends OperationShape> = StaticOr<O['query'], undefined>
export type BodyOf<O extends OperationShape> = StaticOr<O['body'], undefined>
export type ResponseOf<O extends OperationShape> = Static<O['response']>
/** The data of an event of the stream. */
export type StreamDataOf<O extends OperationShape> = O['stream'] extends { data: infer D extends TSchema }
  ? Static<D>
  : never

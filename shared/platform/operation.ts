import type { Static, TSchema } from 'typebox'

/**
 * Who may call an operation; the server's `implement` enforces it before the body of the route runs. `provider` proves
 * itself by a signature, `browser` is the browser that reports of its own accord: neither can say which page it is from.
 */
export type Caller = 'anyone' | 'user' | 'agent' | 'signed-in' | 'provider' | 'browser'

export interface OperationShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify spelling: `/api/orders/:id`. */
  readonly path: string
  readonly summary: string
  readonly room: string
  readonly caller: Caller
  readonly params?: TSchema
  readonly query?: TSchema
  readonly headers?: TSchema
  readonly body?: TSchema
  /** The success shape. Failures are always a `Problem`. */
  readonly response: TSchema
  /** Set where a success says nothing: `response` is then null. */
  readonly status?: 204
  /** Set where the success answer is not JSON; the schema then describes one string of bytes. */
  readonly contentType?: string
}

/** An operation is written once: the server implements it, the browser calls it, OpenAPI and the tests read it. */
export function defineOperation<const O extends OperationShape>(operation: O): O {
  return operation
}

type StaticOr<T, Otherwise> = T extends TSchema ? Static<T> : Otherwise

export type ParamsOf<O extends OperationShape> = StaticOr<O['params'], undefined>
export type QueryOf<O extends OperationShape> = StaticOr<O['query'], undefined>
export type BodyOf<O extends OperationShape> = StaticOr<O['body'], undefined>
export type ResponseOf<O extends OperationShape> = Static<O['response']>

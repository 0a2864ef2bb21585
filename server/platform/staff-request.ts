import type { FastifyRequest } from 'fastify'
import type { OperationShape } from '#shared/platform/operation.ts'

export interface StaffRequest {
  readonly key: string
  readonly body: unknown
}

/**
 * A request of staff. A repeated idempotency key must come with the same body, except `over`, which staff set to
 * continue although a colleague is working on the order.
 */
export const staffRequestOf = (
  { path }: OperationShape,
  { headers, params }: FastifyRequest,
  body: unknown,
): StaffRequest => ({
  key: String(headers['idempotency-key']),
  body: [path, params, { ...(body as object | null | undefined), over: undefined }],
})

import type { FastifyRequest } from 'fastify'
import type { OperationShape } from '#shared/platform/operation.ts'

export interface StaffRequest {
  readonly key: string
  readonly body: unknown
}

/** The same key with another content is refused. `over` (a colleague has the order) is not part of the content. */
export const staffRequestOf = (
  { path }: OperationShape,
  { headers, params }: FastifyRequest,
  body: unknown,
): StaffRequest => ({
  key: String(headers['idempotency-key']),
  body: [path, params, { ...(body as object | null | undefined), over: undefined }],
})

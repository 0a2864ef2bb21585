import type { OperationShape } from '#shared/platform/operation.ts'

export interface StaffRequest {
  readonly key: string
  readonly body: unknown
}

interface ActCall {
  readonly params: unknown
  readonly body?: unknown
  readonly request: { readonly headers: Readonly<Record<string, unknown>> }
}

/** The same key with another content is refused; `over` is not part of the content. */
export const staffRequestOf = (
  { path }: Pick<OperationShape, 'path'>,
  { params, body, request }: ActCall,
): StaffRequest => ({
  key: String(request.headers['idempotency-key']),
  body: [path, params, { ...(body as object | null | undefined), over: undefined }],
})

import type { OperationShape } from '#shared/platform/operation.ts'

/** An act of staff that is carried out once (`once` of the audit). */
export interface StaffRequest {
  /** The key of a form, from its opening to its closing. */
  readonly key: string
  /** The content, which a repetition must have, too. */
  readonly body: unknown
}

interface ActCall {
  readonly params: unknown
  readonly body?: unknown
  readonly request: { readonly headers: Readonly<Record<string, unknown>> }
}

/** For an operation with `ActHeaders`. The same key with another content is refused; `over` is no part of the content. */
export const staffRequestOf = (
  { path }: Pick<OperationShape, 'path'>,
  { params, body, request }: ActCall,
): StaffRequest => ({
  key: String(request.headers['idempotency-key']),
  body: [path, params, { ...(body as object | null | undefined), over: undefined }],
})

import type { OperationShape } from '#shared/platform/operation.ts'

/** An act of staff that is carried out once (`once` of the audit). */
export interface StaffRequest {
  /** Of a form, from its opening to its closing. */
  readonly key: string
  /** What a repeated one must agree with. */
  readonly body: unknown
}

interface ActCall {
  readonly params: unknown
  readonly body?: unknown
  readonly request: { readonly headers: Readonly<Record<string, unknown>> }
}

/** Of an operation with `ActHeaders`. The same key for something else is refused; whom it takes a row from is nothing else. */
export const staffRequestOf = (
  { path }: Pick<OperationShape, 'path'>,
  { params, body, request }: ActCall,
): StaffRequest => ({
  key: String(request.headers['idempotency-key']),
  body: [path, params, { ...(body as object | null | undefined), over: undefined }],
})

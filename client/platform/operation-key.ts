import type { OperationShape } from '#shared/platform/operation.ts'

/** One key per call, so that rooms which read the same list share one answer without knowing each other. */
export function operationKey(operation: OperationShape, params?: Readonly<Record<string, string>>) {
  return [operation.method, operation.path, params ?? {}] as const
}

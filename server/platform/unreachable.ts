/**
 * The request certainly had no effect. The class has its own file, so that services can test for it without importing
 * the HTTP client.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
  /** HTTP status of an answer that does not show the outcome; `undefined` without a complete answer. */
  readonly status: number | undefined
  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/**
 * The request certainly had no effect. This class has its own file, so that a check for it does not import the HTTP
 * client.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError'
  /** HTTP status of a response that does not show the outcome; undefined without a complete response. */
  readonly status: number | undefined
  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

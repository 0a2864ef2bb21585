/**
 * No complete response was received. With `isOutcomeUnknown` the request may have had its effect. A file of its own, so
 * that services can test for it without importing the HTTP client.
 */
export class UnreachableError extends Error {
  readonly isOutcomeUnknown: boolean
  constructor(message: string, isOutcomeUnknown: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'Unreachable'
    this.isOutcomeUnknown = isOutcomeUnknown
  }
}

export interface SendingState {
  /** A time of `elapsedBy`: until then no SMS is sent, because the service refused our credentials. */
  smsPausedUntil: number
  /**
   * A time of `elapsedBy`: until then no e-mail is sent, because the mail server did not answer or refused our
   * credentials.
   */
  mailPausedUntil: number
  /** The number of SMS in the 24 hours before `budgetReadAt`, plus those that this gateway has sent since then. */
  budgetUsed: number
  budgetReadAt: number
  readonly alarmedAt: Map<string, number>
}

export const newSendingState = (): SendingState => ({
  smsPausedUntil: 0,
  mailPausedUntil: 0,
  budgetUsed: 0,
  budgetReadAt: Number.NEGATIVE_INFINITY,
  alarmedAt: new Map(),
})

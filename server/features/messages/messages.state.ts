export interface SendingState {
  /** No SMS is sent before this time of `elapsedBy`: our credentials were refused. */
  smsPausedUntil: number
  /** No e-mail is sent before this time of `elapsedBy`: the mail server failed or refused our credentials. */
  mailPausedUntil: number
  /** Counts the SMS of the 24 hours before `budgetReadAt`, and those of this gateway since then. */
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

export interface SendingState {
  /** A time of `elapsedBy`, set when the service refused the credentials. */
  smsPausedUntil: number
  /** A time of `elapsedBy`, set when the server was not reached or refused the credentials. */
  mailPausedUntil: number
  /** SMS of the last 24 hours, counted at `budgetReadAt`, plus those that this gateway sent since. */
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

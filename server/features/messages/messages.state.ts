/** Memory of one gateway about the messages that it sends. After a restart the services and the database are asked again. */
export interface SendingState {
  /** No SMS is sent before this `elapsedBy`: the service refused the gateway's credentials. */
  smsPausedUntil: number
  /** No letter is sent before this `elapsedBy`: the server was not reached, or refused the credentials. SMS go on. */
  mailPausedUntil: number
  /** SMS of the last 24 hours, as counted at `budgetReadAt`, and those that this gateway has sent since. */
  budgetUsed: number
  budgetReadAt: number
  /** When an alarm was last logged, by its detail. */
  readonly alarmedAt: Map<string, number>
}

export const newSendingState = (): SendingState => ({
  smsPausedUntil: 0,
  mailPausedUntil: 0,
  budgetUsed: 0,
  budgetReadAt: Number.NEGATIVE_INFINITY,
  alarmedAt: new Map(),
})

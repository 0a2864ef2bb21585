const hour = 60 * 60_000

/**
 * What becomes of a change of number that the desk has approved: the new number took the account, the old one cancelled it by
 * a sign-in, or another change took its place.
 */
export const numberChangeStates = ['waiting', 'taken', 'cancelled', 'replaced'] as const
export type NumberChangeState = (typeof numberChangeStates)[number]

export const numberChangeRules = {
  /** The old number can cancel it before the new one gets the account. */
  waitMs: 24 * hour,
  /** After that the new number has this long to sign in. */
  lifeMs: 30 * 24 * hour,
}

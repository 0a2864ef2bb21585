const hour = 60 * 60_000

/**
 * `taken`: the new number has the account. `cancelled`: the old number signed in. `replaced`: the account got a number
 * by another change.
 */
export const numberChangeStates = ['waiting', 'taken', 'cancelled', 'replaced'] as const
export type NumberChangeState = (typeof numberChangeStates)[number]

export const numberChangeRules = {
  /** The old number can cancel the change meanwhile. */
  waitMs: 24 * hour,
  /** The new number has this long to sign in. */
  lifeMs: 30 * 24 * hour,
}

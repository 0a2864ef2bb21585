const hour = 60 * 60_000

/**
 * States of an approved change of number. `taken`: the new number has the account. `cancelled`: the old number
 * signed in. `replaced`: the account got a number by another change.
 */
export const numberChangeStates = ['waiting', 'taken', 'cancelled', 'replaced'] as const
export type NumberChangeState = (typeof numberChangeStates)[number]

export const numberChangeRules = {
  /** The old number can cancel it before the new one gets the account. */
  waitMs: 24 * hour,
  /** After that the new number has this long to sign in. */
  lifeMs: 30 * 24 * hour,
}

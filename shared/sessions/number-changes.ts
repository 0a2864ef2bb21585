const hour = 60 * 60_000

/**
 * `taken`: the new phone number has the account. `cancelled`: the owner signed in with the old phone number.
 * `replaced`: another change gave the account a phone number.
 */
export const numberChangeStates = ['waiting', 'taken', 'cancelled', 'replaced'] as const
export type NumberChangeState = (typeof numberChangeStates)[number]

export const numberChangeRules = {
  /** A sign-in with the old phone number cancels the change of the number within this time. */
  waitMs: 24 * hour,
  /** After `waitMs`, the owner must sign in with the new phone number within this time. */
  lifeMs: 30 * 24 * hour,
}

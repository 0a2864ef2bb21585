const hour = 60 * 60_000

/**
 * `taken`: the new phone has the account. `cancelled`: the owner signed in with the old phone. `replaced`: another
 * change gave the account a phone.
 */
export const numberChangeStates = ['waiting', 'taken', 'cancelled', 'replaced'] as const
export type NumberChangeState = (typeof numberChangeStates)[number]

export const numberChangeRules = {
  /** The change waits this long, so that a sign-in with the old phone can cancel it. */
  waitMs: 24 * hour,
  /** After the wait, the owner must sign in with the new phone within this time. */
  lifeMs: 30 * 24 * hour,
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Lives of sessions, by NIST SP 800-63B (AAL1 for pilgrims, AAL2 for agents). The privacy page states them. */
export const sessionLife = {
  user: { idleMs: 7 * day, absoluteMs: 30 * day },
  agent: { idleMs: hour, absoluteMs: 12 * hour },
} as const

export const bindingLifeMs = day

export const deviceLifeMs = 180 * day

/** Most SMS arrive within this time. Then the gateway asks the code service once whether an SMS arrived. */
export const deliveryAfterMs = 20_000

export const confirmationLifeMs = 5 * minute

/**
 * A newly proven e-mail address can recover the account only after this time. Until then its owner can remove the
 * address, and the owner of the mailbox can refuse it. After a refusal the account accepts no address for as long.
 */
export const emailWaitMs = day

/** Within this time after the code, a sign-up can be finished in the same browser without another SMS. */
export const signUpProofMs = 10 * minute

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * The privacy page states them, and `test/repo/texts.test.ts` compares the two. A session ends when unused for
 * `idleMs`, at the latest after `absoluteMs` (NIST SP 800-63B: AAL1 for pilgrims, AAL2 for agents).
 */
export const sessionLife = {
  user: { idleMs: 7 * day, absoluteMs: 30 * day },
  agent: { idleMs: hour, absoluteMs: 12 * hour },
} as const

/** Longer than any code is valid. */
export const bindingLifeMs = day

/** A device is known this long after its last sign-in. */
export const deviceLifeMs = 180 * day

/** The code service is asked for the delivery once, this long after an SMS: most have arrived by then. */
export const deliveryAfterMs = 20_000

/** A confirmed request can be made once within this time. */
export const confirmationLifeMs = 5 * minute

/**
 * A newly proven address can move the account to another number only after this time. Until then its owner can remove
 * it and the mailbox can refuse it. After a refusal no address is accepted for as long.
 */
export const emailWaitMs = day

/** A sign-up can be finished in the same browser without another SMS. */
export const signUpProofMs = 10 * minute

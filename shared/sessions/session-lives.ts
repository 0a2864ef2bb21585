const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * A session ends when it is unused for `idleMs`, and after `absoluteMs` at the latest (NIST SP 800-63B: AAL1 for
 * pilgrims, AAL2 for agents). The privacy page states these times, and `test/repo/texts.test.ts` compares them.
 */
export const sessionLife = {
  user: { idleMs: 7 * day, absoluteMs: 30 * day },
  agent: { idleMs: hour, absoluteMs: 12 * hour },
} as const

/** The cookie that binds a code to its browser lives longer than any code is valid. */
export const bindingLifeMs = day

/** A device is known for this time after its last sign-in. */
export const deviceLifeMs = 180 * day

/**
 * This long after an SMS the gateway asks the code service once whether it was delivered. Most SMS have arrived by
 * then.
 */
export const deliveryAfterMs = 20_000

/** A confirmed request can be made once, within this time. */
export const confirmationLifeMs = 5 * minute

/**
 * A newly proven e-mail address can move the account to another phone only after this time. Until then the owner of the
 * account can remove the address, and the owner of the mailbox can refuse the account. After a refusal the account
 * accepts no address for the same time.
 */
export const emailWaitMs = day

/** Within this time a sign-up can be finished in the same browser without another SMS. */
export const signUpProofMs = 10 * minute

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * Lives of sessions and cookies. The privacy page names them in every language, and `test/repo/texts.test.ts` compares
 * the two. A session ends when it is unused for `idleMs`, at the latest after `absoluteMs` (NIST SP 800-63B: AAL1 for
 * pilgrims, AAL2 for agents).
 */
export const sessionLife = {
  user: { idleMs: 7 * day, absoluteMs: 30 * day },
  agent: { idleMs: hour, absoluteMs: 12 * hour },
} as const

/** Life of the cookie that ties a one-time code to the browser that requested it: longer than that of any code. */
export const bindingLifeMs = day

/** The cookie of a known device, and its row, after the device's last sign-in. */
export const deviceLifeMs = 180 * day

/** The code service is asked this long after an SMS, once, whether it arrived: most have by then. */
export const deliveryAfterMs = 20_000

/** A confirmed request can be made for this long, once. */
export const confirmationLifeMs = 5 * minute

/**
 * A newly proven address moves the account to another number only after this time, during which its owner can remove it and
 * the mailbox can refuse it. After a refusal no address is accepted for as long.
 */
export const emailWaitMs = day

/** How long a sign-up can be finished without another SMS after the phone was proven, in the same browser. */
export const signUpProofMs = 10 * minute

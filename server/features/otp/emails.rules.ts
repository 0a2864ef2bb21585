import { hashOf } from '#server/platform/secrets.ts'
import { type OtpLimits, type Rule, rulesFor } from './limits.rules.ts'
import { challengeRules, day } from './otp.rules.ts'

/** What the limits of a code to an address count by, in place of a phone: the user who proves it, or the address itself. */
export const keyOfUser = (userId: number) => `user:${userId}`
export const keyOfEmail = (email: string) => `email:${hashOf(email)}`

/** Codes per key in a day. */
const codesPerDay = 3
/** Into one mailbox, by all accounts together. */
const codesPerMailbox = 2 * codesPerDay
const pauseMs = 60_000

/**
 * The rules for codes to addresses: they have no prefix and no country. Budget and share of an address have the numbers of
 * the codes to phones, and are counted apart from them: what pretends to send must not use up SMS.
 */
export function emailRulesFor(limits: OtpLimits): ReturnType<typeof rulesFor> {
  const { open, alarms, restriction, ...rules } = rulesFor(limits, '')
  const sent = ['unanswered', 'answered', 'joined'] as const
  const sends = (per: 'phone' | 'mailbox', count: number, windowMs: number): Rule => ({
    name: 'email-codes',
    code: count === 1 ? 'CODE_REQUESTED_TOO_SOON' : 'TOO_MANY_CODES',
    counts: count === 1 ? [...sent, 'refused', 'blocked'] : sent,
    ...{ per, count, windowMs },
  })
  return {
    ...rules,
    sends: [
      sends('phone', 1, pauseMs),
      sends('phone', codesPerDay, day),
      sends('mailbox', codesPerMailbox, day),
    ],
    open: open.filter(({ per }) => per === 'all'),
    pauses: [],
    switches: [],
    newPhone: [],
    alarms: alarms.filter(({ per }) => per === 'all'),
    restriction: restriction.filter(({ per }) => per === 'all'),
  }
}

/** As long a code to an address may be entered: letters come later than SMS. */
export const emailCodeLifeMs = challengeRules.providerLifeMs

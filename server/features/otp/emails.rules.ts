import { hashOf } from '#server/platform/secrets.ts'
import { type OtpLimits, type Rule, rulesFor } from './limits.rules.ts'
import { challengeRules, day, type EmailRole } from './otp.rules.ts'

/** What the limits of a code to an address count by, in place of a phone: the user who proves it, or the address itself. */
export const keyOfUser = (userId: number) => `user:${userId}`
export const keyOfEmail = (email: string) => `email:${hashOf(email)}`

/** Codes in a day by which a user proves an address. */
const codesPerDay = 3
/** Codes in a day into one mailbox: of all accounts that try to prove it, and of recoveries, which strangers may ask for. */
const codesPerMailbox = { email: 2 * codesPerDay, recovery: 12 } as const satisfies Record<EmailRole, number>
const pauseMs = 60_000

/** Letters that one browser may ask for in a day, whatever the address: strangers must not use up a recovery. */
export const lettersPerBrowser = { count: 3, windowMs: day }

/**
 * The rules for codes to addresses: they have no prefix and no country. Budget and share of an address have the numbers of
 * the codes to phones, and are counted apart from them: what pretends to send must not use up SMS.
 */
export function emailRulesFor(limits: OtpLimits, role: EmailRole): ReturnType<typeof rulesFor> {
  const { open, alarms, restriction, ...rules } = rulesFor(limits, '')
  const sent = ['unanswered', 'answered', 'joined'] as const
  const sends = (per: 'phone' | 'mailbox', count: number, windowMs: number): Rule => ({
    name: 'email-codes',
    code: count === 1 ? 'CODE_REQUESTED_TOO_SOON' : 'TOO_MANY_CODES',
    counts: count === 1 ? [...sent, 'refused', 'blocked'] : sent,
    per,
    count,
    windowMs,
  })
  return {
    ...rules,
    sends: [
      sends('phone', 1, pauseMs),
      ...(role === 'email' ? [sends('phone', codesPerDay, day)] : []),
      sends('mailbox', codesPerMailbox[role], day),
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

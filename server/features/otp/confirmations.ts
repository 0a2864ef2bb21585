import type { Core } from '#server/core.ts'
import { phoneGroups } from '#server/platform/phone.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { attemptOf, type Browser } from './attempts.ts'
import { channelsFor } from './channels.rules.ts'
import { keyOfEmail, keyOfUser } from './emails.rules.ts'
import type { CheckOutcome } from './otp.provider.ts'
import { type ChallengeRow, changeChallenge, listLive, setOutcome } from './otp.queries.ts'
import { challengeRules, emailCodeLifeMs, guessRules } from './otp.rules.ts'
import { channelOf, type SentCode, send } from './send-codes.ts'

export interface ConfirmOrder {
  readonly userId: number
  readonly phone: string
  readonly email: string | null
  readonly channel: SendChannel | undefined
  readonly language: LanguageCode
}

/**
 * All browsers of the account share these limits, which are separate from those of sign-ins.
 * @throws Failure as `sendCode`, without the limits of wrong codes
 */
export async function sendConfirmation(
  core: Core,
  { userId, phone, email, channel: chosen, language }: ConfirmOrder,
  browser: Browser,
): Promise<SentCode<SendChannel> & { readonly challengeId: string }> {
  const groups = phoneGroups(phone)
  const byPhone: readonly SendChannel[] = channelsFor(groups.country, core.config)
  const channels = email === null ? byPhone : [...byPhone, 'email' as const]
  const channel = channelOf(chosen, channels)
  const attempt = attemptOf(core, browser, { role: 'confirm', phone, trust: 'session', ...groups, channel })
  const isLetter = channel === 'email' && email !== null
  return send(core, attempt, browser, {
    channels,
    isChosen: chosen !== undefined,
    language,
    isServed: true,
    lifeMs: isLetter ? emailCodeLifeMs : challengeRules.lifeMs,
    email,
    others: isLetter
      ? [
          { role: 'recovery', phone: keyOfEmail(email), email },
          { role: 'email', phone: keyOfUser(userId), email },
        ]
      : [{ role: 'user', phone, email: null }],
  })
}

export async function findConfirmation(
  core: Core,
  phone: string,
  browser: Pick<Browser, 'binding'>,
): Promise<ChallengeRow | undefined> {
  const [live] = await listLive(core, browser, { role: 'confirm', phone }, core.clock.now())
  return live?.state === 'sent' ? live : undefined
}

/** @throws Failure OTP_UNAVAILABLE */
export async function compareConfirmation(
  core: Core,
  { provider_ref: ref, phone, email }: ChallengeRow,
  typed: string,
): Promise<CheckOutcome> {
  if (ref === null) return 'expired'
  return core.providers.otp.check({ ref, to: email ?? phone, role: 'confirm' }, foldDigits(typed))
}

/** @returns false when too many answers were lost for this code */
export async function countLostAnswer(core: Core, { id, uncertain_checks }: ChallengeRow): Promise<boolean> {
  if (uncertain_checks >= guessRules.uncountedPerCode) return false
  return changeChallenge(core, { id, uncertain_checks }, { uncertain_checks: uncertain_checks + 1 })
}

export async function spendConfirmation(core: Core, { id, send_id }: ChallengeRow): Promise<boolean> {
  if (!(await changeChallenge(core, { id, state: 'sent' }, { state: 'spent' }))) return false
  await setOutcome(core, send_id, 'answered')
  return true
}

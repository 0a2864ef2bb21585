import { phoneGroups } from '#server/platform/phone.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import type { Attempt, Attempts, Browser } from './attempts.service.ts'
import { emailCodeLifeMs, keyOfEmail, keyOfUser } from './emails.rules.ts'
import type { CodesDeps } from './limits.service.ts'
import type { CheckOutcome } from './otp.provider.ts'
import { type ChannelConfig, challengeRules, channelsFor, fieldRefusal, guessRules } from './otp.rules.ts'
import type { ChallengeRow } from './otp.store.ts'
import type { CodeSending, OtherCodes, SentCode } from './sends.service.ts'

/** A code that confirms a request of a signed-in user. */
export interface ConfirmOrder {
  readonly userId: number
  /** The account's present number, E.164. */
  readonly phone: string
  /** The account's address, where a code to it serves as well. */
  readonly email: string | null
  /** By the first one on offer where none was chosen. */
  readonly channel: SendChannel | undefined
  readonly language: LanguageCode
}

type SentConfirmation = SentCode<SendChannel> & { readonly challengeId: string }

/**
 * Codes that confirm a request. They are sent and limited as those of sign-in, under a role of their own; who asked for one,
 * and how many wrong codes were entered, is known to the session.
 */
export function createConfirmCodes(
  {
    store,
    provider,
    clock,
    channels: offer,
  }: Pick<CodesDeps, 'store' | 'provider' | 'clock'> & {
    readonly channels: ChannelConfig
  },
  attempts: Pick<Attempts, 'readConfirmation'>,
  sendBy: (attempt: Attempt, sending: CodeSending, browser: Browser) => Promise<SentConfirmation>,
) {
  return {
    /**
     * Sends a code, or returns the one that this browser was sent a moment ago.
     * @throws Failure as `OtpService.sendCode`, without the limits of wrong codes
     */
    async sendConfirmation(order: ConfirmOrder, browser: Browser): Promise<SentConfirmation> {
      const { userId, phone, email, channel: chosen, language } = order
      const byPhone: readonly SendChannel[] = channelsFor(phoneGroups(phone).country, offer)
      const channels = email === null ? byPhone : [...byPhone, 'email' as const]
      const channel = chosen ?? channels[0]
      if (channel === undefined) throw fieldRefusal('phone', 'PHONE_CANNOT_RECEIVE_CODES')
      const attempt = attempts.readConfirmation(phone, channel, browser)
      attempt.log('info', 'code-asked')
      const toPhone: OtherCodes[] = [{ role: 'user', phone, email: null }]
      const toAddress = (address: string): OtherCodes[] => [
        { role: 'recovery', phone: keyOfEmail(address), email: address },
        { role: 'email', phone: keyOfUser(userId), email: address },
      ]
      return sendBy(
        attempt,
        {
          channels,
          isChosen: chosen !== undefined,
          language,
          isServed: true,
          email,
          lifeOf: (by) => (by === 'email' ? emailCodeLifeMs : challengeRules.lifeMs),
          othersOf: (by) => (by === 'email' && email !== null ? toAddress(email) : toPhone),
          needsOwnCode: true,
        },
        browser,
      )
    },

    /** The newest code that this browser was sent to confirm a request of the number's account, unless it was entered. */
    async findConfirmation(phone: string, { binding }: Browser): Promise<ChallengeRow | undefined> {
      if (!isToken(binding)) return undefined
      const live = await store.findChallenge({ role: 'confirm', phone }, hashOf(binding), clock.now())
      return live?.state === 'sent' ? live : undefined
    },

    /** Compares a typed code with the one that was sent. @throws Failure OTP_UNAVAILABLE */
    async compareConfirmation(
      { provider_ref, phone, email }: ChallengeRow,
      typed: string,
    ): Promise<CheckOutcome> {
      if (provider_ref === null) return 'expired'
      return provider.check({ ref: provider_ref, to: email ?? phone, role: 'confirm' }, foldDigits(typed))
    },

    /** Counts a check whose answer was lost; false where too many of this code are. */
    countLostAnswer: ({ id }: ChallengeRow) => store.countLostAnswer(id, guessRules.uncountedPerCode),

    /** Consumes a code that was right; false when it was consumed before. */
    async spendConfirmation({ id, send_id }: ChallengeRow): Promise<boolean> {
      if (!(await store.spendSent(id))) return false
      await store.setOutcome(send_id, 'answered')
      return true
    },
  }
}

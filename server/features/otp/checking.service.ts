import type { Clock } from '#server/platform/clock.ts'
import { isFailure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { UnreachableError } from '#server/platform/unreachable.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import type { Attempt, AttemptsService, Browser } from './attempts.service.ts'
import type { LimitsService } from './limits.service.ts'
import type { CheckOutcome, OtpProvider } from './otp.provider.ts'
import { challengeRules, fieldRefusal, guessRules, type Role } from './otp.rules.ts'
import type { CountedCheck, OtpStore } from './otp.store.ts'

/** A phone that was proven in a browser, and the challenge that proved it. */
export interface CodeProof {
  readonly role: Role
  readonly phone: string
  readonly challengeId: string
}

interface CheckingDeps {
  readonly store: OtpStore
  readonly provider: OtpProvider
  readonly clock: Clock
  /** Whether the phone (E.164) has a user account. */
  readonly isUser: (phone: string) => Promise<boolean>
  readonly attempts: AttemptsService
  readonly limits: LimitsService
}

/** A wrong code, an expired one and one that was sent to another browser are answered alike. */
export const wrongCode = () => fieldRefusal('code', 'CODE_INVALID')

export function createChecking({ store, provider, clock, isUser, attempts, limits }: CheckingDeps) {
  const refuse = ({ log }: Attempt, code: 'CODE_INVALID' | 'CODE_USED_UP', outcome: string) => {
    log('info', 'code-refused', { outcome })
    return fieldRefusal('code', code)
  }

  /** Counts a wrong check, or finds the proof this browser already has. @throws Failure of the limit reached. */
  const claimCheck = (attempt: Attempt, browserHash: string, now: number) =>
    attempts.inTurn(attempt, now, async (failures) => {
      const live = await store.findChallenge(attempt.origin, browserHash, now)
      if (live?.state === 'proven') return { proven: live }
      // Not counted: without a code there is nothing to guess, and any browser could lock any phone.
      if (!live) throw refuse(attempt, 'CODE_INVALID', 'unknown')
      const tries = await limits.triesPerCode(attempt, now)
      if (live.checks >= tries) throw refuse(attempt, 'CODE_USED_UP', 'used-up')
      const reached = await limits.findCheckLimit(attempt, failures, now)
      if (reached) throw limits.refusal(attempt, reached, now)
      const check = await store.countCheck(attempt.origin, live.id, tries, now)
      if (!check) throw refuse(attempt, 'CODE_INVALID', 'unknown')
      return { check, isLast: check.challenge.checks >= tries }
    })

  /** Uncounts a check that certainly did not reach the provider, and per code a few whose answers are lost. */
  async function compare(check: CountedCheck, code: string): Promise<CheckOutcome> {
    const { phone, role } = check.origin
    const ref = check.challenge.provider_ref
    try {
      if (ref !== null) return await provider.check({ ref, phone, role }, code)
      await provider.pretendCheck(code, role)
      return 'rejected'
    } catch (error) {
      if (isFailure(error, 'OTP_UNAVAILABLE')) {
        const isCertain = error.cause instanceof UnreachableError
        await store.uncountCheck(check, isCertain, guessRules.uncountedPerCode, clock.now())
      }
      throw error
    }
  }

  /**
   * A proof that the code is right, or was within the last ten minutes in this browser.
   * @throws Failure PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, CODE_INVALID, CODE_USED_UP, OTP_UNAVAILABLE, and where a
   * limit is reached TOO_MANY_WRONG_CODES, PHONE_LOCKED.
   */
  return async function checkCode(
    role: Role,
    typedPhone: string,
    typedCode: string,
    browser: Browser,
  ): Promise<CodeProof> {
    const attempt = await attempts.read(role, typedPhone, browser)
    const { phone } = attempt.origin
    if (!browser.binding) throw wrongCode()
    // Counted and committed before the code is compared: parallel guesses cannot share one count.
    const { proven, check, isLast } = await claimCheck(attempt, hashOf(browser.binding), clock.now())
    if (proven) return { role, phone, challengeId: proven.id }
    const answer = await compare(check, foldDigits(typedCode))
    if (answer !== 'approved') throw refuse(attempt, isLast ? 'CODE_USED_UP' : 'CODE_INVALID', answer)
    const outcome = role === 'agent' || (await isUser(phone)) ? 'answered' : 'joined'
    const now = clock.now()
    if (!(await store.markProven(check, outcome, now, now + challengeRules.provenMs))) throw wrongCode()
    return { role, phone, challengeId: check.challenge.id }
  }
}

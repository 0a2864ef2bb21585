import { isFailure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { UnreachableError } from '#server/platform/unreachable.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import type { Attempt, Attempts, Browser } from './attempts.service.ts'
import type { CodesDeps, Limits } from './limits.service.ts'
import type { CheckOutcome } from './otp.provider.ts'
import { challengeRules, fieldRefusal, guessRules } from './otp.rules.ts'
import type { CountedCheck } from './otp.store.ts'

/** A wrong code, an expired one and one that was sent to another browser are answered alike. */
export const wrongCode = () => fieldRefusal('code', 'CODE_INVALID')

/** Compares typed codes with those that were sent. */
export function createChecks(
  { store, provider, clock, isUser }: CodesDeps,
  attempts: Attempts,
  limits: Limits,
) {
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
      const events = await attempts.listEvents(attempt, now)
      const reached = await limits.findCheckLimit(attempt, failures, events, now)
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
      const to = check.challenge.email ?? phone
      if (ref !== null) return await provider.check({ ref, to, role }, code)
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
   * The id of the challenge that the code proves.
   * @throws Failure CODE_INVALID, CODE_USED_UP, OTP_UNAVAILABLE, and of the limit reached
   */
  async function proveChallenge(attempt: Attempt, typedCode: string, browser: Browser): Promise<string> {
    const { role, phone } = attempt.origin
    if (!browser.binding) throw wrongCode()
    // Counted and committed before the code is compared: parallel guesses cannot share one count.
    const { proven, check, isLast } = await claimCheck(attempt, hashOf(browser.binding), clock.now())
    if (proven) return proven.id
    const answer = await compare(check, foldDigits(typedCode))
    if (answer !== 'approved') throw refuse(attempt, isLast ? 'CODE_USED_UP' : 'CODE_INVALID', answer)
    const outcome = role !== 'user' || (await isUser(phone)) ? 'answered' : 'joined'
    const now = clock.now()
    if (!(await store.markProven(check, outcome, now, now + challengeRules.provenMs))) throw wrongCode()
    return check.challenge.id
  }

  return proveChallenge
}

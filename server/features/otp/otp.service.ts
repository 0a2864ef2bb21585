import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { deviceLifeMs } from '#shared/sessions/session-lives.ts'
import type { CodeExport } from '#shared/sessions/sessions.schemas.ts'
import { type AttemptsDeps, type Browser, createAttempts } from './attempts.service.ts'
import { type CodeProof, createChecking, wrongCode } from './checking.service.ts'
import { longestWindowMs } from './limits.rules.ts'
import { createLimits, type LimitsDeps } from './limits.service.ts'
import type { OtpProvider } from './otp.provider.ts'
import { challengeRules, failureMemoryMs, guessRules } from './otp.rules.ts'
import { createSending, type SentCode } from './sending.service.ts'

/** Other features import this file alone. */
export type { Browser, CodeProof, SentCode }

export interface OtpDeps extends AttemptsDeps, LimitsDeps {
  readonly provider: OtpProvider
  /** Whether the phone (E.164) is an agent's. @throws Failure when the directory is not available. */
  readonly isAgent: (phone: string) => Promise<boolean>
}

/** Sends one-time codes and checks them. */
export type OtpService = ReturnType<typeof createOtp>

export function createOtp(deps: OtpDeps) {
  const { store, clock } = deps
  const parts = { ...deps, attempts: createAttempts(deps), limits: createLimits(deps) }
  return {
    sendCode: createSending(parts),
    checkCode: createChecking(parts),

    /**
     * Consumes a proof, in the transaction that opens the session. Returns the token that makes the browser a known
     * device. @throws Failure CODE_INVALID.
     */
    async redeemProof(proof: CodeProof, { device }: Browser): Promise<string> {
      const now = clock.now()
      if (!(await store.consumeProof(proof.challengeId, now))) throw wrongCode()
      // An unknown token may have been planted by an attacker, so a new one is issued.
      const isIssued = isToken(device) && (await store.isKnownDevice(hashOf(device), now - deviceLifeMs))
      const token = isIssued ? device : randomToken()
      await store.saveDevice(hashOf(token), proof, now)
      return token
    },

    /** The codes that were sent to a user's phone (E.164) and are still stored, newest first. */
    async exportCodes(phone: string): Promise<CodeExport[]> {
      const challenges = await store.listChallenges({ role: 'user', phone })
      return challenges.map(({ sent_at, expires_at, checks, state }) => ({
        sentAt: isoOf(sent_at),
        validUntil: isoOf(expires_at),
        triedTimes: checks,
        state,
      }))
    },

    /** Deletes what is stored of a user's phone (E.164), known devices included. */
    eraseUserPhone: (phone: string) => store.erasePhone({ role: 'user', phone }),

    /** Deletes expired rows, at most `limit` of each kind; returns how many. */
    deleteExpired(limit: number): Promise<number> {
      const now = clock.now()
      const events = now - longestWindowMs(deps.limits)
      const before = {
        challenges: now - challengeRules.providerLifeMs,
        events,
        phones: events,
        failures: now - failureMemoryMs,
        devices: now - deviceLifeMs,
      }
      return store.deleteExpired(before, guessRules.consecutiveFailures, limit)
    },
  }
}

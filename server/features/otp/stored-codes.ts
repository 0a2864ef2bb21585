import type { Core } from '#server/core.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { deliveryAfterMs, deviceLifeMs } from '#shared/sessions/session-lives.ts'
import type { CodeDelivery, CodeExport } from '#shared/sessions/sessions.schemas.ts'
import type { Browser } from './attempts.ts'
import { keyOfEmail, keyOfUser } from './emails.rules.ts'
import { eventLifeMs } from './limits.rules.ts'
import {
  type ChallengeRow,
  changeChallenge,
  deleteExpired,
  erasePhone,
  listChallenges,
  listFailures,
  listLive,
  resetFailures,
} from './otp.queries.ts'
import { challengeRules, failureMemoryMs, guessRules, isEmailRole } from './otp.rules.ts'
import { deleteEnded } from './pairings.queries.ts'

interface CodesOwner {
  readonly id: number
  readonly phone: string
  readonly email: string | null
}

const codesOf = ({ id, phone, email }: CodesOwner): Pick<ChallengeRow, 'role' | 'phone'>[] => [
  { role: 'user', phone },
  { role: 'confirm', phone },
  { role: 'email', phone: keyOfUser(id) },
  ...(email === null ? [] : [{ role: 'recovery', phone: keyOfEmail(email) } as const]),
]
const keysOf = (owner: CodesOwner) => codesOf(owner).map(({ phone }) => phone)

export async function exportCodes(core: Core, owner: CodesOwner): Promise<CodeExport[]> {
  const found: ChallengeRow[] = []
  for (const codes of codesOf(owner)) found.push(...(await listChallenges(core, codes)))
  return found
    .toSorted((one, other) => other.sent_at - one.sent_at)
    .map(({ sent_at, expires_at, checks, state, channel, delivery }) => ({
      sentAt: isoOf(sent_at),
      channel: channel ?? 'sms',
      delivery,
      validUntil: isoOf(expires_at),
      triedTimes: checks,
      state,
    }))
}

export async function readFailures(
  core: Core,
  owner: CodesOwner,
): Promise<{ wrongCodes: number; isLocked: boolean }> {
  const rows = await listFailures(core, keysOf(owner))
  const found = rows.flatMap((row) => [row.consecutive_failures, row.known_consecutive_failures])
  return {
    wrongCodes: found.reduce((sum, one) => sum + one, 0),
    isLocked: found.some((one) => one >= guessRules.consecutiveFailures),
  }
}

export const unlockPhone = (core: Core, owner: CodesOwner): Promise<number> =>
  resetFailures(core, keysOf(owner))

export async function eraseUserPhone(core: Core, phone: string): Promise<void> {
  await erasePhone(core, { role: 'user', phone })
  await erasePhone(core, { role: 'confirm', phone })
}

export async function eraseUserEmails(core: Core, userId: number, email: string | null): Promise<void> {
  await erasePhone(core, { role: 'email', phone: keyOfUser(userId) })
  if (email !== null) await erasePhone(core, { role: 'recovery', phone: keyOfEmail(email) })
}

export async function deleteExpiredCodes(core: Core, limit: number): Promise<number> {
  const now = core.clock.now()
  const before = {
    challenges: now - challengeRules.providerLifeMs,
    events: now - eventLifeMs(core.config),
    failures: now - failureMemoryMs,
    devices: now - deviceLifeMs,
  }
  return (await deleteEnded(core, now, limit)) + (await deleteExpired(core, before, limit))
}

/**
 * For an agent's code the answer is `unknown`, because it would disclose who is an agent. It is also `unknown` for a
 * browser with codes for several phone numbers, because the request names none.
 */
export async function readDelivery(core: Core, browser: Pick<Browser, 'binding'>): Promise<CodeDelivery> {
  const now = core.clock.now()
  const live = await listLive(core, browser, {}, now)
  const [sent, ...earlier] = live.filter(({ role }) => !isEmailRole(role))
  if (earlier.some(({ role, phone }) => role !== sent?.role || phone !== sent.phone)) return 'unknown'
  if (!sent || sent.role === 'agent' || sent.channel !== 'sms' || sent.provider_ref === null) return 'unknown'
  if (sent.delivery !== null) return sent.delivery
  const { id } = sent
  const isDue = now >= sent.sent_at + deliveryAfterMs
  if (!isDue || !(await changeChallenge(core, { id, delivery: null }, { delivery: 'unknown' })))
    return 'unknown'
  const delivery = await core.providers.otp.readDelivery(sent.provider_ref)
  if (delivery !== 'unknown') await changeChallenge(core, { id }, { delivery })
  return delivery
}

import type { Core } from '#server/core.ts'
import { findAgentByPhone } from '#server/features/partner/partner.ts'
import { isFailure } from '#server/platform/errors.ts'
import { freeAt } from '#server/platform/limits.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import { type Attempt, type Browser, readAttempt } from './attempts.ts'
import type { PastEvent, Rule } from './limits.rules.ts'
import { listEvents } from './otp.queries.ts'
import { secondsUntil } from './otp.rules.ts'
import {
  addPairing,
  deleteBeyond,
  findPairing,
  markOpened,
  pairingLifeMs,
  writeAlert,
} from './pairings.queries.ts'

const pairingRules = {
  from: 100_000,
  to: 1_000_000,
  perAddress: 5,
  /** A random pairing number can be taken, so at most this many are tried. */
  tries: 20,
}

export interface ShownPairing {
  readonly binding: string
  /** Null when the daily limits allow a code, so that no pairing number is needed. */
  readonly pairing: string | null
  readonly expiresInSeconds: number
}

function countOfDay(rules: readonly Rule[], events: readonly PastEvent[], now: number) {
  const rule = rules.toSorted((one, other) => other.windowMs - one.windowMs)[0]
  if (!rule) return { used: 0, endsAt: now }
  const times = events
    .filter(({ outcome, at }) => rule.counts.includes(outcome) && at > now - rule.windowMs)
    .map(({ at }) => at)
  return { used: times.length, endsAt: freeAt(rule, times, now) }
}

/**
 * True when unknown browsers have used up the daily codes of the phone number. Stores an alert about an agent's phone
 * number.
 */
export async function noteFull(core: Core, attempt: Attempt): Promise<boolean> {
  const { origin, now } = attempt
  const { phone, trust } = origin
  if (trust === 'known') return false
  const events = await listEvents(core, origin, now)
  const sends = countOfDay(attempt.rules.sends, events, now)
  const wrongs = countOfDay(attempt.rules.wrongs, events, now)
  const endsAt = Math.max(sends.endsAt, wrongs.endsAt)
  if (endsAt <= now) return false
  const agent = await findAgentByPhone(core, phone).catch((error: unknown) => {
    // When the list of agents is unavailable, the next sign-in attempt stores the alert.
    if (isFailure(error)) return undefined
    throw error
  })
  if (!agent) return true
  const isNew = await writeAlert(core, {
    phone,
    partner_agent_id: agent.id,
    name: agent.name,
    wrong_codes: wrongs.used,
    sends: sends.used,
    noticed_at: now,
    ends_at: endsAt,
  })
  if (isNew) attempt.log('warn', 'agent-shut-out', { wrongCodes: wrongs.used, sends: sends.used })
  return true
}

async function ensurePairing(core: Core, { origin }: Attempt, browser_hash: string, now: number) {
  const { phone, address } = origin
  for (let tries = 0; tries < pairingRules.tries; tries += 1) {
    const shown = await findPairing(core, { browserHash: browser_hash, phone }, now)
    if (shown) return shown
    await deleteBeyond(core, { phone, address }, pairingRules.perAddress - 1)
    const pairing = String(pairingRules.from + core.random.below(pairingRules.to - pairingRules.from))
    const times = { shown_at: now, expires_at: now + pairingLifeMs }
    const row = { browser_hash, phone, pairing, address, ...times }
    if (await addPairing(core, row)) return row
  }
  throw new Error('no free pairing number was found')
}

/**
 * Strangers know the phone numbers of agents and can use up their daily codes. Then the desk admits an agent's browser
 * by its pairing number. Other phone numbers get the same kind of answer.
 */
export async function showPairing(core: Core, typedPhone: string, browser: Browser): Promise<ShownPairing> {
  const attempt = await readAttempt(core, 'agent', typedPhone, browser, () => null)
  const now = core.clock.now()
  const binding = isToken(browser.binding) ? browser.binding : randomToken(core.random)
  if (!(await noteFull(core, attempt))) return { binding, pairing: null, expiresInSeconds: 0 }
  const { pairing, expires_at } = await ensurePairing(core, attempt, hashOf(binding), now)
  return { binding, pairing, expiresInSeconds: secondsUntil(expires_at, now) }
}

/** @returns false when no browser shows the pairing number now */
export const openPairing = (core: Core, phone: string, pairing: string): Promise<boolean> =>
  markOpened(core, { phone, pairing }, core.clock.now())

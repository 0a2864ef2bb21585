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
  /** The most tries to find a pairing number that no other browser shows. */
  tries: 20,
}

export interface ShownPairing {
  readonly binding: string
  /** The pairing number; null when the limits of a day do not refuse this browser. */
  readonly pairing: string | null
  readonly expiresInSeconds: number
}

/** The number of events in the longest window, and the time at which its rule allows the next one. */
function countOfDay(rules: readonly Rule[], events: readonly PastEvent[], now: number) {
  const rule = rules.toSorted((one, other) => other.windowMs - one.windowMs)[0]
  if (!rule) return { used: 0, endsAt: now }
  const times = events
    .filter(({ outcome, at }) => rule.counts.includes(outcome) && at > now - rule.windowMs)
    .map(({ at }) => at)
  return { used: times.length, endsAt: freeAt(rule, times, now) }
}

/**
 * True when browsers that have never signed in with the phone number have used up its codes of a day. Stores an alert
 * when it is an agent's number.
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
    // Without the list of agents no alert is stored. The next attempt to sign in with this number stores it.
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
 * Agents' phone numbers are public, so strangers can use up their codes of a day. Then the agent's browser shows a
 * pairing number, and the desk admits the browser that shows it: it counts as a known device until it has signed in. A
 * phone number that is not an agent's gets the same kind of answer.
 */
export async function showPairing(core: Core, typedPhone: string, browser: Browser): Promise<ShownPairing> {
  const attempt = await readAttempt(core, 'agent', typedPhone, browser, () => null)
  const now = core.clock.now()
  const binding = isToken(browser.binding) ? browser.binding : randomToken(core.random)
  if (!(await noteFull(core, attempt))) return { binding, pairing: null, expiresInSeconds: 0 }
  const { pairing, expires_at } = await ensurePairing(core, attempt, hashOf(binding), now)
  return { binding, pairing, expiresInSeconds: secondsUntil(expires_at, now) }
}

/** Admits the browser that shows the pairing number. @param phone E.164 @returns false when no browser shows it now */
export const openPairing = (core: Core, phone: string, pairing: string): Promise<boolean> =>
  markOpened(core, { phone, pairing }, core.clock.now())

import { randomInt } from 'node:crypto'
import type { Core } from '#server/core.ts'
import { isFailure } from '#server/platform/errors.ts'
import { hashOf, isToken, randomToken } from '#server/platform/secrets.ts'
import type { Attempt, Attempts, Browser } from './attempts.service.ts'
import { dayCountsOf } from './limits.rules.ts'
import { pairingRules, secondsUntil } from './otp.rules.ts'
import type { PairingsStore } from './pairings.store.ts'

/** An agent of the partner's directory. */
export interface DirectoryAgent {
  readonly id: string
  readonly name: string
}

export interface PairingsDeps extends Pick<Core, 'clock' | 'metrics'> {
  readonly pairings: PairingsStore
  /** The agent with this phone (E.164). @throws Failure when the directory is not available. */
  readonly findAgent: (phone: string) => Promise<DirectoryAgent | undefined>
}

/** What the agents' sign-in shows in a browser that the counts of a day refuse. */
export interface ShownPairing {
  /** The browser's binding cookie. */
  readonly binding: string
  /** Null where the counts of a day do not refuse this browser. */
  readonly pairing: string | null
  readonly expiresInSeconds: number
}

/**
 * Agents' numbers are public, so strangers can use up the codes that a number may have in a day. The desk then lets the one
 * browser past that shows a pairing number: it counts as a known device until it has signed in.
 */
export function createPairings({ pairings, clock, metrics, findAgent }: PairingsDeps, attempts: Attempts) {
  metrics.gauge(
    'amtiati_agents_shut_out',
    'Agents whose number has used up the codes of a day, so that a new device needs a pairing number.',
    () => pairings.countAlerts(clock.now()),
  )

  /** The counts of a day, where browsers that have never signed in with the number are refused by one of them. */
  async function findFull(attempt: Attempt, now: number) {
    if (attempt.origin.trust === 'known') return undefined
    return dayCountsOf(attempt.rules, await attempts.listEvents(attempt, now), now)
  }

  /** Stores an alert where a number of the directory has used up the codes of a day. */
  async function noteFull(attempt: Attempt, now: number): Promise<boolean> {
    const { phone } = attempt.origin
    const full = await findFull(attempt, now)
    if (!full) return false
    const agent = await findAgent(phone).catch((error: unknown) => {
      // The next code, or the page of the agent, notes it.
      if (isFailure(error)) return undefined
      throw error
    })
    if (agent) {
      const { wrongCodes, sends, endsAt } = full
      const isNew = await pairings.noteAlert({
        phone,
        partner_agent_id: agent.id,
        name: agent.name,
        wrong_codes: wrongCodes,
        sends,
        noticed_at: now,
        ends_at: endsAt,
      })
      if (isNew) attempt.log('warn', 'agent-shut-out', { wrongCodes, sends })
    }
    return true
  }

  /** The pairing number that the browser shows, or a new one. */
  async function ensurePairing({ origin: { phone, address } }: Attempt, browser_hash: string, now: number) {
    for (let tries = 0; tries < pairingRules.tries; tries += 1) {
      const shown = await pairings.findPairing({ browserHash: browser_hash, phone }, now)
      if (shown) return shown
      await pairings.deleteBeyond({ phone, address }, pairingRules.perAddress - 1)
      const pairing = String(randomInt(pairingRules.from, pairingRules.to))
      const row = {
        browser_hash,
        phone,
        pairing,
        address,
        shown_at: now,
        expires_at: now + pairingRules.lifeMs,
      }
      if (await pairings.addPairing(row)) return row
    }
    throw new Error('no free pairing number was found')
  }

  return {
    noteFull,

    /** The pairing number of a browser; numbers that are no agent's are answered alike. */
    async show(typedPhone: string, browser: Browser): Promise<ShownPairing> {
      const attempt = await attempts.read('agent', typedPhone, browser)
      const now = clock.now()
      const binding = isToken(browser.binding) ? browser.binding : randomToken()
      if (!(await noteFull(attempt, now))) return { binding, pairing: null, expiresInSeconds: 0 }
      const { pairing, expires_at } = await ensurePairing(attempt, hashOf(binding), now)
      return { binding, pairing, expiresInSeconds: secondsUntil(expires_at, now) }
    },

    /** Inside the transaction that opens the session: the browser's opening is used up. */
    async end(phone: string, { binding }: Pick<Browser, 'binding'>): Promise<void> {
      if (isToken(binding)) await pairings.endPairing({ browserHash: hashOf(binding), phone })
    },

    /** @param phone E.164 @returns `false` when no browser shows the number now */
    open(phone: string, pairing: string): Promise<boolean> {
      const now = clock.now()
      return pairings.openPairing({ phone, pairing }, { now, until: now + pairingRules.lifeMs })
    },

    /** The browser has another binding cookie from now on. */
    move: (former: string, binding: string): Promise<void> =>
      pairings.moveBrowser(hashOf(former), hashOf(binding)),

    deleteEnded: (limit: number): Promise<number> => pairings.deleteEnded(clock.now(), limit),
  }
}

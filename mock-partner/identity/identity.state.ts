import type { Clock } from '../platform/clock.ts'
import type { Journal } from '../platform/journal.ts'
import { noReferences } from '../platform/references.ts'
import { type IdentityOptions, startIdentity } from './identity.provider.ts'

export type IdentityState = ReturnType<typeof createIdentityState>

interface StateOptions extends Omit<IdentityOptions, 'issuer' | 'send'> {
  /** As browsers open it: known when the simulator listens. */
  readonly issuer: () => string
  readonly clock: Clock
  readonly journal: Journal
}

/** The identity provider and whom it has signed in. Nothing of it is stored: after a restart people sign in again. */
export function createIdentityState({ issuer: findIssuer, clock, journal, ...options }: StateOptions) {
  let starting: ReturnType<typeof start> | undefined

  /** As the desk gets it, and as testers read it. */
  async function send(url: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const at = clock.now()
    const startedMs = performance.now()
    const note = (
      response: { status: number; headers: Record<string, string>; body: string } | null,
      error: string | null,
    ) =>
      journal.add({
        ...noReferences(),
        at,
        direction: 'out',
        service: 'identity',
        operation: 'back-channel-logout',
        response,
        error,
        request: { method: 'POST', url: String(url), headers: {}, body: String(init.body) },
        durationMs: performance.now() - startedMs,
        fault: null,
        callback: null,
      })
    try {
      const response = await fetch(url, init)
      const body = await response.clone().text()
      note({ status: response.status, headers: Object.fromEntries(response.headers), body }, null)
      return response
    } catch (error) {
      note(null, error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  async function start() {
    const issuer = findIssuer()
    const { provider, endSessions } = await startIdentity({ ...options, issuer, send })
    return { provider, endSessions, issuer, deskUrl: options.deskUrl, answer: provider.callback() }
  }

  return {
    /** Started when it is first asked: the library takes a while to load. */
    running() {
      starting ??= start()
      return starting
    },
    /** Ends every session at the provider without a notice to the desk. */
    reset(): void {
      starting = undefined
    },
  }
}

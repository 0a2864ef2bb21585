import { clocksDifferMs } from './clock.ts'
import type { Staff } from './session-scope.ts'

/** Before money moves, or everyone is affected, a person of the desk has proven within this time who they are. */
export const recentMs = 5 * 60_000

/** False also where the clock was set back since. */
export function isRecentSignIn({ authenticatedAt }: Pick<Staff, 'authenticatedAt'>, now: number): boolean {
  const age = now - authenticatedAt
  return -clocksDifferMs <= age && age <= recentMs
}

import { clocksDifferMs } from './clock.ts'
import type { Staff } from './session-scope.ts'

/** Staff who move money or affect everyone need a sign-in that is not older than this. */
export const recentMs = 5 * 60_000

export function isRecentSignIn({ authenticatedAt }: Pick<Staff, 'authenticatedAt'>, now: number): boolean {
  const age = now - authenticatedAt
  return -clocksDifferMs <= age && age <= recentMs
}

/** The agent's token has no authority: it only tells, at the next start, that an agent was here (spec §3, §4). */
const storageKey = 'agentToken'

// Private windows and blocked storage throw on access; an agent is then simply restored by the cookie alone.
export function hasAgentToken(): boolean {
  try {
    return window.localStorage.getItem(storageKey) !== null
  } catch {
    return false
  }
}

export function keepAgentToken(token: string): void {
  try {
    window.localStorage.setItem(storageKey, token)
  } catch {
    return
  }
}

export function dropAgentToken(): void {
  try {
    window.localStorage.removeItem(storageKey)
  } catch {
    return
  }
}

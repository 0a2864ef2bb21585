import { store } from '#client/platform/browser-storage.ts'

/** As a sign-in of the agent on this browser. */
export function beginShift(agentId: number): void {
  store('scanAgent', String(agentId))
  store('agentSince', String(Date.now()))
}

import { clearTabStorage, readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'
import type { Role } from './session.rules.ts'

/**
 * Role and id of the last person signed in on this tab. Survives a reload and the payment document: it shows that a
 * session has ended, and tells a returning person from a new one.
 */
interface TabOwner {
  readonly role: Role
  readonly id: number
}

export function findTabOwner(): TabOwner | undefined {
  const stored = readStoredJson('tabOwner')
  return isTabOwner(stored) ? stored : undefined
}

/**
 * Records the owner of the tab, and first clears what a different owner stored.
 * @returns true when the previous owner was a different person.
 */
export function claimTab(owner: TabOwner): boolean {
  const before = findTabOwner()
  const isOther = before !== undefined && (before.role !== owner.role || before.id !== owner.id)
  if (isOther) clearTabStorage()
  storeJson('tabOwner', owner)
  return isOther
}

/** Forgets the owner after a sign-out: the sign-in page then does not say that a session ended. */
export function releaseTab(): void {
  removeStored('tabOwner')
}

function isTabOwner(value: unknown): value is TabOwner {
  if (typeof value !== 'object' || value === null || !('role' in value) || !('id' in value)) return false
  return (value.role === 'user' || value.role === 'agent') && typeof value.id === 'number'
}

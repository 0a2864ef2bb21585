import type { Role } from './sessions.rules.ts'

/**
 * Who was last signed in on this tab. It outlives a reload and the way to another document, where nothing else
 * remembers that there was a session to end; and it tells the person who comes back from the next one.
 */
export interface TabOwner {
  readonly role: Role
  readonly id: number
}

const storageKey = 'tabOwner'

export function findTabOwner(): TabOwner | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    return isTabOwner(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Keeps the tab for its person. What somebody else has left in it is cleared first; answers whether that was so. */
export function takeTab(owner: TabOwner): boolean {
  const before = findTabOwner()
  const isOthers = before !== undefined && (before.role !== owner.role || before.id !== owner.id)
  try {
    if (isOthers) sessionStorage.clear()
    sessionStorage.setItem(storageKey, JSON.stringify(owner))
  } catch {
    // Without storage nothing was left behind either.
  }
  return isOthers
}

/** The person has left on purpose: nobody is to be told of a session that ended. */
export function leaveTab(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    return
  }
}

function isTabOwner(value: unknown): value is TabOwner {
  if (typeof value !== 'object' || value === null || !('role' in value) || !('id' in value)) return false
  return (value.role === 'user' || value.role === 'agent') && typeof value.id === 'number'
}

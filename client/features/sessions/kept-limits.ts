import { isHolding, type Limit } from './limits.rules.ts'

const storageKey = 'signInLimits'

/** Keeps the limits for the tab's life, so that a reload neither hides a wait nor invites another refusal. */
export function keepLimits(limits: readonly Limit[]): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(limits))
  } catch {
    // Without storage the next try tells the wait again.
    return
  }
}

/** The kept limits that are not over at `now`. */
export function findLimits(now: number): readonly Limit[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isLimit).filter((limit) => isHolding(limit, now)) : []
  } catch {
    return []
  }
}

function isLimit(value: unknown): value is Limit {
  if (typeof value !== 'object' || value === null) return false
  const { role, step, phone, code, until } = value as Readonly<Record<string, unknown>>
  return (
    (role === 'user' || role === 'agent') &&
    (step === 'send' || step === 'check') &&
    typeof phone === 'string' &&
    typeof code === 'string' &&
    (until === null || typeof until === 'number')
  )
}

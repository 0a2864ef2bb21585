import { readStoredJson, storeJson } from '#client/platform/browser-storage.ts'
import { isActive, type Limit } from './limits.rules.ts'

/** Stored per tab, so that a reload neither hides a wait nor invites another refusal. */
export function storeLimits(limits: readonly Limit[]): void {
  storeJson('signInLimits', limits)
}

/** The stored limits that are still active at `now` (epoch milliseconds). */
export function readLimits(now: number): readonly Limit[] {
  const stored = readStoredJson('signInLimits')
  return Array.isArray(stored) ? stored.filter(isLimit).filter((limit) => isActive(limit, now)) : []
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

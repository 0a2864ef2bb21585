import { readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'
import { paths } from '#client/platform/paths.ts'
import type { Role } from '#client/session/session.rules.ts'
import type { CodeTimes, Mode } from './sessions.rules.ts'

/**
 * What the code dialog needs to open again after a reload: phones unload a tab while the user reads the message in
 * another app. Stored per tab, and never with the code itself.
 */
export interface PendingCode {
  readonly role: Role
  readonly phone: string
  readonly name: string
  readonly mode: Mode
  readonly times: CodeTimes
  /** Too many wrong codes were entered: only a new code helps. */
  readonly isUsedUp?: boolean
}

/** Where storage is blocked the dialog does not survive a reload; the next request shows the remaining seconds. */
export function storePendingCode(pending: PendingCode): void {
  storeJson('pendingCode', pending)
}

/** Marks the stored code as used up; a new one may be requested at `resendAt` (epoch milliseconds). */
export function markPendingCodeUsedUp(resendAt: number): void {
  const pending = readPendingCode()
  if (pending === undefined) return
  const times = { ...pending.times, resendAt: Math.max(pending.times.resendAt, resendAt) }
  storePendingCode({ ...pending, times, isUsedUp: true })
}

export function removePendingCode(): void {
  removeStored('pendingCode')
}

/** The code that is still valid at `now` and was requested on the sign-in page at `pathname`. */
export function findPendingCode(pathname: string, now: number): PendingCode | undefined {
  const pending = readPendingCode()
  if (pending === undefined || pending.times.expiresAt <= now) return undefined
  return pathname === (pending.role === 'agent' ? paths.agentAuth : paths.auth) ? pending : undefined
}

function readPendingCode(): PendingCode | undefined {
  const stored = readStoredJson('pendingCode')
  return isPendingCode(stored) ? stored : undefined
}

function isPendingCode(value: unknown): value is PendingCode {
  if (!isRecord(value) || !isRecord(value.times)) return false
  const { role, phone, name, mode, times } = value
  return (
    (role === 'user' || role === 'agent') &&
    (mode === 'login' || mode === 'signup') &&
    typeof phone === 'string' &&
    typeof name === 'string' &&
    [times.sentAt, times.expiresAt, times.resendAt].every((time) => typeof time === 'number')
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

import { paths } from '#client/platform/paths.ts'
import type { CodeTimes, Mode, Role } from './sessions.rules.ts'

/**
 * What the code dialog needs to open again after a reload: phones end a browser's tab while its person reads the
 * message. It stays in the tab, and never holds the code.
 */
export interface PendingCode {
  readonly role: Role
  readonly phone: string
  readonly name: string
  readonly mode: Mode
  readonly times: CodeTimes
  /** The code was mistyped too often; the dialog then opens where another one is asked for. */
  readonly isUsedUp?: boolean
}

const storageKey = 'pendingCode'

export function keepPendingCode(pending: PendingCode): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(pending))
  } catch {
    // Without storage the dialog does not outlive a reload; another request then tells the remaining seconds.
    return
  }
}

/** The code that is out is good for nothing any more, and another may be asked for at `resendAt`. */
export function markPendingCodeUsedUp(resendAt: number): void {
  const kept = readPendingCode()
  if (kept === undefined) return
  const times = { ...kept.times, resendAt: Math.max(kept.times.resendAt, resendAt) }
  keepPendingCode({ ...kept, times, isUsedUp: true })
}

export function dropPendingCode(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    return
  }
}

/** The code that is still good at `now` and was asked for on the sign-in page at `pathname`. */
export function findPendingCode(pathname: string, now: number): PendingCode | undefined {
  const kept = readPendingCode()
  if (kept === undefined || kept.times.expiresAt <= now) return undefined
  return pathname === (kept.role === 'agent' ? paths.agentAuth : paths.auth) ? kept : undefined
}

function readPendingCode(): PendingCode | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    return isPendingCode(kept) ? kept : undefined
  } catch {
    return undefined
  }
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

import { foldDigits } from '#shared/platform/phone.ts'
import { codeLength } from '#shared/sessions/sessions.schemas.ts'
import type { CodeTimes } from './sessions.rules.ts'

/** What the field keeps of a typed, pasted or autofilled code: its first four digits, Latin. */
export function cleanTypedCode(text: string): string {
  return foldDigits(text).replace(/\D/g, '').slice(0, codeLength)
}

/** Spec §5: exactly four. */
export function isCodeComplete(code: string): boolean {
  return code.length === codeLength
}

/** True for a whole code that was pasted or filled in, not typed: more than one digit came at once. */
export function isFilledAtOnce(before: string, after: string): boolean {
  return isCodeComplete(after) && [...after].filter((digit, index) => digit !== before[index]).length > 1
}

/** Whole seconds until `time`, never below zero. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil((time - now) / 1000))
}

/** Whole minutes a code was given, at least one: a promise not longer than the truth, except in its last minute. */
export function minutesValid(times: CodeTimes): number {
  return Math.max(1, Math.floor((times.expiresAt - times.sentAt) / 60_000))
}

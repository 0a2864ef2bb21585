import { codeLength } from '#shared/platform/code-length.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import type { SentCode } from './sign-in.rules.ts'

/** The first four digits of a typed, pasted or autofilled text, as Latin digits. */
export function cleanTypedCode(text: string): string {
  return foldDigits(text).replace(/\D/g, '').slice(0, codeLength)
}

/** Spec §5: exactly four. */
export function isCodeComplete(code: string): boolean {
  return code.length === codeLength
}

/** True when a complete code was pasted or autofilled: more than one digit changed at once. */
export function isFilledAtOnce(before: string, after: string): boolean {
  return isCodeComplete(after) && [...after].filter((digit, index) => digit !== before[index]).length > 1
}

/** Whole minutes the code is valid for, rounded down, at least 1. */
export function minutesValid({ expiresAt, sentAt }: Pick<SentCode, 'expiresAt' | 'sentAt'>): number {
  return Math.max(1, Math.floor((expiresAt - sentAt) / 60_000))
}

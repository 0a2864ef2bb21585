import { readStored, readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'
import { readDraft } from '#client/platform/drafts.ts'
import { fieldOf } from '#client/platform/field-of.ts'
import type { Role } from '#client/session/session.rules.ts'
import { type Mode, restoredSignIn, type SignIn, startOf } from './sign-in.rules.ts'

/*
 * The sign-in of this tab, stored with every change and without the typed code: phones unload a tab while the user reads the
 * message in another app. Where storage is blocked, a reload costs another SMS.
 */

/** The text that is typed on a sign-in page before a code is sent. */
export const signInDraft = 'sign-in'

/** Raise this number when the shape of `SignIn` changes: state stored under an earlier number is dropped. */
const version = 3

export function storeSignIn(signIn: SignIn): void {
  const { code, proof, limits } = signIn
  const isBegun = code !== null || proof !== null || limits.length > 0
  if (isBegun) storeJson('signIn', { version, signIn })
  else removeStored('signIn')
}

/** False when no state was stored, or when it was wiped since. */
export function hasStoredSignIn(): boolean {
  return readStored('signIn') !== undefined
}

const draftedMode = (role: Role): Mode =>
  role === 'user' && fieldOf(readDraft(signInDraft)?.values, 'mode') === 'signup' ? 'signup' : 'login'

/** The state in which the sign-in page of `role` starts. A prerendered document starts with the state of a new visitor. */
export function readSignIn(role: Role): SignIn {
  if (typeof window === 'undefined') return startOf(role)
  const stored = readStoredJson('signIn') as { version: number; signIn: SignIn } | null | undefined
  const start = { ...startOf(role), mode: draftedMode(role) }
  if (stored?.version !== version) return start
  const restored = restoredSignIn(stored.signIn, role, Date.now())
  return restored.code === null && restored.proof === null ? { ...restored, mode: start.mode } : restored
}

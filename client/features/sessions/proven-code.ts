import { readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'
import { paths } from '#client/platform/paths.ts'
import { signUpProofMs } from '#shared/sessions/session-lives.ts'

/**
 * A code that was verified before a name was given. Sign-up can finish with it after a reload, without a second SMS.
 * The server binds the proof to an HttpOnly cookie, so it is useless in another browser.
 */
interface ProvenCode {
  readonly phone: string
  readonly code: string
}

/** Where storage is blocked a reload costs another SMS. */
export function storeProvenCode({ phone, code }: ProvenCode, now: number): void {
  storeJson('provenCode', { phone, code, until: now + signUpProofMs })
}

export function removeProvenCode(): void {
  removeStored('provenCode')
}

/** The proof that the sign-up page at `pathname` can still finish with at `now`. */
export function findProvenCode(pathname: string, now: number): ProvenCode | undefined {
  if (pathname !== paths.auth) return undefined
  const stored = readStoredJson('provenCode')
  if (typeof stored !== 'object' || stored === null) return undefined
  const { phone, code, until } = stored as Readonly<Record<string, unknown>>
  if (typeof phone !== 'string' || typeof code !== 'string' || typeof until !== 'number') return undefined
  return until > now ? { phone, code } : undefined
}

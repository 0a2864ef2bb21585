import { readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'

/** The e-mail address and the phone number that the two codes of a recovery were sent to. Times are epoch milliseconds. */
export interface SentRecovery {
  readonly email: string
  readonly phone: string
  readonly expiresAt: number
  readonly resendAt: number
}

/** A recovery is stored under the key of the sign-in (sign-in-draft.ts): each of the two replaces the other. */
const version = 'recovery'

/*
 * The recovery of this tab, without the typed codes: phones unload a tab while the user reads the e-mail in another app.
 */

export const storeRecovery = (sent: SentRecovery) => storeJson('signIn', { version, sent })
export const dropRecovery = () => removeStored('signIn')

/** `undefined` when no codes were sent, or when they have expired. */
export function readRecovery(): SentRecovery | undefined {
  const stored = readStoredJson('signIn') as { version: unknown; sent: SentRecovery } | null | undefined
  const isLive = stored?.version === version && stored.sent.expiresAt > Date.now()
  return isLive ? stored.sent : undefined
}

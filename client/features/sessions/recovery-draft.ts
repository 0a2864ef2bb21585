import { readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'

/** What the two codes of a recovery were sent to. Times are epoch milliseconds. */
export interface SentRecovery {
  readonly email: string
  readonly phone: string
  readonly expiresAt: number
  readonly resendAt: number
}

/** In place of a sign-in (sign-in-draft.ts), which drops it. */
const version = 'recovery'

/*
 * The recovery of this tab, without the typed codes: phones unload a tab while the person reads the letter in another app.
 */

export const storeRecovery = (sent: SentRecovery) => storeJson('signIn', { version, sent })
export const dropRecovery = () => removeStored('signIn')

/** Undefined where no codes were sent, or none is valid any more. */
export function readRecovery(): SentRecovery | undefined {
  const stored = readStoredJson('signIn') as { version: unknown; sent: SentRecovery } | null | undefined
  const isLive = stored?.version === version && stored.sent.expiresAt > Date.now()
  return isLive ? stored.sent : undefined
}

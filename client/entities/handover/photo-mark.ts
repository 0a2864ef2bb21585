import { readStoredJson, removeStored, storeJson } from '#client/platform/browser-storage.ts'
import { fieldOf } from '#client/platform/field-of.ts'
import { logFailure } from '#client/platform/log.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'

/** Marks that pictures of this agent are stored, so that a browser without them loads nothing to delete them. */
export function markPhotos(agentId: number): void {
  storeJson('bagPhotos', { agentId, at: Date.now() })
}

/** Deletes the stored pictures, unless they are this agent's and as old as a session may be at most. */
export function wipePhotos(keptFor?: number): void {
  const mark = readStoredJson('bagPhotos')
  if (mark === undefined || mark === null) return
  const age = Date.now() - Number(fieldOf(mark, 'at'))
  const isKept = age >= 0 && age < sessionLife.agent.absoluteMs && fieldOf(mark, 'agentId') === keptFor
  if (isKept) return
  import('./outbox.store.ts')
    .then(({ dropPhotos }) => dropPhotos())
    // A failure leaves the mark: the next start of the app tries again.
    .then(() => removeStored('bagPhotos'))
    .catch((error: unknown) => logFailure('pictures', error))
}

/** Deletes pictures that are older than a session may be. */
export function wipeOldPhotos(): void {
  const agentId = fieldOf(readStoredJson('bagPhotos'), 'agentId')
  wipePhotos(typeof agentId === 'number' ? agentId : undefined)
}

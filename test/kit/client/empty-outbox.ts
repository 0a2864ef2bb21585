import { closeOutbox } from '#client/entities/handover/outbox.store.ts'

/** Deletes what a browser of an agent has kept to send. */
export async function emptyOutbox(): Promise<void> {
  await closeOutbox()
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase('handovers')
    request.onsuccess = resolve
    request.onerror = reject
  })
}

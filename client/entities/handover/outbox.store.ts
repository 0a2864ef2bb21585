import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { OutboxEntry } from './outbox.rules.ts'

/*
 * Confirmations of hand-overs in IndexedDB: localStorage cannot change one of several entries atomically while another
 * tab does the same. The privacy page describes what is stored.
 */

interface OutboxSchema extends DBSchema {
  entries: { key: string; value: OutboxEntry; indexes: { agentId: number } }
}

const databaseName = 'handovers'
let opening: Promise<IDBPDatabase<OutboxSchema>> | undefined

/** @throws when the browser stores nothing, as in some private windows. */
function opened(): Promise<IDBPDatabase<OutboxSchema>> {
  opening ??= openDB<OutboxSchema>(databaseName, 1, {
    upgrade(database) {
      database.createObjectStore('entries', { keyPath: 'id' }).createIndex('agentId', 'agentId')
    },
    // A later release changes the schema, or deletes the database.
    blocking: () => void closeOutbox(),
    terminated: () => {
      opening = undefined
    },
  }).catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

export async function closeOutbox(): Promise<void> {
  const open = opening
  opening = undefined
  ;(await open)?.close()
}

/** Adds an entry, in one transaction, unless `isSame` is true for an entry of its agent. */
export async function addEntry(entry: OutboxEntry, isSame: (known: OutboxEntry) => boolean): Promise<void> {
  const transaction = (await opened()).transaction('entries', 'readwrite')
  const known = await transaction.store.index('agentId').getAll(entry.agentId)
  if (!known.some(isSame)) await transaction.store.add(entry)
  await transaction.done
}

/** The entries of one agent: entries of other agents are never read. */
export async function entriesOf(agentId: number): Promise<OutboxEntry[]> {
  return (await opened()).getAllFromIndex('entries', 'agentId', agentId)
}

export async function findEntry(id: string): Promise<OutboxEntry | undefined> {
  return (await opened()).get('entries', id)
}

/** Reads and changes an entry in one transaction; `undefined` deletes it. */
export async function changeEntry(
  id: string,
  change: (entry: OutboxEntry) => OutboxEntry | undefined,
): Promise<void> {
  const transaction = (await opened()).transaction('entries', 'readwrite')
  const entry = await transaction.store.get(id)
  if (entry !== undefined) {
    const changed = change(entry)
    if (changed === undefined) await transaction.store.delete(id)
    else await transaction.store.put(changed)
  }
  await transaction.done
}

export async function deleteEntry(id: string): Promise<void> {
  await (await opened()).delete('entries', id)
}

import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { type OutboxEntry, withoutPhoto } from './outbox.rules.ts'

/*
 * Confirmations of hand-overs in IndexedDB: localStorage cannot change one of several entries atomically while another
 * tab does the same. The privacy page describes what is stored.
 *
 * The picture of an entry is a record of the same store, so that both change in one transaction. It has no agent, so that it
 * is not read with the entries. A store of its own would raise the version, and during a release the pages of the build
 * before could not open the database.
 */

interface StoredPhoto {
  readonly id: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface OutboxSchema extends DBSchema {
  entries: { key: string; value: OutboxEntry | StoredPhoto; indexes: { agentId: number } }
}

const photoKey = (id: string) => `photo ${id}`

const isPhoto = (stored: OutboxEntry | StoredPhoto): stored is StoredPhoto => 'bytes' in stored

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

/** Adds an entry with its picture, in one transaction, unless `isSame` is true for an entry of its agent. */
export async function addEntry(
  entry: OutboxEntry,
  isSame: (known: OutboxEntry) => boolean,
  photo?: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const transaction = (await opened()).transaction('entries', 'readwrite')
  // A picture for which there is no room ends the transaction; the failure of its request is thrown.
  transaction.done.catch(() => undefined)
  const known = await transaction.store.index('agentId').getAll(entry.agentId)
  if (!known.some((each) => !isPhoto(each) && isSame(each))) {
    if (photo !== undefined) await transaction.store.add({ id: photoKey(entry.id), bytes: photo })
    await transaction.store.add(entry)
  }
  await transaction.done
}

/** The entries of one agent: entries of other agents are never read. */
export async function entriesOf(agentId: number): Promise<OutboxEntry[]> {
  const stored = await (await opened()).getAllFromIndex('entries', 'agentId', agentId)
  return stored.filter((each): each is OutboxEntry => !isPhoto(each))
}

export async function findEntry(id: string): Promise<OutboxEntry | undefined> {
  const stored = await (await opened()).get('entries', id)
  return stored === undefined || isPhoto(stored) ? undefined : stored
}

/** The picture of an entry, until it is sent or dropped. */
export async function findPhoto(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const stored = await (await opened()).get('entries', photoKey(id))
  return stored !== undefined && isPhoto(stored) ? stored.bytes : undefined
}

/** Deletes all pictures, and leaves the confirmations. */
export async function dropPhotos(): Promise<void> {
  const transaction = (await opened()).transaction('entries', 'readwrite')
  for (const stored of await transaction.store.getAll()) {
    if (isPhoto(stored)) await transaction.store.delete(stored.id)
    else if (stored.preview !== undefined) await transaction.store.put(withoutPhoto(stored))
  }
  await transaction.done
}

/** Reads and changes an entry in one transaction; `undefined` deletes it. The picture goes when the entry no longer names one to be sent. */
export async function changeEntry(
  id: string,
  change: (entry: OutboxEntry) => OutboxEntry | undefined,
): Promise<void> {
  const transaction = (await opened()).transaction('entries', 'readwrite')
  const entry = await transaction.store.get(id)
  if (entry !== undefined && !isPhoto(entry)) {
    const changed = change(entry)
    if (changed === undefined) await transaction.store.delete(id)
    else await transaction.store.put(changed)
    if (changed?.hasUnsentPhoto !== true) await transaction.store.delete(photoKey(id))
  }
  await transaction.done
}

export const deleteEntry = (id: string): Promise<void> => changeEntry(id, () => undefined)

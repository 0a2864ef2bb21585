import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Keeps one JSON document on disk: debounced, replaced as a whole, and written once more at close. */
export interface Snapshot {
  /** The document as last written; `undefined` when there is none. A damaged one is renamed to `.damaged`. */
  read(): unknown
  /** Marks the state as changed; it is written soon, or at `close`. */
  touch(): void
  /** Writes what is unwritten. Rejects when writing fails. */
  close(): Promise<void>
}

interface SnapshotOptions {
  path: string
  take: () => unknown
  /** Failures of writes in the background. */
  onError: (error: unknown) => void
  /** Shortest wait between a change and its write. */
  debounceMs?: number
}

/** Writing takes at most about a twentieth of the time, however big the state is. */
const restPerWrite = 20

export function createSnapshot({ path, take, onError, debounceMs = 250 }: SnapshotOptions): Snapshot {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isDirty = false
  let lastWriteMs = 0

  async function write(): Promise<void> {
    if (!isDirty) return
    isDirty = false
    const started = performance.now()
    const text = JSON.stringify(take())
    lastWriteMs = performance.now() - started
    const draft = `${path}.draft`
    await writeFile(draft, text)
    await rename(draft, path)
  }

  const queueWrite = (): Promise<void> => {
    writing = writing.catch(() => {}).then(write)
    return writing
  }

  return {
    read() {
      mkdirSync(dirname(path), { recursive: true })
      let text: string
      try {
        text = readFileSync(path, 'utf8')
      } catch {
        return undefined
      }
      try {
        return JSON.parse(text)
      } catch (error) {
        renameSync(path, `${path}.damaged`)
        onError(error)
        return undefined
      }
    },
    touch() {
      isDirty = true
      if (timer !== undefined) return
      timer = setTimeout(
        () => {
          timer = undefined
          queueWrite().catch(onError)
        },
        Math.max(debounceMs, lastWriteMs * restPerWrite),
      )
      timer.unref()
    },
    async close() {
      clearTimeout(timer)
      timer = undefined
      await queueWrite()
    },
  }
}

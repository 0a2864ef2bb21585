import type { DatabaseSync } from 'node:sqlite'
import type pg from 'pg'
import { during } from '#server/platform/work.ts'
import { handoverPhotoTriggers, triggers } from './change-notices.ts'
import type { Listener, Notice } from './listen.ts'

const allTriggers = [...triggers, ...handoverPhotoTriggers]

/** A change by another process, such as `npm run ops`, causes no notice in this gateway. */
export function createSqliteNotices(file: DatabaseSync) {
  const listeners = new Set<Listener>()
  const open = new Map<string, Notice>()
  let isReady = false

  /** The triggers are temporary: other programs could not write to a file whose schema calls our function. */
  function prepare() {
    if (isReady) return
    isReady = true
    file.function('notify_gateway', (channel, what) => {
      if (what !== null) open.set(`${channel} ${what}`, { channel, what: String(what) } as Notice)
      return null
    })
    for (const { name, fires, table, condition, channel, value } of allTriggers)
      file.exec(
        `CREATE TEMP TRIGGER ${name} ${fires} main.${table} ${condition} BEGIN SELECT notify_gateway('${channel}', ${value}); END`,
      )
  }

  return {
    listen(listener: Listener) {
      prepare()
      listeners.add(listener)
      return async () => void listeners.delete(listener)
    },
    commit(): void {
      if (open.size === 0) return
      const notices = [...open.values()]
      open.clear()
      during(undefined, () => {
        for (const listener of listeners) for (const notice of notices) listener.onNotice(notice)
      })
    },
    rollback(): void {
      open.clear()
    },
  }
}

const channels = [...new Set(allTriggers.map(({ channel }) => channel))]
const pulseMs = 15_000
const shortestPauseMs = 500
const longestPauseMs = 10_000

export function listenOnPostgres(
  newClient: (options: pg.ClientConfig) => pg.Client,
  listener: Listener,
  onError: (error: Error) => void,
): () => Promise<void> {
  const stopped = new AbortController()
  let client: pg.Client | undefined
  let failures = 0
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    const own = newClient({ query_timeout: pulseMs })
    client = own
    let hasEnded = false
    const end = (error: Error) => {
      if (hasEnded) return
      hasEnded = true
      clearTimeout(timer)
      void own.end().catch(() => undefined)
      if (stopped.signal.aborted) return
      timer = setTimeout(open, Math.min(longestPauseMs, shortestPauseMs * 2 ** failures))
      failures += 1
      if (failures === 1) onError(error)
    }
    own.on('error', end)
    own.on('end', () => end(new Error('the connection for notices has ended')))
    own.on('notification', ({ channel, payload }) =>
      listener.onNotice({ channel, what: payload ?? '' } as Notice),
    )
    const feel = () => {
      timer = setTimeout(() => void own.query('SELECT 1').then(feel, end), pulseMs)
    }
    try {
      await own.connect()
      await own.query(channels.map((channel) => `LISTEN ${channel}`).join('; '))
      failures = 0
      // A first connection counts as a gap in the notices, because rows that were read before it can have changed.
      listener.onGap()
      feel()
    } catch (error) {
      end(error as Error)
    }
  }
  const open = () => void connect()
  open()

  return async () => {
    stopped.abort()
    clearTimeout(timer)
    await client?.end().catch(() => undefined)
  }
}

import type { Database } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { createStreams, type Streams } from '#server/platform/streams.ts'
import { silentLog } from './feature-app.ts'

/** Streams that are told of what happens in the database, until it is closed. */
export function openStreams(database: Pick<Database, 'listen'>, most = 100): Streams {
  const streams = createStreams({ database, log: silentLog, metrics: createMetrics(), most })
  streams.start()
  return streams
}

/** For routes whose streams no test opens. */
export const noStreams: Pick<Streams, 'open'> = {
  open: () => Promise.reject(new Error('no stream is opened here')),
}

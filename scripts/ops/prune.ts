import { changedBetween } from '#server/features/history/acts.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Log } from '#server/platform/logging.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { UsageError } from '../lib/tool.ts'
import { type OpsContext, record, type Verb } from './context.ts'

/** Deletes what the gateway deletes in the background, at once and to the end. */
export const prune: Verb = (args) => {
  if (args.length > 0) throw new UsageError()
  // The whole configuration, because retention depends on many variables.
  const config = readConfig(process.env)
  return async (context) => {
    const rows = await deleteExpired(context, config)
    // Not in one transaction with the deletions, which are many short ones.
    const changed = changedBetween({}, Object.fromEntries(rows))
    await context.database.transaction(() => record(context, { kind: 'data-deleted', changed }))
    const lines = [...rows].map(([event, count]) => `${event}  ${count}`)
    return lines.length === 0 ? 'nothing was due to be deleted' : lines.join('\n')
  }
}

/** Runs the batches of the retention to the end; returns the deleted rows by the name of their log line. */
async function deleteExpired(
  { database, now }: OpsContext,
  config: ReturnType<typeof readConfig>,
): Promise<ReadonlyMap<string, number>> {
  // Loaded here: other verbs do not need the gateway's features.
  const { registerFeatures } = await import('#server/app.ts')
  const { createCore } = await import('#server/core.ts')
  const { createRetention } = await import('#server/platform/retention.ts')
  const deleted = new Map<string, number>()
  const log = countingLog(deleted)
  const core = createCore({ config, database, clock: { now: () => now }, log, metrics: createMetrics() })
  registerFeatures(core)
  const retention = createRetention(core)
  while (await retention.runBatch());
  return deleted
}

/** Adds up the `rows` of log lines by their `event`. */
function countingLog(counts: Map<string, number>): Log {
  const complain = (line: unknown) => console.error(line)
  return {
    info(line: unknown) {
      const { event, rows } = line as { event?: unknown; rows?: unknown }
      if (typeof event === 'string' && typeof rows === 'number')
        counts.set(event, (counts.get(event) ?? 0) + rows)
    },
    warn: complain,
    error: complain,
  }
}

import { deleteBegunSessions } from '#server/features/sessions/sessions.queries.ts'
import { clocksDifferMs } from '#server/platform/clock.ts'
import { UsageError } from '../lib/tool.ts'
import { type OpsOptions, readColleague, record, type Verb } from './context.ts'

const endedAtOnce = 1_000

/** @throws UsageError unless the options say who acts and why */
export function requireActor(others: readonly string[], { as, reason }: OpsOptions): void {
  if (others.length > 0) throw new UsageError()
  if (as === undefined || reason === undefined)
    throw new UsageError('say who and why, with --as and --reason')
}

/**
 * Ends the sessions of all pilgrims and agents, when the desk's two people cannot. It is recorded first; a
 * repetition ends the remaining ones.
 */
export const endSessions: Verb = (args, options) => {
  requireActor(args, options)
  return async (context) => {
    if (context.hasDesk) await readColleague(context)
    await context.confirm('End the sessions of all pilgrims and agents?')
    await context.database.transaction(() => record(context, { kind: 'all-sessions-ended' }))
    // The operator may have thought for long: sessions that began meanwhile end, too.
    const begunUntil = (await context.database.readNow()) + clocksDifferMs
    let ended = 0
    for (;;) {
      const rows = await deleteBegunSessions(context, begunUntil, endedAtOnce)
      ended += rows
      if (rows === 0) return `${ended} sessions of pilgrims and agents ended`
    }
  }
}

import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { endIdleSessions } from './staff-sessions.ts'

const sessionsPerBatch = 100

export const staffRetention = (core: Core): Retention[] => [
  {
    event: 'desk.sessions-deleted',
    batch: () => endIdleSessions(core, sessionsPerBatch),
  },
  {
    event: 'desk.logouts-deleted',
    table: 'desk_logouts',
    by: 'at',
    keepMs: daysMs(1),
  },
]

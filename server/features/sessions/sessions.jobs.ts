import type { Core } from '#server/core.ts'
import { eraseFormerPhones } from '#server/features/history/history.ts'
import { deleteExpiredCodes } from '#server/features/otp/stored-codes.ts'
import { deleteExpiredStops } from '#server/features/users/users.queries.ts'
import { daysMs } from '#server/platform/batches.ts'
import type { Retention } from '#server/platform/retention.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { deleteConfirmations } from './confirmations.queries.ts'
import { deleteExpiredSessions } from './sessions.queries.ts'

/** A code by e-mail is valid for ten minutes, and its confirmation for five. */
const confirmationsKeptMs = 15 * 60_000
const rowsAtOnce = 100

export async function deleteExpired(core: Core): Promise<{ rows: number; more: boolean }> {
  const now = core.clock.now()
  const rows =
    (await deleteExpiredSessions(core, now, rowsAtOnce)) +
    (await deleteConfirmations(core, now - confirmationsKeptMs, rowsAtOnce)) +
    (await deleteExpiredStops(core, now, rowsAtOnce)) +
    (await deleteExpiredCodes(core, rowsAtOnce))
  return { rows, more: rows > 0 }
}

export const sessionsRetention = (core: Core): Retention[] => [
  { event: 'sessions.expired-deleted', batch: () => deleteExpired(core) },
  {
    event: 'sessions.number-changes-deleted',
    table: 'number_changes',
    by: 'ends_at',
    keepMs: 0,
  },
  {
    event: 'sessions.former-phones-deleted',
    batch: (now) => eraseFormerPhones(core, now - daysMs(retentionDays.messageTexts), rowsAtOnce),
  },
]

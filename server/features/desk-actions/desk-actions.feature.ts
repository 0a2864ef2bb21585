import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { deskActionsRoutes } from './desk-actions.routes.ts'
import { createDeskActions, type DeskActionsDeps } from './desk-actions.service.ts'
import { createDeskActionsStore } from './desk-actions.store.ts'

const rowsPerBatch = 100

/** What staff do about orders. Without a desk its calls do not exist. */
export function registerDeskActions(
  core: Core,
  needed: Omit<DeskActionsDeps, 'store' | 'database' | 'clock' | 'wake' | 'alone' | 'silenceMs'>,
) {
  const { config, database, retention } = core
  const store = createDeskActionsStore(database)
  const desk = createDeskActions({
    ...core,
    ...needed,
    store,
    alone: config.DESK_REFUND_ALONE * 100,
    silenceMs: config.TRACKING_SILENCE_HOURS * 60 * 60_000,
  })
  core.routes.push((app, scope) => deskActionsRoutes(app, scope, { desk }))
  const keepMs = daysMs(retentionDays.operatorActions)
  retention.push(
    {
      event: 'approvals.expired',
      async batch(now) {
        const rows = await database.transaction(() => store.expireOld(now, rowsPerBatch))
        return { rows, more: rows === rowsPerBatch }
      },
    },
    { event: 'approvals.deleted', table: 'approvals', by: 'asked_at', keepMs },
  )
  return desk
}

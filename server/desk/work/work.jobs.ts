import type { Core } from '#server/core.ts'
import { daysMs } from '#server/platform/batches.ts'
import { oncePerScrape } from '#server/platform/metrics.ts'
import type { Retention } from '#server/platform/retention.ts'
import type { WorkList } from '#shared/desk/work/work.schemas.ts'
import { workKinds } from '#shared/platform/desk-words.ts'
import { retentionDays } from '#shared/platform/retention.ts'
import { readLists } from './work-lists.ts'

export const workRetention = (): Retention[] => [
  {
    event: 'work.takes-deleted',
    table: 'desk_work',
    by: 'moved_at',
    keepMs: daysMs(1),
  },
  {
    event: 'work.findings-deleted',
    table: 'payment_findings',
    by: 'closed_at',
    keepMs: daysMs(retentionDays.paymentDetails),
  },
]

export function registerWorkGauges(core: Core): void {
  const { config, metrics, clock } = core
  if (config.DESK_OIDC_ISSUER === undefined) return
  const read = oncePerScrape(() => readLists(core))
  const gauge = (
    name: 'amtiati_desk_work' | 'amtiati_desk_work_late' | 'amtiati_desk_work_oldest_age_seconds',
    help: string,
    measure: (list: WorkList) => number,
  ) =>
    metrics.gaugeBy(
      name,
      help,
      'kind',
      workKinds,
      async () => new Map((await read()).map((list) => [list.kind, measure(list)])),
    )
  gauge('amtiati_desk_work', 'Rows of each work list of the desk, counted to 1,000.', ({ count }) => count)
  gauge('amtiati_desk_work_late', 'Those past the limit of their list.', ({ late }) => late)
  gauge('amtiati_desk_work_oldest_age_seconds', 'How long the oldest row has waited.', ({ oldest }) =>
    oldest === null ? 0 : Math.max(0, clock.now() - Date.parse(oldest)) / 1_000,
  )
}

import type { Core } from '#server/core.ts'
import { bagPolls, codeTexts } from './tracking.jobs.ts'
import { countAlerts, countSilentBags, readOverdueMs } from './tracking.queries.ts'
import { trackingRoutes } from './tracking.routes.ts'

export function registerTracking(core: Core): void {
  const { clock, config, metrics, workers } = core
  const silenceMs = config.TRACKING_SILENCE_HOURS * 60 * 60_000
  core.routes.push(trackingRoutes)
  workers.set('tracking', bagPolls(core))
  workers.set('trackingTexts', codeTexts(core))
  metrics.gauge(
    'amtiati_tracking_poll_overdue_seconds',
    'How long the poll that is overdue longest is due; 0 when none is.',
    async () => (await readOverdueMs(core)) / 1_000,
  )
  metrics.gauge(
    'amtiati_bags_silent',
    'Bags on their way that were not heard of for TRACKING_SILENCE_HOURS; counts to 1,000.',
    () => countSilentBags(core, clock.now() - silenceMs),
  )
  metrics.gauge(
    'amtiati_bags_needing_person',
    'Open alerts about bags: damaged, lost, returning, scans that contradict or whose time cannot be; counts to 1,000.',
    () => countAlerts(core),
  )
}

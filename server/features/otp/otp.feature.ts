import type { Core } from '#server/core.ts'
import { readBudgetUsed } from './limits.ts'
import { countAlerts } from './pairings.queries.ts'

export function registerOtp(core: Core): void {
  core.metrics.gauge(
    'amtiati_sign_in_budget_used_ratio',
    'Part of OTP_DAILY_BUDGET that the codes of the last 24 hours to devices that have not signed in before have used up.',
    () => readBudgetUsed(core),
  )
  core.metrics.gauge(
    'amtiati_agents_shut_out',
    'Agents whose number has used up the codes of a day, so that a new device needs a pairing number.',
    () => countAlerts(core, core.clock.now()),
  )
}

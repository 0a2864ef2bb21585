import type { Core } from '#server/core.ts'
import { oncePerScrape } from '#server/platform/metrics.ts'
import { refundStates } from '#shared/payments/payments.schemas.ts'
import { countLiveAttempts, readDueInquiries } from './attempts.queries.ts'
import { expiry, inquiries, paymentsRetention, refunds } from './payments.jobs.ts'
import { paymentsRoutes } from './payments.routes.ts'
import { liveStates, refundRules } from './payments.rules.ts'
import { countOpenRefunds, countOverdueRefunds, readOpenRefunds } from './refunds.queries.ts'

export function registerPayments(core: Core): void {
  core.routes.push(paymentsRoutes)
  core.workers.set('inquiries', inquiries(core))
  core.workers.set('refunds', refunds(core))
  core.workers.set('expiry', expiry(core))
  core.retention.push(...paymentsRetention(core))
  registerGauges(core)
}

const openRefundStates = refundStates.filter((state) => state !== 'done')

function registerGauges(core: Core) {
  const { clock, metrics } = core
  metrics.queue('callbacks', clock, async () => {
    const [first] = core.callbacksUnderWay
    return { count: core.callbacksUnderWay.size, oldest: first?.at ?? null }
  })
  metrics.gaugeBy(
    'amtiati_payment_attempts',
    'Payment attempts that are not ended, by state.',
    'state',
    liveStates,
    async () => {
      const counts = await countLiveAttempts(core)
      return new Map(liveStates.map((state) => [state, counts.get(state) ?? 0]))
    },
  )
  const readRefunds = oncePerScrape(() => countOpenRefunds(core))
  const openRefunds = (what: 'count' | 'halalas') => async () => {
    const counts = await readRefunds()
    return new Map(openRefundStates.map((state) => [state, counts.get(state)?.[what] ?? 0]))
  }
  metrics.gaugeBy(
    'amtiati_refunds',
    'Refunds that are not done, by state.',
    'state',
    openRefundStates,
    openRefunds('count'),
  )
  metrics.gaugeBy(
    'amtiati_refunds_halalas',
    'Money of the refunds that are not done, by state, without other currencies than ours.',
    'state',
    openRefundStates,
    openRefunds('halalas'),
  )
  metrics.gauge(
    'amtiati_refunds_needing_help',
    `Refunds not done ${refundRules.helpAfterMs / 3_600_000} hours after they were ordered.`,
    () => countOverdueRefunds(core, clock.now() - refundRules.helpAfterMs),
  )
  metrics.queue('refunds', clock, () => readOpenRefunds(core))
  metrics.queue('inquiries', clock, () => readDueInquiries(core))
}

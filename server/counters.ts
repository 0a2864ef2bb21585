import type { Metrics } from './platform/metrics.ts'

/** The counters of the features, in one table. */
export const declareCounters = (metrics: Metrics) => ({
  claimSteps: metrics.counter('amtiati_claim_steps_total', 'Steps of claims, by kind.', ['step']),
})

export type Counters = ReturnType<typeof declareCounters>

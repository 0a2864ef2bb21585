import { alarmReasons } from '#server/features/messages/messages.rules.ts'
import { eventKinds } from '#shared/payments/payments.schemas.ts'
import { listKinds } from './features/partner/partner-lists.ts'
import type { Metrics } from './platform/metrics.ts'

export const declareCounters = (metrics: Metrics) => ({
  appErrors: metrics.counter(
    'amtiati_app_errors_total',
    'Errors of the app in browsers, as it reports them.',
    ['page'],
    [{ page: '/orders/:id' }],
  ),
  claimSteps: metrics.counter('amtiati_claim_steps_total', 'Steps of claims, by kind.', ['step']),
  cspReports: metrics.counter(
    'amtiati_csp_reports_total',
    'Violations of the content policy, as browsers report them.',
    ['directive'],
    [{ directive: 'script-src-elem' }],
  ),
  labelReadsRefused: metrics.counter(
    'amtiati_label_reads_refused_total',
    'Requests for airway bills that do not exist or belong to another user or agent.',
    ['role'],
  ),
  partnerListsRefused: metrics.counter(
    'amtiati_partner_lists_refused_total',
    'Lists of the partner that were not taken because they were empty or suddenly less than half as long.',
    ['list', 'reason'],
    listKinds.flatMap((list) => ['empty', 'halved'].map((reason) => ({ list, reason }))),
  ),
  partnerRowsDropped: metrics.counter(
    'amtiati_partner_rows_dropped_total',
    'Rows of the partner’s lists that could not be used, by list and reason.',
    ['list', 'reason'],
  ),
  hiddenPayments: metrics.counter(
    'amtiati_payment_hidden_payments_total',
    'Answers of the provider that count more money on an order than the payments it has reported.',
    ['kind'],
    eventKinds.map((kind) => ({ kind })),
  ),
  ordersCancelled: metrics.counter('amtiati_orders_cancelled_total', 'Orders cancelled by their owners.', [
    'was',
  ]),
  ordersPaid: metrics.counter('amtiati_orders_paid_total', 'Orders that were paid.', []),
  ordersRefunded: metrics.counter('amtiati_orders_refunded_total', 'Paid orders whose money went back.', []),
  paymentCallbacks: metrics.counter(
    'amtiati_payment_callbacks_total',
    'Callbacks by outcome.',
    ['outcome'],
    // An operator must look into payment callbacks with these outcomes (docs/alerts.md).
    ['reference-mismatch', 'unknown-order', 'ambiguous', 'forged', 'unreadable'].map((outcome) => ({
      outcome,
    })),
  ),
  paymentCallbacksSigned: metrics.counter(
    'amtiati_payment_callbacks_signed_total',
    'Accepted callbacks, by the secret that proves them: current or previous.',
    ['secret'],
  ),
  paymentFieldsDropped: metrics.counter(
    'amtiati_payment_fields_dropped_total',
    'Unsigned fields of the payment provider that could not be read and are treated as absent.',
    ['field'],
  ),
  paymentIntentions: metrics.counter(
    'amtiati_payment_intentions_total',
    'Intentions by outcome.',
    ['outcome'],
    ['opened', 'unknown', 'failed'].map((outcome) => ({ outcome })),
  ),
  shareReadsMissed: metrics.counter(
    'amtiati_share_reads_missed_total',
    'Reads of shared links that do not exist.',
    [],
  ),
  messageAlarms: metrics.counter(
    'amtiati_message_alarms_total',
    'Faults that need an operator, by reason.',
    ['reason'],
    alarmReasons.map((reason) => ({ reason })),
  ),
  messageCallbacks: metrics.counter('amtiati_message_callbacks_total', 'Status callbacks by outcome.', [
    'outcome',
  ]),
  messages: metrics.counter('amtiati_messages_total', 'Messages by what became of them.', ['outcome']),
  pushMessages: metrics.counter('amtiati_push_messages_total', 'Push messages to browsers by outcome.', [
    'outcome',
  ]),
  shipmentTries: metrics.counter('amtiati_shipment_tries_total', 'Tries to get an airway bill, by outcome.', [
    'outcome',
  ]),
  signInLimits: metrics.counter(
    'amtiati_sign_in_limits_total',
    'Codes and checks that were refused, by the limit that refused them.',
    ['limit'],
  ),
  trackingAlerts: metrics.counter(
    'amtiati_tracking_alerts_total',
    'Scans that a person must look at, by reason: `npm run ops -- bags` lists them.',
    ['kind'],
  ),
  trackingBagsAsked: metrics.counter('amtiati_tracking_bags_asked_total', 'Bags in these calls.', []),
  trackingPolls: metrics.counter('amtiati_tracking_polls_total', 'Bulk calls to the courier, by outcome.', [
    'outcome',
  ]),
  trackingPushes: metrics.counter('amtiati_tracking_pushes_total', 'Pushes of the courier, by outcome.', [
    'outcome',
  ]),
  trackingPushesProven: metrics.counter(
    'amtiati_tracking_pushes_proven_total',
    'Pushes with a right key, by the key: current or previous.',
    ['key'],
  ),
  trackingScans: metrics.counter(
    'amtiati_tracking_scans_total',
    'Scans that were new, by the way they came.',
    ['way'],
  ),
})

export type Counters = ReturnType<typeof declareCounters>

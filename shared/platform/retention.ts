/**
 * The longest retention in days, as the privacy page states it. A gateway can be configured to keep data for less, never
 * for more.
 */
export const retentionDays = {
  /** Expired orders without any payment, from their creation. */
  unpaidOrders: 90,
  /** Files of airway bills, from their creation: no travel date is stored, and a bag may be booked a year ahead. */
  labels: 400,
  /** The provider's record of a payment: card schemes end disputes after 540 days at the latest. */
  paymentDetails: 540,
  /** Messages about a bag, from their creation: phone and text. */
  messages: 90,
  /** What operators changed about an order or a sign-in. */
  operatorActions: 730,
} as const

/**
 * Receipts and invoices are kept for six years from the end of their tax period (docs/wires/invoices.md I6): a quarter or a
 * month, so at least six years and 92 days. The privacy page promises their deletion six years after the end of the year.
 */
export const receiptRetention = { years: 6, leastDays: 2_284, mostDays: 2_558 } as const

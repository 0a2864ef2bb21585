/** How long data is kept, in days, as the privacy page states it. */
export const retentionDays = {
  /** Expired orders without any payment, from their creation. */
  unpaidOrders: 90,
  /**
   * Files of airway bills, from their creation, at most: no travel date is stored, and a bag may be booked a year ahead.
   * PostgreSQL drops those of a month with its first moment, so that some are kept a month less.
   */
  labels: 400,
  /** The provider's record of a payment: card schemes end disputes after 540 days at the latest. */
  paymentDetails: 540,
  /** Where messages went and what they said, from their creation. */
  messageTexts: 90,
  /** What they were about, and whether they arrived: as long as a payment can be disputed. */
  messages: 540,
  /** Claims and what was written in them, from the last step: as long as a payment can be disputed. */
  claims: 540,
  /** Photographs of claims, from their upload: the courier and the transport authority have decided by then. */
  claimPhotos: 180,
  /** What operators and staff changed, looked at or noted about an order, a claim or a sign-in. */
  operatorActions: 730,
} as const

/**
 * Receipts and invoices are kept for six years from the end of their tax period (docs/wires/invoices.md I6), which is at the
 * latest the end of the year: a year that has just begun, and six more with two leap days.
 */
export const receiptRetention = { years: 6, days: 2_558 } as const

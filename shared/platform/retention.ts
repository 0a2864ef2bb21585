/** How long data is stored, in days, as the privacy page states. */
export const retentionDays = {
  /** Expired orders without any payment, from their creation. */
  unpaidOrders: 90,
  /**
   * Files of airway bills, at most, from their creation: no travel date is stored, and a bag may be booked a year
   * ahead. PostgreSQL drops a whole month at its first moment, so some are stored a month less.
   */
  labels: 400,
  /** The provider's record of a payment: card schemes end disputes after 540 days at the latest. */
  paymentDetails: 540,
  /** Recipients and texts of messages, from their creation. */
  messageTexts: 90,
  /** Subjects and outcomes of messages: as long as a payment can be disputed. */
  messages: 540,
  /** Claims with their texts, from the last step: as long as a payment can be disputed. */
  claims: 540,
  /** Photographs of claims, from their upload: courier and transport authority have decided by then. */
  claimPhotos: 180,
  /** Changes, page views and notes of operators and staff about an order, a claim or a sign-in. */
  operatorActions: 730,
} as const

/**
 * Receipts and invoices are kept for six years from the end of their tax period (docs/wires/invoices.md I6),
 * which is at the latest the end of the year: a year that has just begun, and six more with two leap days.
 */
export const receiptRetention = { years: 6, days: 2_558 } as const

/** The privacy page states the same days. */
export const retentionDays = {
  /** Days count from the creation of the order. */
  unpaidOrders: 90,
  /**
   * Days count from the creation of the label: no travel date is stored, and a bag may be booked a year ahead.
   * PostgreSQL drops a whole month at its first moment, so some are stored a month less.
   */
  labels: 400,
  /** Card schemes end disputes after 540 days at the latest. */
  paymentDetails: 540,
  /** Recipients and texts, from their creation. */
  messageTexts: 90,
  /** Subjects and outcomes: as long as a payment can be disputed. */
  messages: 540,
  /** Days count from the last step: a payment can be disputed as long. */
  claims: 540,
  /** Courier and transport authority have decided by then. */
  claimPhotos: 180,
  /** Changes, page views and notes about an order, a claim or a sign-in. */
  operatorActions: 730,
} as const

/**
 * Six years from the end of the tax period (docs/wires/invoices.md I6), which is at the latest the end of the year: a
 * year that has just begun, and six more with two leap days.
 */
export const receiptRetention = { years: 6, days: 2_558 } as const

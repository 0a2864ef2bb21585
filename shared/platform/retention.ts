/** The privacy page states the same numbers of days. */
export const retentionDays = {
  /** An unpaid order is deleted this many days after its creation. */
  unpaidOrders: 90,
  /**
   * A label is deleted this many days after its creation: no travel date is stored, and a bag may be booked a year
   * ahead. PostgreSQL deletes the labels of a month together, when the first one is due, so some are stored up to a
   * month less.
   */
  labels: 400,
  /** Card schemes end disputes after 540 days at the latest. */
  paymentDetails: 540,
  /** The recipient and text of a message are deleted this many days after its creation. */
  messageTexts: 90,
  /** The subject and outcome of a message are kept as long as a payment can be disputed. */
  messages: 540,
  /** A claim is kept this long after its last step, because a payment can be disputed as long. */
  claims: 540,
  /** The courier and the transport authority have decided about a claim within this time. */
  claimPhotos: 180,
  /** The picture of a hand-over is kept for this many days after the collection of its bag. */
  handoverPhotos: 180,
  /** The picture of a bag whose collection is not known is kept for this many days after its upload, like a label. */
  uncollectedPhotos: 400,
  /** Changes, page views and notes about an order, a claim or a sign-in are kept for this many days. */
  operatorActions: 730,
} as const

/**
 * A receipt is kept for six years after the end of its tax period (docs/wires/invoices.md I6), which ends with the year
 * at the latest. `days` covers the year of the receipt and six more years, with two leap days.
 */
export const receiptRetention = { years: 6, days: 2_558 } as const

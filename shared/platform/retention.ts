/** The privacy page states the same days. docs/operate.md says when each period begins. */
export const retentionDays = {
  unpaidOrders: 90,
  /**
   * More than a year, because no travel date is stored and users can book a year ahead. PostgreSQL deletes the labels
   * of a month together when the first of them is due, so some labels are stored up to a month less.
   */
  labels: 400,
  /** Card schemes end disputes after 540 days at the latest, so `messages` and `claims` are stored as long, too. */
  paymentDetails: 540,
  messageTexts: 90,
  messages: 540,
  claims: 540,
  /** The courier and the transport authority have decided about a claim within this time. */
  claimPhotos: 180,
  handoverPhotos: 180,
  uncollectedPhotos: 400,
  operatorActions: 730,
} as const

/**
 * A receipt is kept for six years after the end of its tax period, at the latest the end of the year
 * (docs/wires/invoices.md I6). `days` covers the year of the receipt and six more years, leap days included.
 */
export const receiptRetention = { years: 6, days: 2_558 } as const

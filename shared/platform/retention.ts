/** The privacy page states the same days. docs/operate.md says when each period begins. */
export const retentionDays = {
  unpaidOrders: 90,
  /**
   * Labels are stored for more than a year, because users can book a year ahead. PostgreSQL deletes the labels of a
   * month together, some of them up to a month early.
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
 * (docs/wires/invoices.md I6). `days` covers seven years with their leap days.
 */
export const receiptRetention = { years: 6, days: 2_558 } as const

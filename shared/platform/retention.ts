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
} as const

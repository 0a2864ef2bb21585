/**
 * `statusOf` (shared/orders/orders.rules.ts) in SQL. Must contain literals, so that PostgreSQL can use partial indexes.
 */
export const statusConditions = {
  PENDING_PAYMENT: "payment = 'unpaid' AND ended IS NULL",
  PAID: "payment = 'paid' AND ended IS NULL",
  EXPIRED: "payment = 'unpaid' AND ended IS NOT NULL AND ended = 'expired'",
  REFUNDED: "payment = 'returned'",
  CANCELLED: "ended = 'cancelled' AND payment <> 'returned'",
} as const

export const statusExpression = `CASE ${Object.entries(statusConditions)
  .map(([status, condition]) => `WHEN ${condition} THEN '${status}'`)
  .join(' ')} END`

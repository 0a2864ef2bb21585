/** What the thank-you page reads from its address (spec §2). The payment provider names these parameters. */
export const paymentReturn = { success: 'success', merchantOrderId: 'merchant_order_id' } as const

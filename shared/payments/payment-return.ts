/** The payment provider names these parameters in the thank-you page's address (spec §2). */
export const paymentReturn = { success: 'success', merchantOrderId: 'merchant_order_id' } as const

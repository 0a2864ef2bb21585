/** The parameters that the thank-you page reads from its address (spec §2). The payment provider named them. */
export const paymentReturn = { success: 'success', merchantOrderId: 'merchant_order_id' } as const

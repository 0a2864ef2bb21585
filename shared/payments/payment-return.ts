/** Parameters in the thank-you page's address (spec §2), named by the payment provider. */
export const paymentReturn = { success: 'success', merchantOrderId: 'merchant_order_id' } as const

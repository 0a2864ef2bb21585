/** The payment provider adds these parameters to the address of the thank-you page (spec §2). */
export const paymentReturn = { success: 'success', merchantOrderId: 'merchant_order_id' } as const

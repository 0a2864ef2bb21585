/** Staff see a refund that is still open after this time. */
export const refundHelpAfterMs = 6 * 3_600_000

/** Staff see a refund that is open for longer than this. The gateway continues to try. */
export const refundHelpAfterMs = 6 * 3_600_000

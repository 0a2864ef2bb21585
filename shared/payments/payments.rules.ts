/** A refund that is open for longer is shown to staff; the gateway goes on trying. */
export const refundHelpAfterMs = 6 * 3_600_000

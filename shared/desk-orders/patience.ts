/** What is said of a refund or a bag only once it lasts. */
export const patience = { refundMs: 6 * 3_600_000, silenceMs: 24 * 3_600_000 } as const

/** Follows bags by the courier's scans. Called inside the transaction in which they are to be followed. */
export interface Following {
  /** Begins to follow a bag. One that was void for a time is followed no more; its hand-over begins it again. */
  follow(bookingId: number, awb: string): Promise<void>
  /** Follows a bag closely from its hand-over on. */
  followClosely(bookingId: number, awb: string): Promise<void>
}

/** News of an order that its owner is told. `paid`: the airway bill number is known. */
export const announcementKinds = [
  'paid',
  'handed-over',
  'at-branch',
  'collected',
  'refunded',
  'exception',
  'cancelled',
  'wrong-amount',
] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

/** What becomes of held news: it is withdrawn with the undone hand-over, or told at once, because no undo is possible now. */
export type HeldNewsKind = 'hand-over-undone' | 'hand-over-final'

export interface OrderAnnouncement {
  readonly kind: AnnouncementKind | HeldNewsKind
  readonly orderId: number
  /** Null for news of the whole order. */
  readonly bookingId: number | null
  readonly userId: number
  readonly awb: string | null
  /** Of `wrong-amount`: the refund. */
  readonly refundId?: number
  /** Epoch milliseconds: not told before, because it may be undone. */
  readonly heldUntil?: number
}

/** Called inside the transaction that makes the news true: it may only store ids and times. */
export type Announce = (announcement: OrderAnnouncement) => Promise<void>

/** News of an order that its owner is told. `paid`: the airway bill number is known. */
export const announcementKinds = [
  'paid',
  'handed-over',
  'at-branch',
  'collected',
  'refunded',
  'exception',
  'cancelled',
] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

export interface OrderAnnouncement {
  readonly kind: AnnouncementKind
  readonly orderId: number
  /** Null for news of the whole order. */
  readonly bookingId: number | null
  readonly userId: number
  readonly awb: string | null
  /** A city or the name of an agent. */
  readonly place: string | null
}

/** Called inside the transaction that makes the news true: it may only store. */
export type Announce = (announcement: OrderAnnouncement) => Promise<void>

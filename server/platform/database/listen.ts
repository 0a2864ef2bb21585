/**
 * An order; a work list of the desk and an order's page there (0: no order); that page alone (`amtiati_desk_order`); or
 * an ended session, by the hash of its token.
 */
export interface Notice {
  readonly channel: 'amtiati_orders' | 'amtiati_desk' | 'amtiati_desk_order' | 'amtiati_sessions'
  readonly what: string
}

export interface Listener {
  onNotice(notice: Notice): void
  onGap(): void
}

export type Listen = (listener: Listener) => () => Promise<void>

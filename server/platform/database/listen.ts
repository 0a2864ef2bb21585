/**
 * A change of a committed transaction: an order, a work list of the desk and the page of an order there (0: of no order), that page
 * alone (`amtiati_desk_order`), or a session that ended, by the hash of its token.
 */
export interface Notice {
  readonly channel: 'amtiati_orders' | 'amtiati_desk' | 'amtiati_desk_order' | 'amtiati_sessions'
  readonly what: string
}

export interface Listener {
  onNotice(notice: Notice): void
  /** Notices may have been missed. */
  onGap(): void
}

/** Listens until the function that it returns is called. */
export type Listen = (listener: Listener) => () => Promise<void>

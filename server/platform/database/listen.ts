/**
 * What a committed transaction changed: an order, a work list of the desk and what it shows of an order (0: of none), who has rows
 * of it or what is recorded about it and no list, or a session that ended, by the hash of its token.
 */
export interface Notice {
  readonly channel: 'amtiati_orders' | 'amtiati_desk' | 'amtiati_desk_order' | 'amtiati_sessions'
  readonly what: string
}

export interface Listener {
  onNotice(notice: Notice): void
  /** Notices may have been missed: what they would have told is read again. */
  onGap(): void
}

/** Listens until the function that it returns is called. */
export type Listen = (listener: Listener) => () => Promise<void>

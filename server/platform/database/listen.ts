/**
 * What a committed transaction changed: an order, what the desk sees of an order (0: of none), or a session that ended, by the
 * hash of its token.
 */
export interface Notice {
  readonly channel: 'amtiati_orders' | 'amtiati_desk' | 'amtiati_sessions'
  readonly what: string
}

export interface Listener {
  onNotice(notice: Notice): void
  /** Notices may have been missed: what they would have told is read again. */
  onGap(): void
}

/** Listens until the function that it returns is called. */
export type Listen = (listener: Listener) => () => Promise<void>

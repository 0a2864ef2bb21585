/**
 * `amtiati_orders`: an order changed. `amtiati_desk`: a work list or an order at the desk changed (0: no order).
 * `amtiati_desk_order`: an order changed only on its page of the desk. `amtiati_sessions`: a session ended.
 * `what` is the id of the order, or the hash of the token of the ended session.
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

/**
 * `amtiati_desk_order`: an order changed only on its page of the desk. `what` is the id of an order (0: no order), or
 * the hash of the token of an ended session.
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

/**
 * A changed order (`amtiati_orders`), a changed work list or order at the desk (`amtiati_desk`, 0: no order), an order
 * that changed only on its page of the desk (`amtiati_desk_order`), or an ended session (`amtiati_sessions`). `what` is
 * the order's id, or the hash of the session's token.
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

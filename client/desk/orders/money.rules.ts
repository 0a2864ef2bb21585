import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'

/** What went to and fro, in minor units. */
export interface Money {
  /** All that the provider charged, whatever its order needed. */
  readonly paid: number
  /** In how many payments. */
  readonly payments: number
  /** Ordered, and not seen at the provider. */
  readonly onItsWayBack: number
  readonly returned: number
}

export function moneyOf({ payments }: Pick<DeskOrder, 'payments'>): Money {
  const charged = payments
    .flatMap(({ events }) => events)
    .filter(({ kind, outcome }) => kind === 'succeeded' && outcome !== 'unknown-order')
  const refunds = payments.flatMap(({ refunds }) => refunds)
  const sum = (rows: readonly { readonly amountHalalas: number }[]) =>
    rows.reduce((total, { amountHalalas }) => total + amountHalalas, 0)
  return {
    paid: sum(charged),
    payments: charged.length,
    onItsWayBack: sum(refunds.filter(({ state }) => state !== 'done')),
    // One that was written off is closed, and nothing went back.
    returned: sum(refunds.filter((refund) => refund.state === 'done' && !('writtenOffAt' in refund))),
  }
}

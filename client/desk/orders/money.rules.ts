import type { DeskOrder } from '#shared/desk/orders/desk-orders.schemas.ts'

/** Payments and refunds of an order, in minor units. */
export interface Money {
  /** The sum of all charges by the provider, also when it exceeds the price. */
  paid: number
  /** The number of payments. */
  payments: number
  /** The sum of ordered refunds that the provider has not made yet. */
  onItsWayBack: number
  returned: number
}

export function moneyOf({ payments }: Pick<DeskOrder, 'payments'>): Money {
  const charged = payments
    .flatMap(({ events }) => events)
    .filter(({ kind, outcome }) => kind === 'succeeded' && outcome !== 'unknown-order')
  const refunds = payments.flatMap(({ refunds }) => refunds)
  const sum = (rows: readonly { amountHalalas: number }[]) =>
    rows.reduce((total, { amountHalalas }) => total + amountHalalas, 0)
  return {
    paid: sum(charged),
    payments: charged.length,
    onItsWayBack: sum(refunds.filter(({ state }) => state !== 'done')),
    // A refund that was written off is closed, but no money was returned.
    returned: sum(refunds.filter((refund) => refund.state === 'done' && !('writtenOffAt' in refund))),
  }
}

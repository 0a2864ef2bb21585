import type { Core } from '#server/core.ts'
import type { OrderEnd, OrderPayment } from '#shared/orders/orders.schemas.ts'
import { findOrder } from './orders.queries.ts'

export interface PayableOrder {
  readonly id: number
  readonly userId: number
  readonly payment: OrderPayment
  readonly ended: OrderEnd | null
  readonly amountHalalas: number
  readonly currency: string
  /** The id of the transaction that paid the order stays after a cancellation. */
  readonly transactionId: string | null
}

export async function findPayable(core: Core, id: number): Promise<PayableOrder | undefined> {
  const row = await findOrder(core, id)
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      payment: row.payment,
      ended: row.ended,
      amountHalalas: row.amount_halalas,
      currency: row.currency,
      transactionId: row.transaction_id,
    }
  )
}

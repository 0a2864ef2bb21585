import type { Order } from '#shared/orders/orders.schemas.ts'
import { OrderResult } from './order-result.tsx'
import { isOrderNumber } from './payment.rules.ts'
import { LoadingOrder, NoSuchOrder, NotLoaded } from './thank-you.page.tsx'
import { useOnPaid, useWatchedOrder } from './watched-order.ts'

interface OrderPageProps {
  /** From the address. */
  readonly orderId: string | undefined
  readonly maxWeightKg?: number | undefined
  /** Called for every order that is shown as paid. */
  readonly onPaid: (orderId: number) => void
  readonly onBookAgain: (order: Order) => void
}

/** One order of the user, at its own address. */
export function OrderPage({ orderId = '', ...rest }: OrderPageProps) {
  return isOrderNumber(orderId) ? <OwnOrder orderKey={orderId} {...rest} /> : <NoSuchOrder />
}

interface OwnOrderProps extends Omit<OrderPageProps, 'orderId'> {
  readonly orderKey: string
}

function OwnOrder({ orderKey, maxWeightKg, onPaid, onBookAgain }: OwnOrderProps) {
  const { result, order, kept, isLoading } = useWatchedOrder(orderKey)
  useOnPaid(order, onPaid)

  if (isLoading) return <LoadingOrder />
  if (!order) return <NotLoaded problem={result.error} onRetry={() => void result.refetch()} />
  return (
    <OrderResult
      order={order}
      kept={kept}
      maxWeightKg={maxWeightKg}
      onRefresh={() => result.refetch()}
      onBookAgain={() => onBookAgain(order)}
    />
  )
}

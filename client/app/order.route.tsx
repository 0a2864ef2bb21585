import { useParams } from 'react-router-dom'
import { OrderClaims } from '#client/features/claims/order-claims.tsx'
import { OrderPage } from '#client/features/payment/order.page.tsx'
import { useOrderView } from './order-view.ts'

export function OrderRoute() {
  const { onPaid, leave } = useOrderView()
  return (
    <OrderPage
      orderId={useParams().id}
      onPaid={onPaid}
      onBookAgain={leave}
      claims={(order) => <OrderClaims order={order} />}
    />
  )
}

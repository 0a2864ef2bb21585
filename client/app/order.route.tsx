import { useNavigate, useParams } from 'react-router-dom'
import { OrderClaims } from '#client/features/claims/order-claims.tsx'
import { OrderPage } from '#client/features/payment/order.page.tsx'
import { paths } from '#client/platform/paths.ts'
import { useOrderView } from './order-view.ts'

export function OrderRoute() {
  const { onPaid, conclude } = useOrderView()
  const navigate = useNavigate()
  return (
    <OrderPage
      orderId={useParams().id}
      onPaid={onPaid}
      onBookAgain={(order) => {
        conclude(order)
        void navigate(paths.booking)
      }}
      claims={(order) => <OrderClaims order={order} />}
    />
  )
}

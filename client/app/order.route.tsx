import { useParams } from 'react-router-dom'
import { OrderPage } from '#client/features/payment/order.page.tsx'
import { useOrderView } from './order-view.ts'

export function OrderRoute() {
  const { onPaid, leave } = useOrderView()
  return <OrderPage orderId={useParams().id} onPaid={onPaid} onBookAgain={leave} />
}

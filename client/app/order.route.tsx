import { useParams } from 'react-router-dom'
import { OrderPage } from '#client/features/payment/order.page.tsx'
import { useOrderView } from './order-view.ts'

export function OrderRoute() {
  const { maxWeightKg, onPaid, leave } = useOrderView()
  return <OrderPage orderId={useParams().id} maxWeightKg={maxWeightKg} onPaid={onPaid} onBookAgain={leave} />
}

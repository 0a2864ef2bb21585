import { OrdersPage } from '#client/features/orders/orders.page.tsx'
import { useUserId } from './guard.tsx'

export function OrdersRoute() {
  const userId = useUserId()
  return userId === undefined ? null : <OrdersPage userId={userId} />
}

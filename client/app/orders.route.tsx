import { OrdersPage } from '#client/features/orders/orders.page.tsx'
import { keepInstallOffer } from '#client/platform/install-offer.ts'
import { useUserId } from './guard.tsx'

keepInstallOffer()

export function OrdersRoute() {
  const userId = useUserId()
  return userId === undefined ? null : <OrdersPage userId={userId} />
}

import { Ltr } from '#client/ui/ltr.tsx'
import { orderNumber } from '#shared/orders/order-number.ts'

export function OrderNumber({ orderId }: { readonly orderId: number | string }) {
  return <Ltr>{orderNumber(orderId)}</Ltr>
}

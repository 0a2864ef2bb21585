import { orderNumber } from '#client/platform/order-number.ts'
import { Ltr } from './ltr.tsx'

export function OrderNumber({ orderId }: { readonly orderId: number | string }) {
  return <Ltr>{orderNumber(orderId)}</Ltr>
}

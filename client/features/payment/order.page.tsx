import { OrderScreen, type OrderScreenProps } from './order-screen.tsx'
import { OrderWithoutPass } from './order-without-pass.tsx'
import { isOrderNumber } from './payment.rules.ts'

type OrderPageProps = Pick<OrderScreenProps, 'onPaid' | 'onBookAgain' | 'claims'> & {
  /** The order number in the address. */
  readonly orderId: string | undefined
}

/** One order of the user, at its own address. */
export function OrderPage({ orderId = '', ...rest }: OrderPageProps) {
  return isOrderNumber(orderId) ? (
    <OrderScreen orderKey={orderId} {...rest} />
  ) : (
    <OrderWithoutPass state="missing" />
  )
}

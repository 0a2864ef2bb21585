import { useSearchParams } from 'react-router-dom'
import { OrderScreen, type OrderScreenProps } from './order-screen.tsx'
import { OrderWithoutPass } from './order-without-pass.tsx'
import { isOrderKey, readReturn } from './payment.rules.ts'

type ThankYouPageProps = Pick<OrderScreenProps, 'onPaid' | 'onBookAgain' | 'onClose'>

/** The result of a payment, for the order that the address names. */
export function ThankYouPage(props: ThankYouPageProps) {
  const [query] = useSearchParams()
  const { succeeded, merchantOrderId } = readReturn(query)
  if (isOrderKey(merchantOrderId))
    return <OrderScreen orderKey={merchantOrderId} payment={succeeded ? 'succeeded' : 'failed'} {...props} />
  return <OrderWithoutPass state={succeeded ? 'missing' : 'declined'} />
}

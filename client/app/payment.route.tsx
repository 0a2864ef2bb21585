import { PaymentPage } from '#client/features/payment/payment.page.tsx'
import { WithConfig } from './with-config.tsx'

export function PaymentRoute() {
  return (
    <WithConfig>
      <PaymentPage />
    </WithConfig>
  )
}

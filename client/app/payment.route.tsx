import { PaymentPage } from '#client/features/payment/payment.page.tsx'
import { useSession } from '#client/session/session.ts'
import { WithConfig } from './with-config.tsx'

export function PaymentRoute() {
  const receiverName = useSession().user?.name ?? null
  return (
    <WithConfig>
      {({ widget, maxWeightKg, purchase, contact }) => (
        <PaymentPage
          widget={widget}
          maxWeightKg={maxWeightKg}
          purchase={purchase}
          helpPhone={contact.phone}
          receiverName={receiverName}
        />
      )}
    </WithConfig>
  )
}

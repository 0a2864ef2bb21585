import { ThankYouPage } from '#client/features/payment/thank-you.page.tsx'
import { useOrderView } from './order-view.ts'

export function ThankYouRoute() {
  const { onPaid, leave } = useOrderView()
  return <ThankYouPage onPaid={onPaid} onClose={leave} onBookAgain={leave} />
}

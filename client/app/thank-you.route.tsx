import { ThankYouPage } from '#client/features/payment/thank-you.page.tsx'
import { useOrderView } from './order-view.ts'

export function ThankYouRoute() {
  const { maxWeightKg, onPaid, leave } = useOrderView()
  return <ThankYouPage maxWeightKg={maxWeightKg} onPaid={onPaid} onClose={leave} onBookAgain={leave} />
}

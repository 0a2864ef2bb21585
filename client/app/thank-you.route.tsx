import { useState } from 'react'
import { ThankYouPage } from '#client/features/payment/thank-you.page.tsx'
import { paths } from '#client/platform/paths.ts'
import { Redirect } from './documents.tsx'
import { useOrderView } from './order-view.ts'

export function ThankYouRoute() {
  const { onPaid, conclude } = useOrderView()
  const [isLeft, setIsLeft] = useState(false)
  // Replaced, so that Back from the next booking does not open the result again.
  if (isLeft) return <Redirect to={paths.booking} />
  const leave: typeof conclude = (order) => {
    conclude(order)
    setIsLeft(true)
  }
  return <ThankYouPage onPaid={onPaid} onClose={leave} onBookAgain={leave} />
}

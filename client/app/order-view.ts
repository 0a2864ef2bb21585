import { useCallback } from 'react'
import { useNavigate } from 'react-router-dom'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { paths } from '#client/platform/paths.ts'

/** What both pages of one order need of booking. */
export function useOrderView() {
  const { dispatch } = useBooking()
  const navigate = useNavigate()
  const onPaid = useCallback((orderId: number) => dispatch({ type: 'concluded', orderId }), [dispatch])

  function leave({ orderId, status }: { readonly orderId: number; readonly status: string }): void {
    // The draft became an order. If that expired, the draft stays, so that nothing has to be chosen again.
    if (status !== 'EXPIRED') dispatch({ type: 'concluded', orderId })
    void navigate(paths.booking)
  }

  return { onPaid, leave }
}

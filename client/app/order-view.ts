import { useCallback } from 'react'
import { useBooking } from '#client/features/booking/booking.state.tsx'

/** What both pages of one order need of booking. */
export function useOrderView() {
  const { dispatch } = useBooking()
  const onPaid = useCallback((orderId: number) => dispatch({ type: 'concluded', orderId }), [dispatch])

  /** The draft became an order. If that expired, the draft stays, so that nothing has to be chosen again. */
  function conclude({ orderId, status }: { readonly orderId: number; readonly status: string }): void {
    if (status !== 'EXPIRED') dispatch({ type: 'concluded', orderId })
  }

  return { onPaid, conclude }
}

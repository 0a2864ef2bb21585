import { useCallback } from 'react'
import { useBooking } from '#client/features/booking/booking.state.tsx'

/** The parts of booking that both pages of one order need. */
export function useOrderView() {
  const { dispatch } = useBooking()
  const onPaid = useCallback((orderId: number) => dispatch({ type: 'concluded', orderId }), [dispatch])

  /** The draft became an order. The draft of an expired order stays, so that the user need not choose again. */
  function conclude({ orderId, status }: { readonly orderId: number; readonly status: string }): void {
    if (status !== 'EXPIRED') dispatch({ type: 'concluded', orderId })
  }

  return { onPaid, conclude }
}

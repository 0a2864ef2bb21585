import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { BookingPage } from '#client/features/booking/booking.page.tsx'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { paths } from '#client/platform/paths.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { WithConfig } from './with-config.tsx'

export function BookingRoute() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  // Mounting this page again means that the user navigated back.
  useEffect(() => dispatch({ type: 'stepped-back' }), [dispatch])
  const city = useSearchParams()[0].get('city')
  useEffect(() => {
    if (city === null) return
    if (cityCode(city) !== undefined) dispatch({ type: 'changed', change: { toCity: city } })
    // Without the query, so that a reload does not undo a later choice.
    void navigate(paths.booking, { replace: true })
  }, [city, dispatch, navigate])
  return (
    <WithConfig>
      <BookingPage
        draft={state.draft}
        onChange={(change) => dispatch({ type: 'changed', change })}
        onContinue={() => {
          dispatch({ type: 'stepped-forward' })
          void navigate(paths.checkout)
        }}
      />
    </WithConfig>
  )
}

import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { BookingPage, questionId } from '#client/features/booking/booking.page.tsx'
import { cityFieldOf } from '#client/features/booking/booking.rules.ts'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { paths } from '#client/platform/paths.ts'
import { sheetEntry } from '#client/ui/use-sheet.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { readAgainProblems } from './again-problems.ts'

export function BookingRoute() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const againProblems = readAgainProblems(useLocation().state)
  // Mounting this page again means that the user navigated back.
  useEffect(() => dispatch({ type: 'stepped-back' }), [dispatch])
  useCityInAddress()
  return (
    <BookingPage
      draft={state.draft}
      againProblems={againProblems}
      onChange={(change) => dispatch({ type: 'changed', change })}
      onContinue={() => {
        dispatch({ type: 'stepped-forward' })
        void navigate(paths.checkout)
      }}
    />
  )
}

/** The start page names the city, or nothing where it is to be chosen from all. */
function useCityInAddress(): void {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const field = cityFieldOf(state.draft.type)
  const city = useSearchParams()[0].get('city')
  const taken = useRef<string>(null)
  useEffect(() => {
    // Once, also where effects run twice.
    if (taken.current === city) return
    taken.current = city
    if (city === null) return
    if (cityCode(city) !== undefined) dispatch({ type: 'changed', change: { [field]: city } })
    // Without the query, so that a reload does not undo a later choice.
    void navigate(paths.booking, { replace: true })
    if (city === '') void navigate(paths.booking, { state: sheetEntry(questionId(field)) })
  }, [city, field, dispatch, navigate])
}

import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { BookingPage } from '#client/features/booking/booking.page.tsx'
import { type BookingDraft, cityFieldOf } from '#client/features/booking/booking.rules.ts'
import { useBooking } from '#client/features/booking/booking.state.tsx'
import { paths } from '#client/platform/paths.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { readAgainProblems } from './again-problems.ts'

/** The entry of the history that a list of answers adds does not render the page again in the press that opens the list. */
const Page = memo(BookingPage)

export function BookingRoute() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const { state: entry } = useLocation()
  const [againProblems] = useState(() => readAgainProblems(entry))
  // Mounting this page again means that the user navigated back.
  useEffect(() => dispatch({ type: 'stepped-back' }), [dispatch])
  const asked = useCityInAddress()
  const onChange = useCallback(
    (change: Partial<BookingDraft>) => dispatch({ type: 'changed', change }),
    [dispatch],
  )
  const onContinue = useCallback(() => {
    dispatch({ type: 'stepped-forward' })
    void navigate(paths.checkout)
  }, [dispatch, navigate])
  return (
    <Page
      draft={state.draft}
      againProblems={againProblems}
      asked={asked}
      onChange={onChange}
      onContinue={onContinue}
    />
  )
}

/** Takes the city from the address of the start page's link. @returns the question for the city where the link names none. */
function useCityInAddress() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const field = cityFieldOf(state.draft.type)
  const city = useSearchParams()[0].get('city')
  const [asked] = useState(city === '' ? field : undefined)
  const taken = useRef<string>(null)
  useEffect(() => {
    // Runs once, although StrictMode runs effects twice.
    if (taken.current === city) return
    taken.current = city
    if (city === null) return
    if (cityCode(city) !== undefined) dispatch({ type: 'changed', change: { [field]: city } })
    // Without the query, so that a reload does not undo a later choice.
    void navigate(paths.booking, { replace: true })
  }, [city, field, dispatch, navigate])
  return asked
}

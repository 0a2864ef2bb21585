import { memo, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { BookingPage } from '#client/features/booking/booking.page.tsx'
import { type BookingDraft, cityFieldOf, requiredFields } from '#client/features/booking/booking.rules.ts'
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
  const { asked, isTaken } = useAddress()
  const onChange = useCallback(
    (change: Partial<BookingDraft>) => dispatch({ type: 'changed', change }),
    [dispatch],
  )
  const onContinue = useCallback(() => {
    dispatch({ type: 'stepped-forward' })
    void navigate(paths.checkout)
  }, [dispatch, navigate])
  // The list of answers adds an entry to the history, which must not repeat the query.
  if (!isTaken) return null
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

/** Removes the city or the question of a link from the address. A link with an empty city asks for the city. */
function useAddress() {
  const { state, dispatch } = useBooking()
  const navigate = useNavigate()
  const field = cityFieldOf(state.draft.type)
  const [query] = useSearchParams()
  const city = query.get('city')
  const question = query.get('ask')
  const isTaken = city === null && question === null
  const [asked] = useState(
    city === '' ? field : requiredFields(state.draft.type).find((each) => each === question),
  )
  const address = query.toString()
  const taken = useRef<string>(null)
  useEffect(() => {
    // Runs once, although StrictMode runs effects twice.
    if (taken.current === address) return
    taken.current = address
    if (isTaken) return
    if (city !== null && cityCode(city) !== undefined)
      dispatch({ type: 'changed', change: { [field]: city } })
    // Without the query, so that a reload does not undo a later choice.
    void navigate(paths.booking, { replace: true })
  }, [address, city, isTaken, field, dispatch, navigate])
  return { asked, isTaken }
}

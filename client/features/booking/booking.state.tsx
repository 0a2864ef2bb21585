import {
  createContext,
  type Dispatch,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react'
import { readStoredJson, storeJson } from '#client/platform/browser-storage.ts'
import {
  type BookingAction,
  type BookingState,
  bookingReducer,
  bookingVersion,
  initialBookingState,
  readBooking,
} from './booking.rules.ts'

interface Booking {
  readonly state: BookingState
  readonly dispatch: Dispatch<BookingAction>
}

const BookingContext = createContext<Booking | undefined>(undefined)

/**
 * Stores the booking per tab, so that it survives a reload, signing in and the payment document. Each action is stored
 * before `dispatch` returns: a tab that ends in the middle of a request must not lose the key of its order.
 */
export function BookingProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState(() => readBooking(readStoredJson('booking')) ?? initialBookingState)
  const latest = useRef(state)
  const dispatch = useCallback((action: BookingAction) => {
    latest.current = bookingReducer(latest.current, action)
    storeJson('booking', { version: bookingVersion, ...latest.current })
    setState(latest.current)
  }, [])

  return <BookingContext value={{ state, dispatch }}>{children}</BookingContext>
}

export function useBooking(): Booking {
  const booking = useContext(BookingContext)
  if (!booking) throw new Error('useBooking needs a BookingProvider above it')
  return booking
}

import { createContext, type Dispatch, type ReactNode, useContext, useEffect, useReducer } from 'react'
import {
  type BookingAction,
  type BookingState,
  bookingReducer,
  initialBookingState,
  parseBookingState,
} from './booking.rules.ts'

interface Booking {
  readonly state: BookingState
  readonly dispatch: Dispatch<BookingAction>
}

const BookingContext = createContext<Booking | undefined>(undefined)

const storageKey = 'booking'

/** Keeps the draft for the tab's life, so that it survives a reload, signing in and the payment document. */
export function BookingProvider({ children }: { readonly children: ReactNode }) {
  const [state, dispatch] = useReducer(bookingReducer, undefined, restore)

  useEffect(() => keep(state), [state])

  return <BookingContext value={{ state, dispatch }}>{children}</BookingContext>
}

export function useBooking(): Booking {
  const booking = useContext(BookingContext)
  if (!booking) throw new Error('useBooking needs a BookingProvider above it')
  return booking
}

function restore(): BookingState {
  try {
    return parseBookingState(sessionStorage.getItem(storageKey) ?? '') ?? initialBookingState
  } catch {
    // Storage is refused in some private windows; the draft then lives in memory only.
    return initialBookingState
  }
}

function keep(state: BookingState): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(state))
  } catch {
    // As in restore: a draft that cannot be kept is no reason to fail.
  }
}

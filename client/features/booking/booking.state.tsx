import { createContext, type Dispatch, type ReactNode, useContext, useEffect, useReducer } from 'react'
import { readStored, storeJson } from '#client/platform/browser-storage.ts'
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

/** Stores the booking per tab, so that it survives a reload, signing in and the payment document. */
export function BookingProvider({ children }: { readonly children: ReactNode }) {
  const [state, dispatch] = useReducer(bookingReducer, undefined, restore)

  useEffect(() => void storeJson('booking', state), [state])

  return <BookingContext value={{ state, dispatch }}>{children}</BookingContext>
}

export function useBooking(): Booking {
  const booking = useContext(BookingContext)
  if (!booking) throw new Error('useBooking needs a BookingProvider above it')
  return booking
}

function restore(): BookingState {
  return parseBookingState(readStored('booking') ?? '') ?? initialBookingState
}

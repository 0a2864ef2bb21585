import type { ReactNode } from 'react'
import { BookingProvider } from '#client/features/booking/booking.state.tsx'
import { keepInstallOffer } from '#client/platform/install-offer.ts'
import { useUserId } from '#client/session/session.ts'

keepInstallOffer()

/** Holds the draft while its pages change. A chunk of its own: readers of the start page do not load booking. */
export function BookingLayout({ children }: { readonly children: ReactNode }) {
  // Remounted for another user, signed in on another tab: that user starts without a draft.
  return <BookingProvider key={useUserId()}>{children}</BookingProvider>
}

/** Booking types (spec §3) have their own file, so that the app starts without the schemas of orders. */
export const bookingTypes = ['TO_MINA', 'FROM_MINA', 'TO_AND_FROM_MINA'] as const

export const defaultBookingType: (typeof bookingTypes)[number] = 'FROM_MINA'

/** The routes on offer (spec §3). In a file of its own, so that the start of the app does without the schemas of orders. */
export const bookingTypes = ['TO_MINA', 'FROM_MINA', 'TO_AND_FROM_MINA'] as const

/**
 * An agent sees the names and phones of an order from its payment to the hand-over, but for at most `waiting` days, and
 * then for `received` days after the hand-over.
 */
export const agentContactDays = { waiting: 90, received: 30 } as const

export const agentContactsPerHour = 300

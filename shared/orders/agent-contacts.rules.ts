/**
 * An agent sees the names and phones of an order for at most `waiting` days after the payment, and for `received` days
 * after the hand-over.
 */
export const agentContactDays = { waiting: 90, received: 30 } as const

export const agentContactsPerHour = 300

/** An agent sees names and phones of an order from the payment while a bag is to be handed over, and from the hand-over. */
export const agentContactDays = { waiting: 90, received: 30 } as const

export const agentContactsPerHour = 300

/**
 * How long an agent is shown name and phone of the people of an order: from the payment while a bag is to be handed over,
 * and from the hand-over.
 */
export const agentContactDays = { waiting: 90, received: 30 } as const

/** Different orders whose people an agent is shown in an hour. */
export const agentContactsPerHour = 300

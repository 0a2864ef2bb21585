import type { AgentOrderState, BookingType, OrderStatus } from './orders.schemas.ts'

interface StatusMeaning {
  /** A payment can be started, unless a refund blocks it. */
  readonly isPayable: boolean
  /** A success that the provider reports marks the order as paid. A late one revives an expired order (docs/wires/payment.md R17). */
  readonly acceptsSuccess: boolean
  /** The list in which the order's agent sees it until its bags are handed over; null: never shown to the agent. */
  readonly agentState: AgentOrderState | null
  /** The whole amount was returned or will be: the airway bill is no longer valid, and the bag is not accepted. */
  readonly isWithdrawn: boolean
  /** Colour of the badge (spec §4): good is green, waiting is yellow. */
  readonly tone: 'good' | 'waiting'
}

/** What each order status means, for the gateway and the browser. */
export const statusMeanings = {
  PENDING_PAYMENT: {
    isPayable: true,
    acceptsSuccess: true,
    agentState: null,
    isWithdrawn: false,
    tone: 'waiting',
  },
  PAID: {
    isPayable: false,
    acceptsSuccess: false,
    agentState: 'waiting',
    isWithdrawn: false,
    tone: 'good',
  },
  EXPIRED: {
    isPayable: false,
    acceptsSuccess: true,
    agentState: null,
    isWithdrawn: false,
    tone: 'waiting',
  },
  REFUNDED: {
    isPayable: false,
    acceptsSuccess: false,
    agentState: 'refused',
    isWithdrawn: true,
    tone: 'waiting',
  },
  // Before hand-over, by its owner. A payment that still arrives is returned whole, and the order is then REFUNDED.
  CANCELLED: {
    isPayable: false,
    acceptsSuccess: false,
    agentState: 'refused',
    isWithdrawn: true,
    tone: 'waiting',
  },
} as const satisfies Record<OrderStatus, StatusMeaning>

/** How often the payment page reads its order: the callback of the card form may never run. */
export const paymentPollMs = 4_000

export type LegEnd = 'agent' | 'center'

export interface Leg {
  readonly from: LegEnd
  readonly to: LegEnd
}

const toMina: Leg = { from: 'center', to: 'agent' }
const fromMina: Leg = { from: 'agent', to: 'center' }

const legs = {
  TO_MINA: [toMina],
  FROM_MINA: [fromMina],
  TO_AND_FROM_MINA: [toMina, fromMina],
} as const satisfies Record<BookingType, readonly Leg[]>

/** The legs of a route, in the order of travel. */
export function legsOf(type: BookingType): readonly Leg[] {
  return legs[type]
}

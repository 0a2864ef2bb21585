import { hasPass, isEnded, isValidBag } from '#client/entities/order/order-card.rules.ts'
import { leadOf, tagOfBag } from '#client/entities/tag/tag.rules.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'

/** The possible next steps of the pilgrim, the most urgent first. */
const needs = ['here', 'ready', 'moving', 'unpaid', 'past'] as const
type Need = (typeof needs)[number]

type Known = Pick<Order, 'status' | 'refund' | 'bookings'>

/** True when a bag can be handed over: paid, every airway bill issued, and not all handed over. */
function isToHandOver({ status, bookings }: Known): boolean {
  const carried = bookings.filter(isValidBag)
  return (
    status === 'PAID' &&
    carried.every(({ awb }) => awb !== null) &&
    carried.some(({ state }) => !isHandedOver(state))
  )
}

/** Finds what the pilgrim does next: collect a bag, hand a bag over, wait, pay, or nothing. */
function needOf(order: Known): Need {
  const { refund, bookings } = order
  const isMoneyDone = refund === undefined || refund.state === 'done'
  if (!hasPass(order)) {
    // A paid order without a pass is over: its money is being refunded or was refunded.
    const isOver = order.status === 'PAID' || order.status === 'EXPIRED' || isEnded(order.status)
    if (!isOver) return 'unpaid'
    return isMoneyDone ? 'past' : 'moving'
  }
  const states = bookings.map(tagOfBag)
  if (states.includes('here')) return 'here'
  const lead = states[leadOf(bookings)]
  if (lead === 'collected') return isMoneyDone ? 'past' : 'moving'
  return lead === 'tied' ? 'ready' : 'moving'
}

/** True when the pilgrim has to show the barcode: at the agent's, or at the branch. */
export const isReadyToShow = (order: Known): boolean => needOf(order) === 'here' || isToHandOver(order)

/** True when the order has ended. */
export const isPast = (order: Known): boolean => needOf(order) === 'past'

/** True when every order of a journey has ended. */
export const isOver = (journey: readonly Known[]): boolean => journey.every(isPast)

/** Sorts journeys by the most urgent need among their orders. Equal journeys keep their order, the newest first. */
export const byNeed = <O extends Known>(journeys: readonly (readonly O[])[]): readonly (readonly O[])[] => {
  const placeOf = (journey: readonly O[]) => Math.min(...journey.map((order) => needs.indexOf(needOf(order))))
  return journeys.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The journey whose action is the filled button: the first of `byNeed` that has one. */
export const primaryJourney = <O extends Known & Pick<Order, 'payable'>>(
  sorted: readonly (readonly O[])[],
): readonly O[] | undefined =>
  sorted.find((journey) => journey.some((order) => isReadyToShow(order) || order.payable))

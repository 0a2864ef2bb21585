import type { Booking } from '#shared/orders/orders.schemas.ts'

/** When a bag was handed over, ISO 8601; of a bag that only the courier has scanned, when it was last seen. */
export function receivedAtOf({ events, lastEventAt }: Booking): string | undefined {
  return events.findLast(({ kind }) => kind === 'handed-over')?.at ?? lastEventAt ?? undefined
}

import { useNow } from '#client/platform/time.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { type Sale, stopOf } from '#shared/stops/stops.rules.ts'

/** A page that stays open follows a stop that begins or ends. */
const everyMs = 15_000

/** The sales stops in force at this moment, with their reasons. The server decides by its own time. */
export function useStops(stops: readonly Stop[] = []): (sale: Sale) => Stop | undefined {
  const now = useNow(everyMs, stops.length === 0 ? 0 : undefined)
  return (sale) => stopOf(stops, sale, now)
}

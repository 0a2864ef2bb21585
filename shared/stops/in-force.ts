import type { Stop } from '#shared/platform/stop.ts'

type When = Pick<Stop, 'from' | 'until'>

export function isInForce({ from, until }: When, now: number): boolean {
  return (from === undefined || Date.parse(from) <= now) && (until === undefined || Date.parse(until) > now)
}

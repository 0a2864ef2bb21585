import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Clock, elapsedBy } from '#server/platform/clock.ts'

const smallestJumpMs = 1_000

/**
 * A clock that does not jump forward with the machine's clock while a request is uncertain: the jump could cut short a
 * time in which a look-up proves nothing. After the machine's clock is set back, this clock runs at half speed until
 * both agree, so that due work is not postponed.
 */
export function steadyClock(clock: Clock, isUncertain: (now: number) => boolean): Clock {
  let readAt = elapsedBy(clock)
  let time = clock.now()
  return {
    now() {
      const passed = elapsedBy(clock) - readAt
      readAt += passed
      time += passed
      const [now, behindMs] = [clock.now(), clock.now() - time]
      if (behindMs < 0) time = Math.max(now, time - passed / 2)
      else if (behindMs < smallestJumpMs || !isUncertain(Math.floor(time))) time = now
      return Math.floor(time)
    },
  }
}

/** No request stays uncertain for longer. A stored time that is further ahead was written by a clock that was ahead. */
const longestMs = 5 * 60_000

/**
 * Tells whether a shipment, message or refund exists that was possibly requested and must not be requested again yet.
 */
export function uncertaintyIn(file: DatabaseSync): (now: number) => boolean {
  let statement: StatementSync | undefined
  return (now) => {
    statement ??= file.prepare(`
      SELECT 1 FROM bookings WHERE due_at IS NOT NULL AND awb IS NULL AND uncertain_until > :now AND uncertain_until <= :now + :most
      UNION ALL
      SELECT 1 FROM messages
      WHERE (state = 'waiting' OR state = 'uncertain') AND state = 'uncertain'
        AND asked_at > :now - :most AND asked_at <= :now
      UNION ALL
      SELECT 1 FROM refunds WHERE due_at > :now AND due_at <= :now + :most AND state = 'uncertain'
      LIMIT 1`)
    return statement.get({ now, most: longestMs }) !== undefined
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Clock, elapsedBy } from '#server/platform/clock.ts'

const smallestJumpMs = 1_000

/**
 * The time by which work is due in a file that one gateway uses: it does not jump with the machine's clock while a jump could
 * end a time in which a look-up proves nothing. Where the clock was set forward, it follows once nothing is uncertain; where
 * it was set back, it passes at half speed until both agree, so that nothing that is due is postponed by the jump.
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

/** Longer than anything is uncertain. A later time was stored while the clock was ahead. */
const longestMs = 5 * 60_000

/** Whether a shipment, a message or a refund may have been asked for and is not due yet to be asked for again. */
export function uncertaintyIn(file: DatabaseSync): (now: number) => boolean {
  let statement: StatementSync | undefined
  return (now) => {
    // Not before there are tables.
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

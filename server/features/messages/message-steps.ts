import type { Core } from '#server/core.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import {
  deleteUnwritten,
  endMessage,
  type Lease,
  type MessageRow,
  releaseMessage,
} from './messages.queries.ts'
import { retryDelayMs } from './messages.rules.ts'

// Steps of the worker with a message that it has leased.

/** A leased message at work. */
export interface Job extends Lease {
  readonly message: MessageRow
  /** The database's time: gateways may differ. */
  readonly now: () => number
}

/** Ends the lease; the message is due again `ms` later. `progress` starts the count of tries again. */
export const postpone = (core: Core, job: Job, ms: number, progress = false): Promise<void> =>
  releaseMessage(core, job, job.now() + ms, { progress })

/** The pause after a try of this message without an effect. */
export const pauseAfterTry = ({ message }: Job): number => retryDelayMs(message.tries, Math.random())

/** How long a service is still not asked; negative or 0 when it is. @param until by `elapsedBy` */
export const pauseLeft = ({ clock }: Core, until: number): number => until - elapsedBy(clock)

/** Ends a message that is not sent. */
export async function drop(core: Core, job: Job, state: 'failed' | 'dropped', reason: string): Promise<void> {
  if (await endMessage(core, job, state, reason, core.clock.now()))
    core.counters.messages.inc({ outcome: state })
}

/** Deletes a message that is not wanted; one that was asked for again is dropped instead, so that its end is shown. */
export const forget = (core: Core, job: Job): Promise<void> =>
  job.message.event_id !== job.message.reported_event_id
    ? drop(core, job, 'dropped', 'not wanted')
    : deleteUnwritten(core, job)

/** A later step has made the message untrue. */
export const overtake = (core: Core, job: Job): Promise<void> => drop(core, job, 'dropped', 'overtaken')

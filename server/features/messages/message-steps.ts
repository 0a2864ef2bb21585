import type { Core } from '#server/core.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { fractionOf } from '#server/platform/random.ts'
import {
  deleteUnwritten,
  endMessage,
  type Lease,
  type MessageRow,
  releaseMessage,
} from './messages.queries.ts'
import { retryDelayMs } from './messages.rules.ts'

export interface Job extends Lease {
  readonly message: MessageRow
  readonly now: () => number
}

export const postpone = (core: Core, job: Job, ms: number, progress = false): Promise<void> =>
  releaseMessage(core, job, job.now() + ms, { progress })

export const pauseAfterTry = ({ random }: Core, { message }: Job): number =>
  retryDelayMs(message.tries, fractionOf(random))

export const pauseLeft = ({ clock }: Core, until: number): number => until - elapsedBy(clock)

export async function drop(core: Core, job: Job, state: 'failed' | 'dropped', reason: string): Promise<void> {
  if (await endMessage(core, job, state, reason, core.clock.now()))
    core.counters.messages.inc({ outcome: state })
}

/** Staff must see the end of a message that is sent again, so it is not deleted. */
export const forget = (core: Core, job: Job): Promise<void> =>
  job.message.event_id !== job.message.reported_event_id
    ? drop(core, job, 'dropped', 'not wanted')
    : deleteUnwritten(core, job)

export const overtake = (core: Core, job: Job): Promise<void> => drop(core, job, 'dropped', 'overtaken')

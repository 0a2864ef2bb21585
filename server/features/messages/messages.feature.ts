import type { Core } from '#server/core.ts'
import { messagesRetention, outbox } from './messages.jobs.ts'
import { readBacklog } from './messages.queries.ts'
import { messagesRoutes } from './messages.routes.ts'

/** Messages are stored with their events (history/outbox.ts), and their texts when they are sent. */
export function registerMessages(core: Core): void {
  const { clock } = core
  core.routes.push(messagesRoutes)
  core.workers.set('messages', outbox(core))
  core.retention.push(...messagesRetention(core))
  core.metrics.queue('messages', clock, () => readBacklog(core, clock.now()))
}

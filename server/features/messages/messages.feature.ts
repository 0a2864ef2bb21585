import type { Core } from '#server/core.ts'
import { messagesRetention, outbox } from './messages.jobs.ts'
import { readBacklog } from './messages.queries.ts'
import { messagesRoutes } from './messages.routes.ts'

/** Events store their messages (history/outbox.ts). The texts are written at sending. */
export function registerMessages(core: Core): void {
  const { clock } = core
  core.routes.push(messagesRoutes)
  core.workers.set('messages', outbox(core))
  core.retention.push(...messagesRetention(core))
  core.metrics.queue('messages', clock, () => readBacklog(core, clock.now()))
}

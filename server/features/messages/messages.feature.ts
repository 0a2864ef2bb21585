import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { messagesRetention, outbox } from './messages.jobs.ts'
import { eraseMessagesOfUser, readBacklog } from './messages.queries.ts'
import { messagesRoutes } from './messages.routes.ts'
import { canWarn, exportMessages, exportMessagesOfOrder } from './messages.ts'

export type MessagesService = ReturnType<typeof registerMessages>

/** Messages. Their rows are written with their events (history/outbox.ts), and their texts when they are sent. */
export function registerMessages(core: Core) {
  const { clock } = core
  core.routes.push((app, scope) => messagesRoutes(core, app, scope))
  core.workers.set('messages', outbox(core))
  core.retention.push(...messagesRetention(core))
  core.metrics.queue('messages', clock, () => readBacklog(core, clock.now()))
  return bindTo(core, {
    canWarn,
    eraseUser: eraseMessagesOfUser,
    exportMessages,
    exportMessagesOfOrder,
  })
}

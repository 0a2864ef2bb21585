import type { Core } from '#server/core.ts'
import { bindTo } from '#server/legacy.ts'
import { listMessagesOfOrder, resendMessages, scheduleMessagesNow } from './messages.queries.ts'

export type MessageActs = ReturnType<typeof messageActs>

/** Messages as a service of desk-actions, until desk-actions are functions. */
export const messageActs = (core: Pick<Core, 'database'>) =>
  bindTo(core as Core, {
    listMessagesOfOrder,
    resendMessages,
    hastenMessages: scheduleMessagesNow,
  })

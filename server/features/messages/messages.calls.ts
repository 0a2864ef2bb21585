import { legacyCall } from '#server/legacy.ts'
import type { MessagesService } from './messages.service.ts'

export const canWarn = legacyCall<MessagesService, 'canWarn'>('messages', 'canWarn')
export const alarm = legacyCall<MessagesService, 'alarm'>('messages', 'alarm')
export const eraseMessagesOfUser = legacyCall<MessagesService, 'eraseUser'>('messages', 'eraseUser')
export const exportMessages = legacyCall<MessagesService, 'exportMessages'>('messages', 'exportMessages')
export const exportMessagesOfOrder = legacyCall<MessagesService, 'exportMessagesOfOrder'>(
  'messages',
  'exportMessagesOfOrder',
)

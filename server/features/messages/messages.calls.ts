export { alarm } from './message-reports.ts'
export {
  eraseMessagesOfUser,
  listMessagesOfOrder,
  resendMessages,
  scheduleMessagesNow,
} from './messages.queries.ts'
export { canWarn, exportMessages, exportMessagesOfOrder } from './messages.ts'

export { refuseSms } from '#server/features/users/users.queries.ts'
export {
  dropEmail,
  findRecipient,
  findRecipientByPhone,
  findUser,
  findUserIdByPhone,
  findUsers,
  lockUser,
  openEmailStop,
} from '#server/features/users/users.ts'
export { findLastNumberChange } from './number-changes.queries.ts'
export { beginNumberChange, readNumberFacts } from './number-changes.ts'
export { runConfirmed } from './sessions.routes.ts'
export { deleteUser, endAllSessions, endSessionsOfUser, exportUser, listSessions } from './sessions.ts'

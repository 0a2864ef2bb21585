import type { Core } from '#server/core.ts'
import { deleteBegunSessions } from '#server/features/sessions/sessions.queries.ts'
import {
  ensureUser,
  findUserByEmail,
  findUserByPhone,
  listUsers,
  markUserDeleted,
  setEmail,
} from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { bindTo } from './bind-to.ts'

export type SessionsStore = ReturnType<typeof createSessionsStore>

/** Queries of users and sessions on a database, as methods. */
export const createSessionsStore = (database: Database) =>
  bindTo({ database } as Core, {
    deleteBegun: deleteBegunSessions,
    deleteUser: markUserDeleted,
    ensureUser,
    findUserByEmail,
    findUserByPhone,
    findUsers: listUsers,
    setEmail,
  })

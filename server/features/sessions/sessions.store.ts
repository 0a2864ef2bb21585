import type { Core } from '#server/core.ts'
import {
  ensureUser,
  findUserByEmail,
  findUserByPhone,
  listUsers,
  markUserDeleted,
  setEmail,
} from '#server/features/users/users.queries.ts'
import { bindTo } from '#server/legacy.ts'
import type { Database } from '#server/platform/database/database.ts'
import { deleteBegunSessions } from './sessions.queries.ts'

export type SessionsStore = ReturnType<typeof createSessionsStore>

/** Queries as a store, for tests and operators' commands that are not rebuilt yet. Gone with the last of them. */
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

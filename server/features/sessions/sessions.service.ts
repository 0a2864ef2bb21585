import type { Core } from '#server/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type registerSessions, registerUsers } from './sessions.feature.ts'

// Names by which features that are not functions yet know sessions and users. Gone with the last of them.

export type { NumberChangeFacts } from './number-changes.ts'
export type SessionsService = ReturnType<typeof registerSessions>
export type UsersService = ReturnType<typeof registerUsers>
export type NumberChanges = SessionsService['numbers']

export const createUsers = (parts: { readonly database: Database; readonly store?: unknown }): UsersService =>
  registerUsers(parts as Core)

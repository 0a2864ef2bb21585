import type { Core } from '#server/core.ts'
import {
  findRecipient,
  findUser,
  findUserIdByPhone,
  findUsers,
  lockUser,
} from '#server/features/users/users.ts'
import { bindTo } from '#server/legacy.ts'
import { findLastNumberChange } from './number-changes.queries.ts'
import { beginNumberChange, readNumberFacts } from './number-changes.ts'
import { sessionsRetention } from './sessions.jobs.ts'
import { sessionScope, sessionsRoutes } from './sessions.routes.ts'
import { endAllSessions, endSessionsOfUser, listSessions } from './sessions.ts'

/** Users as a service, for features that are not rebuilt yet. */
export const registerUsers = (core: Core) =>
  bindTo(core, {
    findUser,
    findUsers,
    findIdByPhone: findUserIdByPhone,
    findRecipient,
    lockUser,
  })

/** Sign-in, who is signed in, confirmations, addresses, and accounts whose number is gone. */
export function registerSessions(core: Core) {
  core.routes.push((app, scope) => sessionsRoutes(core, app, scope))
  core.retention.push(...sessionsRetention(core))
  return {
    ...bindTo(core, { endAllSessions, endSessionsOfUser, listSessions }),
    numbers: bindTo(core, {
      begin: beginNumberChange,
      findLast: findLastNumberChange,
      readFacts: readNumberFacts,
    }),
    scope: sessionScope(core),
  }
}

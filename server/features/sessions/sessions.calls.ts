import type { Core } from '#server/core.ts'
import { legacyCall } from '#server/legacy.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import type { confirmedBy } from './confirmations.routes.ts'
import type { NumberChanges } from './number-changes.service.ts'
import type { SessionsService, UsersService } from './sessions.service.ts'

type Confirmed = ReturnType<typeof confirmedBy>

/** Runs the work of a request that its user has confirmed. @throws Failure CONFIRMATION_REQUIRED, and of `work` */
export const runConfirmed = <T>(
  core: Core,
  purpose: ConfirmationPurpose,
  request: Parameters<Confirmed>[1],
  work: () => Promise<T>,
): Promise<T> => (core.legacy.sessions as { confirmed: Confirmed }).confirmed(purpose, request, work)

export const lockUser = legacyCall<UsersService, 'lockUser'>('users', 'lockUser')
export const findUser = legacyCall<UsersService, 'findUser'>('users', 'findUser')
export const findUsers = legacyCall<UsersService, 'findUsers'>('users', 'findUsers')
export const findRecipient = legacyCall<UsersService, 'findRecipient'>('users', 'findRecipient')
export const findRecipientByPhone = legacyCall<UsersService, 'findRecipientByPhone'>(
  'users',
  'findRecipientByPhone',
)
export const findUserIdByPhone = legacyCall<UsersService, 'findIdByPhone'>('users', 'findIdByPhone')
export const refuseSms = legacyCall<UsersService, 'refuseSms'>('users', 'refuseSms')
export const dropEmail = legacyCall<UsersService, 'dropEmail'>('users', 'dropEmail')
export const openEmailStop = legacyCall<UsersService, 'openEmailStop'>('users', 'openEmailStop')
export const endAllSessions = legacyCall<SessionsService, 'endAllSessions'>('sessions', 'endAllSessions')
export const endSessionsOfUser = legacyCall<SessionsService, 'endSessionsOfUser'>(
  'sessions',
  'endSessionsOfUser',
)
export const exportUser = legacyCall<SessionsService, 'exportUser'>('sessions', 'exportUser')
export const listSessions = legacyCall<SessionsService, 'listSessions'>('sessions', 'listSessions')
export const deleteUser = legacyCall<SessionsService, 'deleteUser'>('sessions', 'deleteUser')
export const beginNumberChange = legacyCall<NumberChanges, 'begin'>('numbers', 'begin')
export const findLastNumberChange = legacyCall<NumberChanges, 'findLast'>('numbers', 'findLast')
export const readNumberFacts = legacyCall<NumberChanges, 'readFacts'>('numbers', 'readFacts')
export const replaceNumber = legacyCall<NumberChanges, 'replace'>('numbers', 'replace')

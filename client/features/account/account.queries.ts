import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { ownAccountQuery } from '#client/session/own-account.query.ts'
import { wipeUser } from '#client/session/session.wipe.ts'
import { deleteUser } from '#shared/account/account.operations.ts'
import {
  endSession,
  listSessions,
  logoutEverywhere,
  updateUser,
} from '#shared/sessions/sessions.operations.ts'

/** Requested on every visit, so that the list is current. */
export const sessionsQuery = queryOptions({
  queryKey: operationKey(listSessions),
  queryFn: ({ signal }) => call(listSessions, { signal }),
  select: ({ sessions }) => sessions,
  staleTime: 0,
})

/** True when the user wants SMS about bags; `null` when the server sends no SMS. */
export const messagesQuery = queryOptions({
  ...ownAccountQuery,
  select: (own) => (own.success ? (own.messages ?? null) : null),
})

export const switchMessages = (messages: boolean) => call(updateUser, { body: { messages } })

export const endOwnSession = (id: string) => call(endSession, { params: { id } })

export const endAllSessions = () => call(logoutEverywhere)

/**
 * `forfeits`: the user gives up paid orders that cannot be cancelled. The browser's data of the user are wiped at once, because
 * the user may leave the confirmation open.
 */
export async function deleteAccount(forfeits: boolean) {
  const answer = await call(deleteUser, forfeits ? { query: { forfeit: '1' } } : {})
  wipeUser()
  return answer
}

import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { deleteUser } from '#shared/account/account.operations.ts'
import { endSession, listSessions, logoutEverywhere } from '#shared/sessions/sessions.operations.ts'

/** Requested on every visit, so that the list is current. */
export const sessionsQuery = queryOptions({
  queryKey: operationKey(listSessions),
  queryFn: ({ signal }) => call(listSessions, { signal }),
  select: ({ sessions }) => sessions,
  staleTime: 0,
})

export const endOwnSession = (id: string) => call(endSession, { params: { id } })

export const endAllSessions = () => call(logoutEverywhere)

export const deleteAccount = () => call(deleteUser)

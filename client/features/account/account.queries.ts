import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/operation-key.ts'
import { deleteUser } from '#shared/account/account.operations.ts'
import { endSession, listSessions, logoutEverywhere } from '#shared/sessions/sessions.operations.ts'

/** Never older than the visit: whoever looks here wants to know who is signed in now. */
export const sessionsQuery = queryOptions({
  queryKey: operationKey(listSessions),
  queryFn: ({ signal }) => call(listSessions, { signal }),
  select: ({ sessions }) => sessions,
  staleTime: 0,
})

export const endOwnSession = (id: string) => call(endSession, { params: { id } })

export const endAllSessions = () => call(logoutEverywhere)

export const deleteAccount = () => call(deleteUser)

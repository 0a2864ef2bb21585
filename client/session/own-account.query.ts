import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readUserSession } from '#shared/sessions/sessions.operations.ts'

/** The facts of the user's account besides name and phone. */
export const ownAccountQuery = queryOptions({
  queryKey: operationKey(readUserSession),
  queryFn: ({ signal }) => call(readUserSession, { query: { probe: '1' }, signal }),
  staleTime: 0,
})

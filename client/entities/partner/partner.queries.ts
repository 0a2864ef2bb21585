import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'

/** Branches and agents change at most daily: moving between pages must not load them again. */
const staleTime = 5 * 60_000

export const centersQuery = queryOptions({
  queryKey: operationKey(listCenters),
  queryFn: ({ signal }) => call(listCenters, { signal }),
  staleTime,
})

export const agentsQuery = queryOptions({
  queryKey: operationKey(listAgents),
  queryFn: ({ signal }) => call(listAgents, { signal }),
  staleTime,
})

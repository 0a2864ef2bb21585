import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'

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

/** The hours of a branch as they are today; undefined while the list is not known, and where it does not have them. */
export function useHoursOf(code: string | undefined): BranchHours | undefined {
  const { data } = useQuery({ ...centersQuery, enabled: code !== undefined })
  return data?.centers.find((center) => center.code === code)?.hours
}

import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { readConfig } from '#shared/config/config.operations.ts'

/** Changes only with a restart of the gateway, so it is loaded once per visit. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call(readConfig, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

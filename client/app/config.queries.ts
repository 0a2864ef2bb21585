import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { readConfig } from '#shared/config/config.operations.ts'

/** Changes only when the gateway starts anew, so one answer serves the whole visit. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => call(readConfig, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

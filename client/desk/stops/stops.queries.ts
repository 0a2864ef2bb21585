import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { readStops, replaceStops } from '#shared/desk/stops/stops.operations.ts'
import type { StopsRequest } from '#shared/stops/stops.schemas.ts'
import { keyed } from '../sending.ts'

const queryKey = operationKey(readStops)

export function useStops() {
  return useQuery({ queryKey, queryFn: ({ signal }) => call(readStops, { signal }) })
}

/** Replaces all stops; after a refusal they are read again. */
export function useReplaceStops() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ key, ...body }: StopsRequest & { key: string }) =>
      call(replaceStops, { headers: keyed(key), body }),
    onSuccess: (answer) => queries.setQueryData(queryKey, answer),
    onError: () => void queries.invalidateQueries({ queryKey }),
  }).mutateAsync
}

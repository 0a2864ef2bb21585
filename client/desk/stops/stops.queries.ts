import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { readStops, replaceStops } from '#shared/desk/stops/stops.operations.ts'
import type { StopsRequest } from '#shared/stops/stops.schemas.ts'
import { keyed } from '../sending.ts'

const key = operationKey(readStops)

export function useStops() {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => call(readStops, { signal }) })
}

/** Takes the place of all stops; read again also after a refusal. */
export function useReplaceStops() {
  const queries = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ key: ofForm, ...body }: StopsRequest & { readonly key: string }) =>
      call(replaceStops, { headers: keyed(ofForm), body }),
    onSuccess: (answer) => queries.setQueryData(key, answer),
    onError: () => void queries.invalidateQueries({ queryKey: key }),
  })
}

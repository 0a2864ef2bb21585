import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { listWorkers, pauseWorker, resumeWorker } from '#shared/audit/audit.operations.ts'
import { endAllSessions } from '#shared/desk-orders/people.operations.ts'
import type { ResponseOf } from '#shared/platform/operation.ts'

export type Worker = ResponseOf<typeof listWorkers>['workers'][number]

const key = operationKey(listWorkers)
const pollMs = 30_000

export function useWorkers() {
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await call(listWorkers, { signal })).workers,
    refetchInterval: pollMs,
  })
}

export function useWorkerChange() {
  const queries = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ name, pausedAt }: Worker) =>
      call(pausedAt === null ? pauseWorker : resumeWorker, { params: { name }, body: {} }),
    onSettled: () => void queries.invalidateQueries({ queryKey: key }),
  })
}

export const endEveryone = (reason: string) => call(endAllSessions, { body: { reason } })

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { endAllSessions } from '#shared/desk/actions/actions.operations.ts'
import { listWorkers, pauseWorker, resumeWorker } from '#shared/desk/audit/audit.operations.ts'
import type { OperationOf } from '#shared/operations.ts'
import type { ResponseOf } from '#shared/platform/operation.ts'
import { keyed } from '../sending.ts'

export type Worker = ResponseOf<OperationOf<typeof listWorkers>>['workers'][number]

const list = operationKey(listWorkers)
const pollMs = 30_000

export function useWorkers() {
  return useQuery({
    queryKey: list,
    queryFn: async ({ signal }) => (await call(listWorkers, { signal })).workers,
    refetchInterval: pollMs,
  })
}

export function useWorkersRefresh() {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: list })
}

const because = (reason: string, key: string) => ({ headers: keyed(key), body: { reason } })

export const changeWorker = ({ name, pausedAt }: Worker, ...why: Parameters<typeof because>) =>
  call(pausedAt === null ? pauseWorker : resumeWorker, { params: { name }, ...because(...why) })

export const endEveryone = (...why: Parameters<typeof because>) => call(endAllSessions, because(...why))

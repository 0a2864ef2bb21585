import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { pollBesideStreamMs, pollWithoutStreamMs, useLive } from '#client/platform/live.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { readDeskClaim } from '#shared/claims/claims.desk.operations.ts'
import { readDeskOrder } from '#shared/desk-orders/desk-orders.operations.ts'
import {
  endWork,
  handWork,
  listWork,
  readDeskEvents,
  readWork,
  releaseWork,
  takeWork,
} from '#shared/work/work.operations.ts'
import type { WorkFilter, WorkKind, WorkOverview, WorkRow } from '#shared/work/work.schemas.ts'
import { keyed } from '../sending.ts'

const overview = operationKey(readWork)

interface WorkWish {
  /** Whose rows are asked for, too. */
  readonly order?: number
  readonly refetchInterval?: number
}

/** The lists with their counts, what the person has, and who is at the desk. */
export function useWork({ order, refetchInterval }: WorkWish = {}) {
  const language = useLanguage()
  return useQuery({
    queryKey: [...overview, language, order],
    queryFn: ({ signal }) =>
      call(readWork, { signal, ...(order !== undefined && { query: { order: String(order) } }) }),
    ...(refetchInterval !== undefined && { refetchInterval }),
  })
}

/** Follows what others do, in one place of the page. @param order the one that is open */
export function useDeskNews(order: number | undefined): void {
  const queries = useQueryClient()
  const isLive = useLive(
    readDeskEvents,
    {},
    {
      onEvent: ({ lists, order: changed }) => {
        if (changed !== undefined)
          // A claim is of its order; the page shows one.
          for (const queryKey of [
            operationKey(readDeskOrder, { id: String(changed) }),
            operationKey(readDeskClaim),
          ])
            void queries.invalidateQueries({ queryKey })
        if (lists === undefined) return
        const stamps = JSON.stringify(lists)
        for (const [key, known] of queries.getQueriesData<WorkOverview>({ queryKey: overview })) {
          if (known === undefined || JSON.stringify(known.lists) === stamps) continue
          queries.setQueryData(key, { ...known, lists })
          void queries.invalidateQueries({ queryKey: key })
        }
      },
    },
    order === undefined ? {} : { order },
  )
  useWork({ refetchInterval: isLive ? pollBesideStreamMs : pollWithoutStreamMs })
}

/** Another one, and the rows of the list are others. */
export const stampOf = (known: WorkOverview | undefined, kind: WorkKind): string | undefined =>
  known?.lists.find((list) => list.kind === kind)?.stamp

/** The rows of a list: all, of no one, or of the person. Old ones stay until the new ones are here. */
export function useWorkRows(kind: WorkKind, whose: WorkFilter['whose']) {
  const language = useLanguage()
  const { data, error } = useWork()
  return useQuery({
    queryKey: [...operationKey(listWork, { kind }), language, whose, stampOf(data, kind)],
    queryFn: async ({ signal }) => {
      const query = whose === undefined ? {} : { whose }
      return (await call(listWork, { params: { kind }, query, signal })).rows
    },
    enabled: data !== undefined || error !== null,
    placeholderData: keepPreviousData,
  })
}

/** Lists and timeline are read again after each: also after a refusal, which says that another was first. */
function useRowChange<V, R>(change: (row: WorkRow, value: V) => Promise<R>) {
  const queries = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ row, value }: { row: WorkRow; value: V }) => change(row, value),
    onSettled: (_answer, _error, { row }) => {
      void queries.invalidateQueries({ queryKey: overview })
      void queries.invalidateQueries({ queryKey: operationKey(listWork, { kind: row.kind }) })
      if (row.orderId !== null)
        void queries.invalidateQueries({
          queryKey: operationKey(readDeskOrder, { id: String(row.orderId) }),
        })
    },
  })
}

const ofRow = ({ kind, id }: WorkRow) => ({ kind, id })

/** `over`: also where a colleague has it, the one whom the row names. */
export const useTake = () =>
  useRowChange((row, { over }: { over: boolean }) =>
    call(takeWork, {
      params: ofRow(row),
      body: over && row.taken !== null ? { over: row.taken.since } : {},
    }),
  )

export const useRelease = () =>
  useRowChange((row, _: undefined) => call(releaseWork, { params: ofRow(row), body: {} }))

export const useHand = () =>
  useRowChange((row, { key, ...body }: { to: string; note: string; key: string }) =>
    call(handWork, { params: ofRow(row), headers: keyed(key), body }),
  )

export const useEndRow = () =>
  useRowChange((row, { key, ...body }: { reason: string; key: string }) => {
    const { id, kind } = row
    if (kind !== 'payments' && kind !== 'messages') throw new Error(`${kind} end by what is done`)
    return call(endWork, { params: { kind, id }, headers: keyed(key), body })
  })

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { pollBesideStreamMs, pollWithoutStreamMs, useLive, useReadAgain } from '#client/platform/live.ts'
import { operationKey, readAgain } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { createStore, useStore } from '#client/platform/store.ts'
import { listApprovals } from '#shared/desk/actions/actions.operations.ts'
import type { Approval } from '#shared/desk/actions/actions.schemas.ts'
import { readDeskClaim } from '#shared/desk/claims/desk-claims.operations.ts'
import { readDeskOrder } from '#shared/desk/orders/desk-orders.operations.ts'
import {
  endWork,
  handWork,
  listWork,
  readDeskEvents,
  readWork,
  releaseWork,
  takeWork,
} from '#shared/desk/work/work.operations.ts'
import type { WorkFilter, WorkOverview, WorkRow } from '#shared/desk/work/work.schemas.ts'
import type { WorkKind } from '#shared/platform/desk-words.ts'
import { keyed } from '../sending.ts'
import { withHolder } from './work.rules.ts'

const overview = operationKey(readWork)
/** The time between two requests for the lists. They are requested beside the stream, which sends no last scans. */
const pollMs = createStore<number>(pollWithoutStreamMs)
/** The shortest time between two readings of the lists: every page of the desk gets a notice of each change. */
const gatherMs = 10_000

/** The lists with their counts, the operator's rows, and the colleagues at the desk. @param order adds the rows of this order */
export function useWork({ order }: { readonly order?: number } = {}) {
  const language = useLanguage()
  return useQuery({
    queryKey: [...overview, language, order],
    queryFn: ({ signal }) => {
      const query = order === undefined ? {} : { order: String(order) }
      return call(readWork, { signal, query })
    },
    refetchInterval: useStore(pollMs),
  })
}

/** The order on the page, whose events the stream sends. */
const shown = createStore<number | undefined>(undefined)

/** Like `useWork`, with the rows of the order on the page. From then on, the stream sends the events of that order. */
export function useWorkOf(order: number | undefined) {
  useEffect(() => {
    shown.set(order)
    return () => shown.set(undefined)
  }, [order])
  return useWork(order === undefined ? {} : { order })
}

/** Rows of an approval in the work lists. */
export function useApprovalRows({ approvalId, orderId }: Pick<Approval, 'approvalId' | 'orderId'>) {
  const { data: work } = useWorkOf(orderId ?? undefined)
  const { data: listed } = useWorkRows('approvals', undefined, { isNeeded: orderId === null })
  const rows = (orderId === null ? listed : work?.ofOrder) ?? []
  return rows.filter(({ kind, id }) => kind === 'approvals' && id === String(approvalId))
}

/** Refreshes the data on screen when colleagues change them. The desk mounts it once. */
export function useDeskNews(): void {
  const queries = useQueryClient()
  const order = useStore(shown)
  const readLists = useReadAgain(
    () => readAgain(queries, overview, operationKey(listWork), operationKey(listApprovals)),
    gatherMs,
  )
  // An event names only the order, so its claim and its approval requests are read again, too.
  const readShown = useReadAgain(() =>
    readAgain(
      queries,
      operationKey(readDeskOrder, { id: String(order) }),
      operationKey(readDeskClaim),
      operationKey(listApprovals),
    ),
  )
  const isLive = useLive(
    readDeskEvents,
    {},
    {
      // When another tab has the stream, this tab gets only the newest event: read everything once.
      onOpen() {
        readLists()
        if (order !== undefined) readShown()
      },
      onEvent: ({ orderId }) => (orderId === undefined ? readLists() : readShown()),
    },
    order === undefined ? {} : { order },
  )
  useEffect(() => pollMs.set(isLive ? pollBesideStreamMs : pollWithoutStreamMs), [isLive])
}

/** The rows of a list: all, the free ones, or the operator's. The old rows stay on screen until the new ones arrive. */
export function useWorkRows(kind: WorkKind, whose: WorkFilter['whose'], { isNeeded = true } = {}) {
  const language = useLanguage()
  return useQuery({
    queryKey: [...operationKey(listWork, { kind }), language, whose],
    queryFn: async ({ signal }) => {
      const query = whose === undefined ? {} : { whose }
      return (await call(listWork, { params: { kind }, query, signal })).rows
    },
    enabled: isNeeded,
    refetchInterval: useStore(pollMs),
    placeholderData: keepPreviousData,
  })
}

/**
 * Changes a row. It shows its new holder at once (`undefined`: the row leaves its list), and lists and timeline are read again.
 * This also happens after a refusal, since a colleague was quicker.
 */
function useRowChange<V>(change: (row: WorkRow, value: V) => Promise<WorkRow['taken'] | undefined>) {
  const queries = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ row, value }: { row: WorkRow; value: V }) => change(row, value),
    onSuccess: (taken, { row }) => {
      if (taken === undefined) return
      const { kind, id } = row
      const update = (rows: readonly WorkRow[]) => withHolder(rows, { kind, id, taken })
      queries.setQueriesData<WorkRow[]>(
        { queryKey: operationKey(listWork, { kind }) },
        (rows) => rows && update(rows),
      )
      queries.setQueriesData<WorkOverview>(
        { queryKey: overview },
        (known) => known && { ...known, ofOrder: update(known.ofOrder) },
      )
    },
    onSettled: (taken, error, { row }) => {
      void queries.invalidateQueries({ queryKey: overview })
      void queries.invalidateQueries({
        queryKey: operationKey(listWork, { kind: row.kind }),
        // The list of all rows shows the change already.
        predicate: ({ queryKey }) => error !== null || taken === undefined || queryKey.at(-1) !== undefined,
      })
      if (row.orderId !== null)
        void queries.invalidateQueries({
          queryKey: operationKey(readDeskOrder, { id: String(row.orderId) }),
        })
    },
  })
}

const ofRow = ({ kind, id }: WorkRow) => ({ kind, id })

/** Takes a row. With `over`, it takes the row from the colleague whom the row names. */
export const useTake = () =>
  useRowChange(async (row, { over }: { over: boolean }) => {
    const body = over && row.taken !== null ? { over: row.taken.since } : {}
    return (await call(takeWork, { params: ofRow(row), body })).row.taken
  })

export const useRelease = () =>
  useRowChange(async (row, _: undefined) => {
    await call(releaseWork, { params: ofRow(row), body: {} })
    return null
  })

export const useHand = () =>
  useRowChange(async (row, { key, ...body }: { to: string; note: string; key: string }) => {
    const answer = await call(handWork, { params: ofRow(row), headers: keyed(key), body })
    return answer.row.taken
  })

export const useEndRow = () =>
  useRowChange(async (row, { key, ...body }: { reason: string; key: string }) => {
    const { id, kind } = row
    if (kind !== 'payments' && kind !== 'messages') throw new Error(`${kind} end by what is done`)
    await call(endWork, { params: { kind, id }, headers: keyed(key), body })
    return undefined
  })

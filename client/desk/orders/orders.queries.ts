import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, callFile } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import { revealApproval } from '#shared/desk/actions/actions.operations.ts'
import type { Reveal } from '#shared/desk/audit/audit.schemas.ts'
import {
  listDeskOrders,
  readDeskOrder,
  revealDeskOrder,
  searchDesk,
} from '#shared/desk/orders/desk-orders.operations.ts'
import type { DeskOrdersQuery, Revealed } from '#shared/desk/orders/desk-orders.schemas.ts'

/** Each search is counted and may be recorded, so an answer stays fresh for this time. */
const searchStaleMs = 5 * 60_000
/** After this time, a return from an order reads the list again. */
const listStaleMs = 60_000

/** @param typed `undefined` sends no request */
export function useFindings(typed: string | undefined) {
  return useQuery({
    queryKey: [...operationKey(searchDesk), typed ?? ''],
    queryFn: ({ signal }) => call(searchDesk, { body: { q: typed ?? '' }, signal }),
    enabled: typed !== undefined,
    staleTime: searchStaleMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** The old rows stay until the new ones arrive. Each reading is counted, so only the operator starts one. */
export function useDeskOrders(query: DeskOrdersQuery) {
  return useQuery({
    queryKey: [...operationKey(listDeskOrders), query],
    queryFn: ({ signal }) => call(listDeskOrders, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: listStaleMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

/** Fetched by the page and not by the browser, so that a refusal is shown. */
export function useOrdersFile() {
  return useSingleMutation({
    async mutationFn(query: DeskOrdersQuery): Promise<void> {
      const { bytes, name } = await callFile(listDeskOrders, { query: { ...query, format: 'csv' } })
      saveFile(bytes, name ?? 'amtiati-orders.csv')
    },
  })
}

function saveFile(bytes: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  // The browser has begun to read the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** An order with a timeline in the language on screen. It is read again when the operator comes back to it. */
export function useDeskOrder(ref: string) {
  const language = useLanguage()
  return useQuery({
    queryKey: [...operationKey(readDeskOrder, { id: ref }), language],
    staleTime: 0,
    queryFn: async ({ client, queryKey, signal }) => {
      // A repeated reading after an event does not extend the session.
      const again = client.getQueryData(queryKey) === undefined ? {} : { query: { again: '1' as const } }
      return (await call(readDeskOrder, { params: { id: ref }, ...again, signal })).order
    },
  })
}

/** Requests names and phones. Only the dialog keeps the answer; the cache does not. */
export async function reveal(
  what: 'order' | 'approval',
  number: number,
  body: Reveal,
): Promise<Revealed & { readonly number?: string }> {
  const of = { params: { id: String(number) }, body }
  if (what === 'order') return call(revealDeskOrder, of)
  const { receiver = null, secondPhone = null, number: moved } = await call(revealApproval, of)
  return { name: null, phone: null, receiver, secondPhone, ...(moved !== undefined && { number: moved }) }
}

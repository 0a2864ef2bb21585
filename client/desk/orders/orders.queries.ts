import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#client/platform/call.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { operationKey } from '#client/platform/query-client.ts'
import { useSingleMutation } from '#client/platform/single-mutation.ts'
import {
  listDeskOrders,
  readDeskOrder,
  revealDeskOrder,
  searchDesk,
} from '#shared/desk-orders/desk-orders.operations.ts'
import type { DeskOrdersQuery, Reveal } from '#shared/desk-orders/desk-orders.schemas.ts'

/** Each search is counted and may be recorded: none is made but when a person asks for it. */
const searchStaleMs = 5 * 60_000

/** @param typed undefined asks for nothing. */
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

/** Old rows stay until the new ones are here. */
export function useDeskOrders(query: DeskOrdersQuery) {
  return useQuery({
    queryKey: [...operationKey(listDeskOrders), query],
    queryFn: ({ signal }) => call(listDeskOrders, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Its lines are in the language on screen. Coming back to it shows what has become of it. */
export function useDeskOrder(ref: string) {
  const language = useLanguage()
  return useQuery({
    queryKey: [...operationKey(readDeskOrder, { id: ref }), language],
    staleTime: 0,
    queryFn: async ({ client, queryKey, signal }) => {
      // What news of it make the page read once more is no use of the session.
      const again = client.getQueryData(queryKey) === undefined ? {} : { query: { again: '1' as const } }
      return (await call(readDeskOrder, { params: { id: ref }, ...again, signal })).order
    },
  })
}

export function useReveal(orderId: number) {
  return useSingleMutation({
    mutationFn: (body: Reveal) => call(revealDeskOrder, { params: { id: String(orderId) }, body }),
    // Not kept in memory once the page has let it go.
    gcTime: 0,
  })
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isRefusal } from '#client/entities/order/kept-orders.queries.ts'
import { useMediaQuery } from '#client/platform/store.ts'
import { breakpoints } from '#client/ui/breakpoints.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { agentOrderQuery } from './agent-orders.queries.ts'
import { isNumber } from './agent-orders.rules.ts'

/**
 * From this width the order stands next to the list; on narrower screens it is a sheet. The same width is in agent-
 * orders.module.css.
 */
export const useIsBeside = (): boolean => useMediaQuery(breakpoints['--desk'])

/**
 * The selected order of the list: the one selected last, or the only one that a search has found. It stays selected when a
 * refresh removes it from the list, so that the order next to the list changes only when the agent acts. Another search clears
 * the selection.
 * @param orders undefined until they are loaded.
 * @param list the search and filters of the list.
 */
export function useSelection(orders: readonly Order[] | undefined, only: Order | undefined, list: string) {
  const [selected, setSelected] = useState<{ readonly id: number; readonly list: string }>()
  const isListed = orders?.some(({ orderId }) => orderId === selected?.id) ?? false
  const isKept = selected !== undefined && (selected.list === list || isListed)
  const id = isKept ? selected.id : only?.orderId
  const isLoaded = orders !== undefined
  useEffect(() => {
    if (isLoaded) setSelected(id === undefined ? undefined : { id, list })
  }, [id, list, isLoaded])
  return [id, (next?: number) => setSelected(next === undefined ? undefined : { id: next, list })] as const
}

/**
 * Opens the only order that a number has found, once until the search is emptied. The agent then receives a bag by four digits
 * and one press.
 */
export function useOpened(only: Order | undefined, q: string, open: (orderId: number) => void): void {
  const id = only !== undefined && isNumber(q) ? only.orderId : undefined
  const opened = useRef('')
  const openIt = useEffectEvent(open)
  useEffect(() => {
    if (q === '') opened.current = ''
    if (id === undefined || opened.current === `${q} ${id}`) return
    opened.current = `${q} ${id}`
    openIt(id)
  }, [id, q])
}

/**
 * The current state of an order, even after it has left the list.
 * @param orders undefined until the list is loaded or has failed.
 */
export function useShownOrder(
  id: number,
  orders: readonly Order[] | undefined,
  refreshMs: number | false,
): { readonly order: Order | undefined; readonly problem: unknown; readonly retry: () => void } {
  const listed = orders?.find(({ orderId }) => orderId === id)
  const left = useQuery({
    ...agentOrderQuery(id),
    enabled: orders !== undefined && listed === undefined,
    // After a failure the agent presses Retry: an automatic try would remove the focused button each time.
    refetchInterval: ({ state }) => state.data !== undefined && refreshMs,
  })
  const [last, setLast] = useState<Order>()
  const now = listed ?? (left.data?.order.orderId === id ? left.data?.order : undefined)
  if (now !== undefined && now !== last) setLast(now)
  const isRefused = listed === undefined && isRefusal(left.error)
  return {
    order: isRefused ? undefined : (now ?? (last?.orderId === id ? last : undefined)),
    problem: left.error,
    retry: () => void left.refetch(),
  }
}

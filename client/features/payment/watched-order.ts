import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import {
  isRefusal,
  keptBy,
  orderQuery,
  unansweredPollMs,
} from '#client/entities/order/kept-orders.queries.ts'
import { pollBesideStreamMs, pollWithoutStreamMs, useLive, useReadAgain } from '#client/platform/live.ts'
import { isTransient, readAgain } from '#client/platform/query-client.ts'
import { readOrderEvents } from '#shared/orders/orders.operations.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isAwaitingNews, mayChange, pauseAfter } from './payment.rules.ts'

/**
 * The order, read again when the server's stream reports a change. Without a stream the page polls while the order may change.
 * While a confirmation is awaited the page polls even with a stream: quickly at first, and quickly again after every change of
 * status. Until the server answers, and when it cannot be reached, the order is the kept one, with its time. `isLoading`: there
 * is no order to show yet, and no error.
 */
export function useWatchedOrder(orderKey: string) {
  const client = useQueryClient()
  const since = useRef({ stage: '', pollCount: 0 })
  // Follow only an order that was read: the stream refuses an order that the call refuses.
  const [isFollowed, setIsFollowed] = useState(false)
  const onChange = useReadAgain(() => readAgain(client, orderQuery(orderKey).queryKey))
  const isLive = useLive(readOrderEvents, isFollowed ? { id: orderKey } : undefined, { onEvent: onChange })
  const result = useQuery({
    ...orderQuery(orderKey),
    refetchInterval: ({ state }) => {
      if (isTransient(state.error)) return unansweredPollMs
      if (!state.data || isRefusal(state.error) || !mayChange(state.data.order)) return false
      const everyMs = isLive ? pollBesideStreamMs : pollWithoutStreamMs
      if (!isAwaitingNews(state.data.order)) return everyMs
      const { status, refund } = state.data.order
      const stage = `${status} ${refund?.state}`
      const pollCount = state.dataUpdateCount + state.errorUpdateCount
      if (since.current.stage !== stage) since.current = { stage, pollCount: pollCount - 1 }
      return Math.min(everyMs, pauseAfter(pollCount - since.current.pollCount))
    },
  })
  const isKnown = result.data !== undefined && !isRefusal(result.error)
  if (isKnown !== isFollowed) setIsFollowed(isKnown)
  const kept = keptBy(result, result.data)
  const known = kept === 'refused' ? undefined : result.data
  // React renders the update in slices, so that a press or a scroll is answered in between.
  const order = useDeferredValue(known?.order)
  const isLoading = order === undefined && (result.isPending || known !== undefined)
  return { result, order, kept: kept === 'refused' ? undefined : kept, isLoading }
}

/** Calls `onPaid` for an order that is shown as paid. */
export function useOnPaid(order: Order | undefined, onPaid: (orderId: number) => void): void {
  const paidId = order?.status === 'PAID' ? order.orderId : undefined
  useEffect(() => {
    if (paidId !== undefined) onPaid(paidId)
  }, [paidId, onPaid])
}

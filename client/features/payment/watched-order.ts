import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef } from 'react'
import { keptBy, orderQuery, unansweredPollMs } from '#client/entities/order/kept-orders.queries.ts'
import { isTransient } from '#client/platform/query-client.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isAwaitingNews, pauseAfter } from './payment.rules.ts'

/**
 * Polls while the order may change: quickly at first, and quickly again after every change of status. Until the
 * server answers, and when it cannot be asked, the order is the one known before, with the time. `isLoading`: nothing to show yet, and no reason why.
 */
export function useWatchedOrder(orderKey: string) {
  const since = useRef({ stage: '', pollCount: 0 })
  const result = useQuery({
    ...orderQuery(orderKey),
    refetchInterval: ({ state }) => {
      if (isTransient(state.error)) return unansweredPollMs
      if (!state.data || !isAwaitingNews(state.data.order)) return false
      const { status, refund } = state.data.order
      const stage = `${status} ${refund?.state}`
      const pollCount = state.dataUpdateCount + state.errorUpdateCount
      if (since.current.stage !== stage) since.current = { stage, pollCount: pollCount - 1 }
      return pauseAfter(pollCount - since.current.pollCount)
    },
  })
  const kept = keptBy(result, result.data)
  const known = kept === 'refused' ? undefined : result.data
  // Rendered in slices, between which a press or a scroll is answered.
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

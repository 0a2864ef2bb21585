import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onDecision } from '#client/entities/handover/outbox.ts'
import { UndoBar } from '#client/features/handovers/undo-bar.tsx'
import { listAgentOrders, readOrder } from '#shared/orders/orders.operations.ts'

/** The outcome of the last bag. The list is fetched again when the server has decided about a bag. */
export function CounterBar({ agentId }: { readonly agentId: number }) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      onDecision(() => {
        for (const { method, path } of [listAgentOrders, readOrder])
          void queryClient.invalidateQueries({ queryKey: [method, path] })
      }),
    [queryClient],
  )
  return <UndoBar agentId={agentId} />
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useKeptBagsEnd } from '#client/entities/handover/kept-bags.ts'
import { onDecision } from '#client/entities/handover/outbox.ts'
import { useOutbox } from '#client/entities/handover/use-outbox.ts'
import { AgentOrdersPage } from '#client/features/agent-orders/agent-orders.page.tsx'
import { BagHandover } from '#client/features/handovers/bag-handover.tsx'
import { ShiftLine } from '#client/features/handovers/shift-line.tsx'
import { UndoBar } from '#client/features/handovers/undo-bar.tsx'
import { listAgentOrders, readOrder } from '#shared/orders/orders.operations.ts'
import { useAgentId } from './guard.tsx'
import { ScanLink } from './scan-link.tsx'

export function AgentOrdersRoute() {
  const agentId = useAgentId()
  return agentId === undefined ? null : <AgentOrdersWithScan agentId={agentId} />
}

/** The agent's list with the way to the scanner, and the hand-over of each bag. */
export function AgentOrdersWithScan({ agentId }: { readonly agentId: number }) {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      onDecision(() => {
        for (const { method, path } of [listAgentOrders, readOrder])
          void queryClient.invalidateQueries({ queryKey: [method, path] })
      }),
    [queryClient],
  )
  const outbox = useOutbox(agentId)
  useKeptBagsEnd(agentId)
  return (
    <AgentOrdersPage
      agentId={agentId}
      scan={<ScanLink />}
      actionFor={(order, awb, onDone) => (
        <BagHandover agentId={agentId} order={order} awb={awb} onDone={onDone} />
      )}
      foot={<ShiftLine agentId={agentId} entries={outbox.entries} />}
      bar={<UndoBar agentId={agentId} outbox={outbox} />}
    />
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useOutbox } from '#client/entities/handover/use-outbox.ts'
import { AgentOrdersPage } from '#client/features/agent-orders/agent-orders.page.tsx'
import { BagHandover } from '#client/features/handovers/bag-handover.tsx'
import { listAgentOrders, readOrder } from '#shared/orders/orders.operations.ts'
import { ScanLink } from './scan-link.tsx'

/**
 * The agent's list with the way to the scanner, and the hand-over of each bag; a chunk of its own. Features do not import
 * each other.
 */
export function AgentOrdersWithScan({ agentId }: { readonly agentId: number }) {
  const outbox = useOutbox(agentId)
  const queryClient = useQueryClient()
  // What the server has decided about confirmations, also of another tab.
  const decided = outbox.entries
    .filter(({ recordedAt, refusal }) => recordedAt !== null || refusal !== null)
    .map(({ id }) => id)
    .join()
  const known = useRef(decided)
  useEffect(() => {
    if (known.current === decided) return
    known.current = decided
    for (const { method, path } of [listAgentOrders, readOrder])
      void queryClient.invalidateQueries({ queryKey: [method, path] })
  }, [decided, queryClient])
  return (
    <AgentOrdersPage
      agentId={agentId}
      scan={<ScanLink />}
      actionFor={(order, awb) => <BagHandover agentId={agentId} order={order} awb={awb} outbox={outbox} />}
    />
  )
}

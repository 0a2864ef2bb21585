import { Suspense, useEffect } from 'react'
import { useKeptBagsEnd } from '#client/entities/handover/kept-bags.ts'
import { AgentOrdersPage } from '#client/features/agent-orders/agent-orders.page.tsx'
import { useAgentId } from '#client/session/session.ts'
import { Loading } from '#client/ui/loading.tsx'
import { lazyPart } from './lazy-part.ts'
import { Optional } from './optional.tsx'
import { ScanLink } from './scan-link.tsx'

// The controls of a bag load at the same time as the first list, which does not wait for them.
const BagHandover = lazyPart(
  async () => (await import('#client/features/handovers/bag-handover.tsx')).BagHandover,
)
const ShiftLine = lazyPart(async () => (await import('#client/features/handovers/shift-line.tsx')).ShiftLine)
const CounterBar = lazyPart(async () => (await import('./counter-bar.tsx')).CounterBar)

// This part loads antd, so only wide screens load it.
const OrdersTable = lazyPart(
  async () => (await import('#client/features/agent-orders/orders-table.tsx')).OrdersTable,
)

export async function loadCounter(): Promise<void> {
  await Promise.all([BagHandover, ShiftLine, CounterBar].map((part) => part.preload()))
}

export function AgentOrdersRoute() {
  const agentId = useAgentId()
  return agentId === undefined ? null : <AgentOrdersWithScan agentId={agentId} />
}

/** The agent's list with the way to the scanner, and the hand-over of each bag. */
export function AgentOrdersWithScan({ agentId }: { readonly agentId: number }) {
  // A part that fails to load here is loaded again when it is shown.
  useEffect(() => void loadCounter().catch(() => undefined), [])
  useKeptBagsEnd(agentId)
  return (
    <AgentOrdersPage
      agentId={agentId}
      scan={<ScanLink agentId={agentId} />}
      table={OrdersTable}
      actionFor={(order, awb, onDone) => (
        <Suspense fallback={<Loading />}>
          <BagHandover agentId={agentId} order={order} awb={awb} onDone={onDone} />
        </Suspense>
      )}
      foot={
        <Optional>
          <ShiftLine agentId={agentId} />
        </Optional>
      }
      bar={
        <Optional>
          <CounterBar agentId={agentId} />
        </Optional>
      }
    />
  )
}

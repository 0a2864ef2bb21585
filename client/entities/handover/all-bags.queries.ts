import { readStored } from '#client/platform/browser-storage.ts'
import { call } from '#client/platform/call.ts'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import type { AgentOrderState, Order } from '#shared/orders/orders.schemas.ts'
import type { KeptBags } from './kept-bags.rules.ts'
import { keepBags } from './kept-bags.ts'

/** The number of pages, of 100 orders each, that are loaded for each state. */
const pagesOfState: Readonly<Record<AgentOrderState, number>> = { waiting: 6, received: 2, refused: 1 }

/** Keeps all waiting bags and the newest of the others, also bags that no page of this device has shown. */
export async function keepAllBags(agentId: number, signal: AbortSignal): Promise<void> {
  // The agent has logged out, and the page is still mounted.
  if (readStored('scanAgent') !== String(agentId)) return
  const askedAt = Date.now()
  const orders: Order[] = []
  let counts: KeptBags['counts'] | undefined
  for (const [state, most] of Object.entries(pagesOfState) as [AgentOrderState, number][]) {
    let cursor: string | null = null
    for (let pages = 0; pages < most && (pages === 0 || cursor !== null); pages += 1) {
      const page: Awaited<ReturnType<typeof listPage>> = await listPage(agentId, state, cursor, signal)
      orders.push(...page.orders)
      cursor = page.nextCursor
      counts = page.counts
    }
  }
  keepBags(agentId, orders, askedAt, counts)
}

function listPage(agentId: number, state: AgentOrderState, cursor: string | null, signal: AbortSignal) {
  const order = state === 'waiting' ? 'oldest' : 'newest'
  return call(listAgentOrders, {
    params: { agentId: String(agentId) },
    query: { state, order, limit: '100', ...(cursor !== null && { cursor }) },
    signal,
  })
}

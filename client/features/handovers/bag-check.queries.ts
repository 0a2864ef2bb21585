import { call, isCallProblem } from '#client/platform/call.ts'
import { isOnline } from '#client/platform/connection.ts'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import { type BagCheck, checkOf } from './bag-check.rules.ts'

/** Longer than this a pilgrim in a queue does not wait: the bag is received unchecked, and the server decides later. */
const patienceMs = 6_000

/** Looks a scanned bag up among the agent's orders. @throws the reason of `signal` when it aborts. */
export async function checkBag(agentId: number, awb: string, signal: AbortSignal): Promise<BagCheck> {
  if (!isOnline()) return { kind: 'unchecked' }
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), patienceMs)
  const onAbort = () => patience.abort()
  signal.addEventListener('abort', onAbort)
  try {
    const { orders } = await call(listAgentOrders, {
      params: { agentId: String(agentId) },
      query: { q: awb, limit: '5' },
      signal: patience.signal,
    })
    return checkOf(awb, orders)
  } catch (error) {
    signal.throwIfAborted()
    // Whatever went wrong, it says nothing about the bag.
    if (isCallProblem(error) || patience.signal.aborted) return { kind: 'unchecked' }
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

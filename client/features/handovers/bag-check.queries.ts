import { findKeptBag, keepBags } from '#client/entities/handover/kept-bags.ts'
import { call, isCallProblem } from '#client/platform/call.ts'
import { isOnline } from '#client/platform/connection.ts'
import { withDeadline } from '#client/platform/deadline.ts'
import { waits } from '#client/platform/waits.ts'
import { findForeignBag } from '#shared/orders/handovers.operations.ts'
import { listAgentOrders } from '#shared/orders/orders.operations.ts'
import { type BagCheck, checkOf } from './bag-check.rules.ts'

/**
 * Looks a bag up among the agent's orders. `isScanned`: the barcode was read, so the result may say that the bag is another
 * agent's; a typed number may be a guess.
 * @throws the reason of `signal` when it aborts.
 */
export async function checkBag(
  {
    agentId,
    awb,
    isScanned,
  }: { readonly agentId: number; readonly awb: string; readonly isScanned: boolean },
  signal: AbortSignal,
): Promise<BagCheck> {
  if (!isOnline()) return keptCheck(agentId, awb)
  return withDeadline(waits.bagCheck, signal, async (patience): Promise<BagCheck> => {
    try {
      const askedAt = Date.now()
      const { orders } = await call(listAgentOrders, {
        params: { agentId: String(agentId) },
        query: { q: awb, limit: '5' },
        signal: patience,
      })
      keepBags(agentId, orders, askedAt)
      const check = checkOf(awb, orders)
      return check.kind === 'not-yours' && isScanned ? await foreignCheck(awb, patience) : check
    } catch (error) {
      signal.throwIfAborted()
      // This error says nothing about the bag.
      if (isCallProblem(error) || patience.aborted) return keptCheck(agentId, awb)
      throw error
    }
  })
}

/** The kept facts of the bag. A bag without a kept copy stays unchecked, because it may have been booked later. */
function keptCheck(agentId: number, awb: string): BagCheck {
  const kept = findKeptBag(agentId, awb)
  return kept ? { ...checkOf(awb, [kept.order]), knownAt: kept.knownAt } : { kind: 'unchecked' }
}

async function foreignCheck(awb: string, signal: AbortSignal): Promise<BagCheck> {
  try {
    await call(findForeignBag, { params: { awb }, signal })
    return { kind: 'other-agent' }
  } catch (error) {
    // Any answer means that the bag is not one of this agent's.
    if (isCallProblem(error) || signal.aborted) return { kind: 'not-yours' }
    throw error
  }
}

import { call } from '#client/platform/call.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import { isOutdated } from './kept-claims.rules.ts'
import { keepingClaims, readKeptClaims } from './kept-claims.ts'

/** Keeps the claims of all paid orders, also of those that no page of this phone has shown. */
export async function keepAllClaims(userId: number): Promise<void> {
  const kept = readKeptClaims()
  if (kept === undefined || kept.userId !== userId || !isOutdated(kept, Date.now())) return
  try {
    const answer = call(listUserOrders, { params: { userId: String(userId) }, query: { limit: '100' } })
    await keepingClaims(answer, ({ orders }) => orders)
  } catch {
    // What is kept stays as it was known last.
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '#server/platform/database/database.ts'
import type { Audit, ReportedOrder } from './ledger.ts'
import { audit } from './ledger.ts'
import { createOrderAuditStore } from './order-audit.store.ts'
import type { Deployment } from './processes.ts'

/** Upper limit of the simulator's lists. */
const everything = 99_999

export interface OrderAudit {
  /** Waits until every paid booking has its airway bill and label, at most `withinMs`; then compares everything. */
  finish(
    reported: readonly ReportedOrder[],
    checkouts: number,
    withinMs: number,
  ): Promise<Audit & { readonly orders: number; readonly settledSeconds: number }>
}

/** Audits orders created from now on; existing ones are ignored. */
export async function startOrderAudit(deployment: Deployment): Promise<OrderAudit> {
  const withStore = async <T>(
    work: (store: ReturnType<typeof createOrderAuditStore>) => Promise<T>,
  ): Promise<T> => {
    const database = createDatabase(deployment.openDatabase())
    try {
      return await work(createOrderAuditStore(database))
    } finally {
      await database.close()
    }
  }
  const after = await withStore((store) => store.lastOrderId())
  const shipmentsBefore = new Set((await deployment.control.shipments(everything)).map(({ awb }) => awb))
  return {
    finish: (reported, checkouts, withinMs) =>
      withStore(async (store) => {
        const startedAt = performance.now()
        while ((await store.countOpenBookings(after)) > 0 && performance.now() - startedAt < withinMs)
          await pause(200)
        const settledSeconds = (performance.now() - startedAt) / 1_000
        const stored = await store.listOrdersAfter(after)
        const payments = (await deployment.control.payments(everything)).flatMap(
          ({ orderNumber, transactions }) =>
            orderNumber === null || Number(orderNumber) <= after
              ? []
              : [
                  {
                    orderId: Number(orderNumber),
                    successes: transactions.filter(
                      (each) =>
                        each.kind === 'payment' &&
                        each.success &&
                        each.refundedAmount === 0 &&
                        !each.isVoided,
                    ).length,
                  },
                ],
        )
        const shipments = (await deployment.control.shipments(everything)).filter(
          ({ awb }) => !shipmentsBefore.has(awb),
        )
        return {
          ...audit({ reported, stored, payments: summed(payments), shipments, checkouts }),
          orders: stored.length,
          settledSeconds,
        }
      }),
  }
}

/** An order may have several attempts, and each a payment. */
function summed(payments: readonly { orderId: number; successes: number }[]) {
  const sums = new Map<number, number>()
  for (const { orderId, successes } of payments) sums.set(orderId, (sums.get(orderId) ?? 0) + successes)
  return [...sums].map(([orderId, successes]) => ({ orderId, successes }))
}

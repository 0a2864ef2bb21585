import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase } from '#server/platform/database/database.ts'
import type { PaymentView } from '#test/kit/programs/control.ts'
import type { Deployment } from './deployment.ts'
import { audit, type Promised } from './ledger.ts'
import { createOrderAuditStore, type OrderAuditStore } from './order-audit.store.ts'

const everything = 99_999

export async function startOrderAudit(deployment: Deployment) {
  const { control } = deployment
  const withStore = async <T>(work: (store: OrderAuditStore) => Promise<T>): Promise<T> => {
    const database = createDatabase(deployment.openDatabase())
    try {
      return await work(createOrderAuditStore(database))
    } finally {
      await database.close()
    }
  }
  const after = await withStore((store) => store.lastOrderId())
  const shipmentsBefore = new Set((await control.shipments(everything)).map(({ awb }) => awb))

  /** Waits until every paid booking has its airway bill and label, at most `withinMs`; then compares everything. */
  const finish = (promised: Promised, withinMs: number) =>
    withStore(async (store) => {
      const startedAt = performance.now()
      while ((await store.countOpenBookings(after)) > 0 && performance.now() - startedAt < withinMs)
        await pause(200)
      const settledSeconds = (performance.now() - startedAt) / 1_000
      const stored = await store.listOrdersAfter(after)
      const payments = (await control.payments(everything))
        .filter(({ orderNumber }) => orderNumber !== null && Number(orderNumber) > after)
        .flatMap((payment) => heldPayments(payment).map(() => Number(payment.orderNumber)))
      const shipments = (await control.shipments(everything)).filter(({ awb }) => !shipmentsBefore.has(awb))
      const { lost, double } = audit({ promised, stored, payments, shipments })
      return { lost, double, orders: stored.length, settledSeconds }
    })
  return { finish }
}

const heldPayments = ({ transactions }: PaymentView) =>
  transactions.filter(
    ({ kind, success, refundedAmount, isVoided }) =>
      kind === 'payment' && success && refundedAmount === 0 && !isVoided,
  )

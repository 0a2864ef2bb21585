import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'

export interface OrderReport {
  readonly status: string
  readonly transactionId: string | null
  /** One per booking; null while the partner has not issued it. */
  readonly awbs: readonly (string | null)[]
}

/**
 * An order as the gateway of this machine has stored it, for testers who hold no session; undefined when there is
 * no database here or no such order in it. Changes nothing.
 */
export async function readOrderReport(
  orderId: number,
  place: { readonly url: string | undefined; readonly dataDir: string },
): Promise<OrderReport | undefined> {
  const file = join(place.dataDir, 'amtiati.sqlite')
  if (!place.url && !existsSync(file)) return undefined
  const database = createDatabase(place.url ? openPostgres(place.url, () => undefined) : openSqlite(file))
  try {
    const store = createOrdersStore(database)
    const order = await store.findOrder(orderId)
    if (!order) return undefined
    const bookings = await store.findBookings([orderId])
    return { status: order.status, transactionId: order.transaction_id, awbs: bookings.map(({ awb }) => awb) }
  } finally {
    await database.close()
  }
}

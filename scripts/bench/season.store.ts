import { sql } from 'kysely'
import type { EngineParts } from '#server/platform/database/database.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { listUserOrders } from '#shared/orders/orders.operations.ts'
import type { Request } from './client.ts'
import { type Deployment, type DeploymentOptions, startDeployment } from './deployment.ts'
import { checkoutBody, type Route, routesOf } from './journey.ts'
import { type Traveller, travelMany } from './load.ts'

/** Paid orders that pilgrims made through the API, and each of them again `copies` times in the database. */
export interface Season extends Deployment {
  readonly people: readonly Traveller[]
  readonly routes: readonly Route[]
}

export async function startSeason(
  options: DeploymentOptions & { readonly people: number; readonly copies?: number },
): Promise<Season> {
  const deployment = await startDeployment(options)
  try {
    const routes = routesOf(deployment.lists)
    const { travellers, failures } = await travelMany({
      ...deployment,
      routes,
      from: 0,
      count: options.people,
      atOnce: 24,
    })
    if (failures[0] !== undefined) throw new Error(`the season cannot be filled: ${failures[0]}`)
    if (options.copies !== undefined && options.copies > 0) {
      await deployment.stopGateways()
      const parts = deployment.openDatabase()
      await copyOrders(parts, options.copies).finally(() => parts.kysely.destroy())
      await deployment.startGateways()
    }
    return { ...deployment, people: travellers, routes }
  } catch (error) {
    await deployment.close().catch(() => undefined)
    throw error
  }
}

const copied = ['users', 'orders', 'bookings', 'labels', 'events', 'payment_attempts', 'payment_events']
const numbers = /^(id|user_id|order_id|booking_id|attempt_id|provider_order_id)$/
const unique = /^(phone|reference|awb|intention_id|transaction_id)$/
/** Copies are short, because whole labels and reports would measure the disk. */
const long = /^(pdf|body)$/
/** More than there are rows of a table before the copies. */
const idStep = 1_000_000

async function copyOrders({ engine, kysely }: EngineParts, copies: number): Promise<void> {
  await kysely.connection().execute(async (db) => {
    if (engine === 'postgres') await sql`SET session_replication_role = replica`.execute(db)
    else await sql`PRAGMA synchronous = OFF`.execute(db)
    for (const name of copied) {
      const table = sql.table(name)
      const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${table} LIMIT 1`.execute(db)
      const columns = Object.keys(rows[0] ?? {})
      const values = columns.map((column) => {
        if (numbers.test(column)) return sql`${sql.ref(column)} + k * ${sql.lit(idStep)}`
        if (long.test(column)) return sql`substr(${sql.ref(column)}, 1, 64)`
        return unique.test(column) ? sql`${sql.ref(column)} || '-' || k` : sql.ref(column)
      })
      await sql`INSERT INTO ${table} (${sql.join(columns.map((column) => sql.ref(column)))})
        WITH RECURSIVE n(k) AS (
          SELECT CAST(1 AS bigint) UNION ALL SELECT k + 1 FROM n WHERE k < ${sql.lit(copies)}
        ) SELECT ${sql.join(values)} FROM ${table}, n`.execute(db)
      if (engine === 'postgres' && columns.includes('id'))
        await sql`SELECT setval(pg_get_serial_sequence(${name}, 'id'), (SELECT MAX(id) FROM ${table}))`.execute(
          db,
        )
    }
    await (engine === 'postgres' ? sql`VACUUM ANALYZE` : sql`PRAGMA wal_checkpoint(TRUNCATE)`).execute(db)
  })
}

const headersOf = ({ cookie }: Traveller) => ({
  'sec-fetch-site': 'same-origin',
  'accept-encoding': 'br, gzip',
  cookie,
})

export const getAs = (person: Traveller, path: string): Request => ({
  method: 'GET',
  path,
  headers: headersOf(person),
})

export const listRequest = (person: Traveller): Request =>
  getAs(person, listUserOrders.path.replace(':userId', String(person.userId)))

export const checkoutRequest = (person: Traveller, route: Route): Request => ({
  method: 'POST',
  path: checkout.path,
  headers: headersOf(person),
  body: JSON.stringify(checkoutBody(person.userId, route)),
})

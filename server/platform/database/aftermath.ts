import { type RawBuilder, sql } from 'kysely'
import { statusExpression } from '#server/platform/database/order-status.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { Extent } from './after-restore.ts'
import type { EngineParts } from './database.ts'

export interface Aftermath {
  readonly title: string
  readonly lines: readonly string[]
  readonly error?: string
}

type Row = Readonly<Record<string, unknown>>

interface Section {
  readonly title: string
  readonly query: RawBuilder<Row>
  readonly isMissing?: (row: Row) => boolean
  readonly line: (row: Row) => string
}

/** Each section has its own query, because a table of the previous database can be damaged. */
export async function listAftermath({ kysely }: EngineParts, restored: Extent): Promise<Aftermath[]> {
  const sections: Aftermath[] = []
  for (const { title, query, isMissing = () => true, line } of sectionsOf(restored)) {
    try {
      const { rows } = await query.execute(kysely)
      sections.push({ title, lines: rows.filter(isMissing).map(line) })
    } catch (error) {
      sections.push({ title, lines: [], error: error instanceof Error ? error.message : String(error) })
    }
  }
  return sections
}

function sectionsOf({ highestIds, since, unissued, deletedUsers }: Extent): Section[] {
  const lastId = (table: string) => highestIds.get(table) ?? 0
  return [
    {
      title: 'orders placed',
      query: sql`SELECT id, user_id, ${sql.raw(statusExpression)} AS status, amount_halalas, currency, created_at FROM orders
        WHERE id > ${lastId('orders')} ORDER BY id`,
      line: (row) =>
        `OD-${row.id}  ${row.status}  ${moneyOf(row)}  user ${row.user_id}  ${isoOf(Number(row.created_at))}`,
    },
    {
      title: 'payments and what else the provider reported',
      query: sql`SELECT payment_events.transaction_id, payment_events.kind, payment_events.outcome,
          payment_events.amount_halalas, payment_events.currency, payment_events.received_at,
          payment_attempts.order_id
        FROM payment_events LEFT JOIN payment_attempts ON payment_attempts.id = payment_events.attempt_id
        WHERE payment_events.id > ${lastId('payment_events')} OR payment_events.received_at > ${since}
        ORDER BY payment_events.id`,
      line: (row) => {
        const order = row.order_id === null ? 'order unknown' : `OD-${row.order_id}`
        return `${order}  transaction ${row.transaction_id}  ${row.kind}  ${row.outcome}  ${moneyOf(row)}  ${isoOf(Number(row.received_at))}`
      },
    },
    {
      title: 'refunds ordered or done',
      query: sql`SELECT refunds.transaction_id, refunds.state, refunds.reason, refunds.amount_halalas,
          refunds.currency, refunds.created_at, payment_attempts.order_id
        FROM refunds JOIN payment_attempts ON payment_attempts.id = refunds.attempt_id
        WHERE refunds.id > ${lastId('refunds')} OR refunds.done_at > ${since} ORDER BY refunds.id`,
      line: (row) =>
        `OD-${row.order_id}  transaction ${row.transaction_id}  ${row.reason}  ${row.state}  ${moneyOf(row)}  ${isoOf(Number(row.created_at))}`,
    },
    {
      title: 'receipts issued',
      query: sql`SELECT number, kind, order_id, amount_halalas, issued_at FROM receipts
        WHERE number > ${lastId('receipts')} ORDER BY number`,
      line: (row) =>
        `OD-${row.order_id}  ${row.kind} ${row.number}  ${moneyOf({ ...row, currency: 'SAR' })}  ${isoOf(Number(row.issued_at))}`,
    },
    {
      title: 'airway bills issued',
      query: sql`SELECT id, order_id, reference, awb FROM bookings
        WHERE awb IS NOT NULL AND (id > ${lastId('bookings')} OR id >= ${smallest(unissued)}) ORDER BY id`,
      isMissing: ({ id }) => Number(id) > lastId('bookings') || unissued.has(Number(id)),
      line: (row) => `OD-${row.order_id}  ${row.awb}  reference ${row.reference}`,
    },
    {
      title: 'claims opened',
      query: sql`SELECT id, order_id, kind, state, opened_at FROM claims WHERE id > ${lastId('claims')} ORDER BY id`,
      line: (row) =>
        `OD-${row.order_id}  claim ${row.id}  ${row.kind}  ${row.state}  ${isoOf(Number(row.opened_at))}`,
    },
    {
      title: 'accounts deleted',
      query: sql`SELECT id, deleted_at FROM users WHERE deleted_at IS NOT NULL ORDER BY id`,
      isMissing: ({ id }) => Number(id) <= lastId('users') && !deletedUsers.has(Number(id)),
      line: (row) => `user ${row.id}  ${isoOf(Number(row.deleted_at))}`,
    },
    {
      title: 'acts of staff and operators',
      query: sql`SELECT at, actor_name, kind, order_id, data FROM events
        WHERE id > ${lastId('events')} AND actor_kind IN ('staff', 'operator') ORDER BY id`,
      line: (row) => {
        const about =
          row.order_id === null ? (JSON.parse(String(row.data)).about ?? '-') : `OD-${row.order_id}`
        return `${isoOf(Number(row.at))}  ${row.actor_name}  ${row.kind}  ${about}`
      },
    },
  ]
}

const moneyOf = ({ amount_halalas: halalas, currency }: Row) =>
  `${(Number(halalas) / 100).toFixed(2)} ${String(currency)}`

const smallest = (ids: ReadonlySet<number>) => {
  let least = Number.MAX_SAFE_INTEGER
  for (const id of ids) least = Math.min(least, id)
  return least
}

import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/** A row whose change gateways are told of: when, in which channel, and what of it ($row: NEW, or OLD where it is gone). */
interface Told {
  readonly table: string
  readonly when: string
  readonly channel: 'amtiati_orders' | 'amtiati_sessions'
  readonly what: string
}

const orders = (table: string, what: string, ...moments: readonly string[]): Told[] =>
  moments.map((when) => ({ table, when, channel: 'amtiati_orders', what }))

/** What readers of an order see; columns of the work on it, such as leases, are not told. */
const bagColumns =
  'awb, receiver, receiver_name, receiver_phone, second_phone, origin, destination, state, travel_state, last_event_at'

/**
 * The statements that are told, as numbers of orders, and sessions that ended, by the hash of their token. A new order has
 * no reader. On PostgreSQL the schema tells (`NOTIFY`); on SQLite each gateway's own connection does (notices.ts).
 */
export const told: readonly Told[] = [
  ...orders('orders', '$row.id', 'UPDATE', 'DELETE'),
  ...orders('bookings', '$row.order_id', `UPDATE OF ${bagColumns}`),
  ...orders('booking_events', '(SELECT order_id FROM bookings WHERE id = $row.booking_id)', 'INSERT'),
  ...orders(
    'refunds',
    '(SELECT order_id FROM payment_attempts WHERE id = $row.attempt_id)',
    'INSERT',
    'UPDATE OF attempt_id, amount_halalas, currency, reason, state',
    'DELETE',
  ),
  ...orders('order_shares', '$row.order_id', 'UPDATE', 'DELETE'),
  { table: 'sessions', when: 'DELETE', channel: 'amtiati_sessions', what: '$row.token_hash' },
]

/** Name of the trigger, when it fires, and what it tells. */
export function triggerOf({ table, when, what }: Told) {
  const [event = ''] = when.toLowerCase().split(' ')
  return {
    name: `${table}_told_${event}`,
    fires: `AFTER ${when} ON`,
    value: what.replaceAll('$row', event === 'delete' ? 'OLD' : 'NEW'),
  }
}

/** Gateways are told what changed by the transaction that changed it. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  for (const each of told) {
    const { name, fires, value } = triggerOf(each)
    await sql
      .raw(
        `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_notify('${each.channel}', CAST(${value} AS text));
          RETURN NULL;
        END $$`,
      )
      .execute(kysely)
    await sql
      .raw(`CREATE TRIGGER ${name} ${fires} ${each.table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
      .execute(kysely)
  }
}

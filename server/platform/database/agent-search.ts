import type { Engine } from './database.ts'
import { searchText } from './search-text.ts'

function cityOf(engine: Engine): string {
  const place = "CASE WHEN orders.type = 'FROM_MINA' THEN b.destination ELSE b.origin END"
  return engine === 'sqlite'
    ? `CASE WHEN json_valid(${place}) THEN json_extract(${place}, '$.city') END`
    : `substring(${place} from '"city":"([^"]*)"')`
}

/** Agents search paid orders by order number, owner, airway bills with receivers, and city. */
export function writeSearchText(engine: Engine, condition: string): string {
  const facts = (...texts: readonly string[]) =>
    texts.map((text) => `${searchText}(coalesce(${text}, ''))`).join(' || ')
  const bag = facts(
    'b.awb',
    'CASE WHEN b.awb IS NOT NULL THEN b.receiver END',
    `CASE WHEN b.leg = 0 THEN ${cityOf(engine)} END`,
  )
  return `UPDATE orders SET search_text = ${facts("'OD-' || orders.id")}
      || (SELECT ${facts('u.name', 'u.phone')} FROM users u WHERE u.id = orders.user_id)
      || coalesce((SELECT string_agg(${bag}, '') FROM bookings b WHERE b.order_id = orders.id), '')
    WHERE paid_at IS NOT NULL AND ${condition}`
}

const sources = [
  {
    name: 'orders_search_paid',
    fires: 'UPDATE OF paid_at ON orders',
    when: 'OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL',
    condition: 'orders.id = NEW.id',
  },
  {
    name: 'bookings_search_printed',
    fires: 'UPDATE OF awb, receiver ON bookings',
    when: `coalesce(NEW.awb, '') <> coalesce(OLD.awb, '')
      OR (NEW.awb IS NOT NULL AND coalesce(NEW.receiver, '') <> coalesce(OLD.receiver, ''))`,
    condition: 'orders.id = NEW.order_id',
  },
  {
    name: 'users_search_renamed',
    fires: 'UPDATE OF name, phone ON users',
    when: 'NEW.name <> OLD.name OR NEW.phone <> OLD.phone',
    condition: 'orders.user_id = NEW.id',
  },
] as const

export const agentSearch = (engine: Engine): string[] =>
  sources.flatMap(({ name, fires, when, condition }) => {
    const write = writeSearchText(engine, condition)
    if (engine === 'sqlite') return [`CREATE TRIGGER ${name} AFTER ${fires} WHEN ${when} BEGIN ${write}; END`]
    return [
      // The update of the search text must be a statement after the lock: only then does it see the changes of the
      // transaction that held the lock before.
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM 1 FROM orders WHERE ${condition} ORDER BY id FOR NO KEY UPDATE;
        ${write};
        RETURN NULL;
      END $$`,
      `CREATE TRIGGER ${name} AFTER ${fires} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
    ]
  })

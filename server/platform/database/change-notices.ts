/** In the SQL of a trigger (`what`), `$row` stands for NEW, or for OLD when the row is deleted. */
interface NotifiedChange {
  readonly table: string
  readonly when: string
  readonly channel: 'amtiati_orders' | 'amtiati_desk' | 'amtiati_desk_order' | 'amtiati_sessions'
  readonly what: string
  readonly only?: string
}

const changesOf =
  (channel: NotifiedChange['channel']) =>
  (table: string, what: string, ...moments: readonly string[]): NotifiedChange[] =>
    moments.map((when) => ({ table, when, channel, what }))

const orderOfAttempt = '(SELECT order_id FROM payment_attempts WHERE id = $row.attempt_id)'
const orderOfBag = '(SELECT order_id FROM bookings WHERE id = $row.booking_id)'

const bagColumns =
  'awb, receiver, receiver_name, receiver_phone, second_phone, origin, destination, state, carriage, last_event_at'

const inOrders = changesOf('amtiati_orders')

const journeyKinds = ['received', 'undone', 'not-accepted', 'scan', 'bag-void', 'bag-valid']

/** A new order has no readers, so its INSERT causes no notice. */
const orderChanges: readonly NotifiedChange[] = [
  ...inOrders('orders', '$row.id', 'UPDATE', 'DELETE'),
  ...inOrders('bookings', '$row.order_id', `UPDATE OF ${bagColumns}`),
  ...inOrders('events', '$row.order_id', 'INSERT').map((each) => ({
    ...each,
    only: journeyKinds.map((kind) => `NEW.kind = '${kind}'`).join(' OR '),
  })),
  ...inOrders(
    'refunds',
    orderOfAttempt,
    'INSERT',
    'UPDATE OF attempt_id, amount_halalas, currency, reason, state',
    'DELETE',
  ),
  ...inOrders('order_shares', '$row.order_id', 'UPDATE', 'DELETE'),
]

const inDesk = changesOf('amtiati_desk')

/** True for a payment event that staff have to handle. */
export const isUnresolved = (row: string) =>
  ['reference-mismatch', 'unknown-order', 'partial-refund']
    .map((word) => `${row}outcome = '${word}'`)
    .join(' OR ')

const deskChanges: readonly NotifiedChange[] = [
  ...inDesk('claims', '$row.order_id', 'INSERT', 'UPDATE OF state, touched_at, late_since'),
  ...inDesk('bookings', '$row.order_id', 'UPDATE OF stopped_at'),
  ...inDesk('scan_alerts', orderOfBag, 'INSERT', 'UPDATE OF closed_at'),
  ...inDesk('messages', '$row.order_id', 'UPDATE OF state, seen_at').map((each) => ({
    ...each,
    only: "NEW.state = 'failed' OR NEW.state = 'dropped'",
  })),
  ...inDesk('payment_events', orderOfAttempt, 'INSERT').map((each) => ({
    ...each,
    only: isUnresolved('NEW.'),
  })),
  ...inDesk('payment_events', orderOfAttempt, 'UPDATE OF outcome, seen_at'),
  ...inDesk('payment_findings', orderOfAttempt, 'INSERT', 'UPDATE OF closed_at', 'DELETE'),
  ...inDesk('approvals', '$row.order_id', 'INSERT', 'UPDATE OF state'),
  ...inDesk('tracked_bookings', orderOfBag, 'UPDATE OF checked_at'),
  ...inDesk('agent_alerts', '0', 'INSERT', 'UPDATE OF ends_at'),
  ...inDesk('desk_work', '$row.order_id', 'INSERT', 'UPDATE', 'DELETE'),
  ...changesOf('amtiati_desk_order')('events', '$row.order_id', 'INSERT').map((each) => ({
    ...each,
    only: "NEW.order_id IS NOT NULL AND (NEW.actor_kind = 'staff' OR NEW.actor_kind = 'operator')",
  })),
].map((each) => ({ ...each, what: `coalesce(${each.what}, 0)` }))

const endedSessions: readonly NotifiedChange[] = ['sessions', 'desk_sessions'].flatMap((table) =>
  changesOf('amtiati_sessions')(table, '$row.token_hash', 'DELETE'),
)

const triggersOf = (changes: readonly NotifiedChange[]) =>
  changes.map(({ table, when, channel, what, only }) => {
    const [event = ''] = when.toLowerCase().split(' ')
    const isOfDesk = channel.startsWith('amtiati_desk') || table === 'desk_sessions'
    return {
      table,
      channel,
      name: `${table}${isOfDesk ? '_desk' : ''}_notices_${event}`,
      fires: `AFTER ${when} ON`,
      condition: only === undefined ? '' : `WHEN (${only})`,
      value: what.replaceAll('$row', event === 'delete' ? 'OLD' : 'NEW'),
    }
  })

/**
 * The first migration creates these triggers and is released, so a later trigger needs another list. On SQLite each
 * gateway makes its own triggers (notices.ts).
 */
export const triggers = triggersOf([...orderChanges, ...deskChanges, ...endedSessions])
export const handoverPhotoTriggers = triggersOf(inOrders('handover_photos', orderOfBag, 'INSERT'))

export const triggerStatements = (made: typeof triggers): string[] =>
  made.flatMap(({ name, fires, table, condition, channel, value }) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_notify('${channel}', CAST(${value} AS text));
        RETURN NULL;
      END $$`,
    `CREATE TRIGGER ${name} ${fires} ${table} FOR EACH ROW ${condition} EXECUTE FUNCTION ${name}()`,
  ])

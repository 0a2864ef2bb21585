import { storedEventOf } from '#server/features/history/history.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { type Line, timelineOf, withoutLine } from './timeline.rules.ts'

/** The timeline also contains events of the owner's account since the order was created. */
export async function readTimeline(
  { database: { tables } }: QueryCore,
  orderId: number,
): Promise<readonly Line[]> {
  const ofAccount = tables
    .selectFrom('events')
    .innerJoin('orders', 'orders.user_id', 'events.user_id')
    .selectAll('events')
    .where('orders.id', '=', orderId)
    .where('events.order_id', 'is', null)
    .whereRef('events.recorded_at', '>=', 'orders.created_at')
    .where('events.kind', 'not in', withoutLine)
  const events = await tables
    .selectFrom('events')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('kind', 'not in', withoutLine)
    .unionAll(ofAccount)
    .orderBy('id')
    .execute()
  const messages = await tables
    .selectFrom('messages')
    .select(['id', 'reported_event_id', 'recipient', 'channel', 'kind', 'phone', 'state', 'push'])
    .select(['asked_at', 'ended_at', 'last_error'])
    .where('order_id', '=', orderId)
    .execute()
  return timelineOf(events.map(storedEventOf), messages)
}

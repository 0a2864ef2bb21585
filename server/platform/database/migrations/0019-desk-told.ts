import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { triggerOfDesk } from './0013-work.ts'
import { toldToDesk as toldBefore } from './0017-takes.ts'

/** Changes of work lists that only an audit row told of, which since 0017 changes none. */
const added = [
  { table: 'approvals', when: 'INSERT', what: '$row.order_id' },
  { table: 'approvals', when: 'UPDATE OF state', what: '$row.order_id' },
  {
    ...{ table: 'tracked_bookings', when: 'UPDATE OF checked_at' },
    what: '(SELECT order_id FROM bookings WHERE id = $row.booking_id)',
  },
].map((each) => {
  const told = { ...each, channel: 'amtiati_desk' as const, what: `coalesce(${each.what}, 0)` }
  return { ...told, ...triggerOfDesk(told) }
})

/** What the desk is told of, as in 0017, and approvals and bags that were looked at. */
export const toldToDesk = [...toldBefore, ...added]

/** What waits for a second person, and what no longer waits, is told at once. Of a refund it is kept when the provider refused it. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(kysely)
  await run('ALTER TABLE refunds ADD COLUMN refused_at bigint')
  if (engine === 'sqlite') return
  for (const { table, name, fires, channel, value } of added) {
    await run(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_notify('${channel}', CAST(${value} AS text));
        RETURN NULL;
      END $$`,
    )
    await run(`CREATE TRIGGER ${name} ${fires} ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
  }
}

import { type Kysely, sql } from 'kysely'

/** Creations of a shipment so far and allowed, since when a booking waits for an operator, and the printed name. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const { schema } = kysely
  const add = (name: string, type: 'integer' | 'bigint' | 'text', otherwise?: number) =>
    schema
      .alterTable('bookings')
      .addColumn(name, type, (column) =>
        otherwise === undefined ? column : column.notNull().defaultTo(otherwise),
      )
      .execute()
  await add('creations', 'integer', 0)
  await add('creations_allowed', 'integer', 2)
  await add('stopped_at', 'bigint')
  await add('reason', 'text')
  await add('receiver', 'text')
  await schema
    .createIndex('bookings_stopped')
    .on('bookings')
    .column('stopped_at')
    .where(sql.ref('stopped_at'), 'is not', null)
    .execute()
  // Earlier creations were not counted: assume one, whose shipment may exist.
  await kysely
    .updateTable('bookings')
    .set({ creations: 1 })
    .where('state', '=', 'waiting')
    .where('in_doubt_until', '>', 0)
    .execute()
}

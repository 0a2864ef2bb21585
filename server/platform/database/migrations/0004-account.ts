import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'

/** Fields of a provider's report that identify a person; the tax record needs none of them. */
const personal = new Set([
  'billing_data',
  'shipping_data',
  'customer',
  'phones',
  'company_emails',
  'card_num',
  'first_name',
  'last_name',
  'email',
  'phone_number',
])

function withoutPerson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPerson)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !personal.has(name))
      .map(([name, inner]) => [name, withoutPerson(inner)]),
  )
}

const rowsAtOnce = 200

/** Sessions get a public id and a device, users can be deleted, and stored reports lose their personal fields. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const { schema } = kysely
  await schema.alterTable('users').addColumn('deleted_at', 'bigint').execute()

  await schema
    .alterTable('sessions')
    .addColumn('id', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await schema
    .alterTable('sessions')
    .addColumn('device', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  for (const { token_hash } of await kysely.selectFrom('sessions').select('token_hash').execute())
    await kysely
      .updateTable('sessions')
      .set({ id: randomUUID() })
      .where('token_hash', '=', token_hash)
      .execute()
  await schema.createIndex('sessions_id').on('sessions').column('id').unique().execute()

  for (let after = 0; ; ) {
    const events = await kysely
      .selectFrom('payment_events')
      .select(['id', 'body'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    for (const { id, body } of events)
      await kysely
        .updateTable('payment_events')
        .set({ body: JSON.stringify(withoutPerson(JSON.parse(body))) })
        .where('id', '=', id)
        .execute()
    const last = events.at(-1)
    if (last === undefined) break
    after = last.id
  }
}

import type { Kysely } from 'kysely'

/** Schedules refunds of the wrong amounts that earlier builds left to an operator. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>): Promise<void> {
  const { schema } = kysely
  await schema
    .alterTable('refunds')
    .addColumn('currency', 'text', (column) => column.notNull().defaultTo('SAR'))
    .execute()
  await schema.createIndex('refunds_attempt').on('refunds').column('attempt_id').execute()

  const waiting = await kysely
    .selectFrom('payment_events as taken')
    .select([
      'taken.transaction_id',
      'taken.attempt_id',
      'taken.amount_halalas',
      'taken.currency',
      'taken.received_at',
    ])
    .where('taken.kind', '=', 'succeeded')
    .where('taken.outcome', '=', 'amount-mismatch')
    .where('taken.attempt_id', 'is not', null)
    .execute()
  for (const { transaction_id, attempt_id, amount_halalas, currency, received_at } of waiting)
    await kysely
      .insertInto('refunds')
      .values({
        transaction_id,
        attempt_id,
        amount_halalas,
        currency,
        reason: 'wrong-amount',
        // The worker reads the transaction first: one that an operator has refunded meanwhile is done at once.
        state: 'due',
        tries: 0,
        next_try_at: received_at,
        created_at: received_at,
      })
      .onConflict((conflict) => conflict.column('transaction_id').doNothing())
      .execute()
}

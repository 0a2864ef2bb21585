import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { addColumn, addIndex, dropIndex } from '../schema-changes.ts'

export const isOnline = true

/** A receipt is numbered with its payment; `document` is empty until it is written. One order may have several payments. */
// biome-ignore lint/suspicious/noExplicitAny: a step works on tables as they were at its time
export async function up(kysely: Kysely<any>, engine: Engine): Promise<void> {
  // Null in rows of earlier builds: their documents name it.
  await addColumn(kysely, engine, 'receipts', 'transaction_id', sql`text`)
  await addColumn(kysely, engine, 'receipts', 'reason', sql`text`)
  await addIndex(kysely, engine, 'receipts_once_per_payment', {
    table: 'receipts',
    columns: ['order_id', 'transaction_id', 'returned_halalas'],
    isUnique: true,
  })
  await dropIndex(kysely, engine, 'receipts_once')
  await addIndex(kysely, engine, 'receipts_unwritten', {
    table: 'receipts',
    columns: ['number'],
    where: "document = ''",
  })
}

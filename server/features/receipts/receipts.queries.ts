import { sql } from 'kysely'
import { sendEvent } from '#server/features/history/history.ts'
import type { QueryCore } from '#server/platform/core.ts'
import type { Moment } from '#server/platform/database/leases.ts'
import { preparedForEach } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'

export type ReceiptRow = Row<'receipts'>
export type GapRow = Row<'receipt_gaps'>

/** Only tests set `issued_at`; otherwise it is the database's time. */
export interface NewReceipt extends Omit<ReceiptRow, 'number' | 'issued_at' | 'document'> {
  readonly issued_at?: Moment
}

const counterId = 1

// SQL that uses a partial index must contain literals, not parameters.
const unwritten = sql.lit('')

const receipts = ({ database }: QueryCore) => database.tables.selectFrom('receipts').selectAll()

/**
 * Needs a transaction, and must come last in it: other payments wait for the locked counter. A rollback returns the
 * number, so numbers have no gaps and follow the order of commits.
 */
export async function addReceipt({ database }: QueryCore, receipt: NewReceipt): Promise<number> {
  database.assertTransaction()
  const { last_number: number } = await database.tables
    .insertInto('receipt_counters')
    .values({ id: counterId, last_number: 1 })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((row) => ({ last_number: row('receipt_counters.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow()
  await database.send(
    database.tables
      .insertInto('receipts')
      // The database reads its time while the counter is locked, so that times follow the numbers.
      .values({ issued_at: database.now(), ...receipt, number, document: '' }),
  )
  await sendEvent(
    { database },
    {
      kind: 'receipt-issued',
      data: {
        number,
        receipt: receipt.kind,
        corrects: receipt.corrects,
        halalas: receipt.amount_halalas,
      },
      by: { kind: 'system' },
      orderId: receipt.order_id,
    },
  )
  return number
}

export const findUnwrittenReceipt = (core: QueryCore): Promise<ReceiptRow | undefined> =>
  receipts(core).where('document', '=', unwritten).orderBy('number').limit(1).executeTakeFirst()

export const writeReceiptDocument = (
  { database }: QueryCore,
  number: number,
  document: string,
): Promise<boolean> =>
  database.wins(
    database.tables
      .updateTable('receipts')
      .set({ document })
      .where('number', '=', number)
      .where('document', '=', unwritten),
  )

export async function readUnwrittenReceipts({
  database,
}: QueryCore): Promise<{ count: number; oldest: number | null }> {
  const { count, oldest } = await database.tables
    .selectFrom('receipts')
    .select((rows) => [rows.fn.countAll<number>().as('count'), rows.fn.min('issued_at').as('oldest')])
    .where('document', '=', unwritten)
    .executeTakeFirstOrThrow()
  return {
    count: Number(count),
    oldest: oldest === null ? null : Number(oldest),
  }
}

export async function listReceiptsOfOrder(core: QueryCore, orderId: number): Promise<ReceiptRow[]> {
  const rows = await receipts(core).where('order_id', '=', orderId).execute()
  return rows.sort((one, other) => one.number - other.number)
}

const ofOrders = preparedForEach(({ database }: QueryCore, orderIds: readonly number[]) =>
  database.tables
    .selectFrom('receipts')
    .select(['number', 'kind', 'order_id', 'transaction_id', 'corrects', 'amount_halalas'])
    .select(['returned_halalas', 'reason', 'issued_at', 'uuid'])
    .where('order_id', 'in', orderIds),
)

export async function listReceiptsOfOrders(
  core: QueryCore,
  orderIds: readonly number[],
): Promise<Omit<ReceiptRow, 'document'>[]> {
  const rows = await ofOrders(core, orderIds)
  return rows.sort((one, other) => one.number - other.number)
}

export async function listReceiptNumbers(
  { database }: QueryCore,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await database.tables
    .selectFrom('receipts')
    .select('number')
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map(({ number }) => number)
}

export async function findLastReceiptNumber({ database }: QueryCore): Promise<number> {
  const row = await database.tables
    .selectFrom('receipt_counters')
    .select('last_number')
    .where('id', '=', counterId)
    .executeTakeFirst()
  return row?.last_number ?? 0
}

export const listReceiptGaps = ({ database }: QueryCore): Promise<GapRow[]> =>
  database.tables.selectFrom('receipt_gaps').selectAll().orderBy('first_number').execute()

import { type Selectable, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { emptyChain } from '#server/platform/database/numbers.ts'
import { deletePiece } from '#server/platform/database/pieces.ts'
import type { ReceiptKind } from '#shared/receipts/receipts.schemas.ts'

interface ReceiptsTable {
  /** The counter of phase 2, too. */
  number: number
  kind: ReceiptKind
  order_id: number
  /** The number of the corrected receipt. */
  corrects: number | null
  amount_halalas: number
  /** Of a correction: all that has been returned of the receipt up to here; otherwise 0. */
  returned_halalas: number
  issued_at: number
  uuid: string
  /** `hash` of the receipt before it. */
  previous_hash: string
  /** SHA-256 of `document`, in hex. */
  hash: string
  /** JSON of everything that is printed, frozen. */
  document: string
}

interface CountersTable {
  id: number
  last_number: number
  last_hash: string
}

interface GapsTable {
  first_number: number
  last_number: number
  recorded_at: number
}

interface Tables {
  receipts: ReceiptsTable
  receipt_counters: CountersTable
  receipt_gaps: GapsTable
}

export type ReceiptRow = Selectable<ReceiptsTable>
/** Numbers that a restore has left out. */
export type GapRow = Selectable<GapsTable>

export type NewReceipt = Omit<ReceiptRow, 'number' | 'previous_hash'>

export type ReceiptsStore = ReturnType<typeof createReceiptsStore>

/** The only row of the counter. */
const counterId = 1

/** Receipts with the next number of one sequence. Money is halalas, times are epoch milliseconds. */
export function createReceiptsStore(database: Database) {
  const tables = () => database.tables<Tables>()

  return {
    /**
     * Stores the receipt that `make` returns for the next number. The counter is locked until the surrounding transaction
     * ends, and a rollback takes the number back: numbers have no gaps and follow the order of commits. Call it last in a
     * transaction, so that other payments wait for as short a time as possible.
     */
    addReceipt(make: (number: number, previousHash: string) => NewReceipt): Promise<number> {
      return database.transaction(async () => {
        const { last_number: number, last_hash: previousHash } = await tables()
          .insertInto('receipt_counters')
          .values({ id: counterId, last_number: 1, last_hash: emptyChain })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet((row) => ({ last_number: row('receipt_counters.last_number', '+', 1) })),
          )
          .returning(['last_number', 'last_hash'])
          .executeTakeFirstOrThrow()
        const row = make(number, previousHash)
        await tables()
          .insertInto('receipts')
          .values({ ...row, number, previous_hash: previousHash })
          .execute()
        await tables()
          .updateTable('receipt_counters')
          .set({ last_hash: row.hash })
          .where('id', '=', counterId)
          .execute()
        return number
      })
    },

    /** The receipts of an order, the oldest first. */
    listOfOrder(orderId: number): Promise<ReceiptRow[]> {
      return (
        tables()
          .selectFrom('receipts')
          .selectAll()
          .where('order_id', '=', orderId)
          // The order of the numbers, by the index that finds them.
          .orderBy('returned_halalas')
          .execute()
      )
    },

    /** Without their documents. */
    async listOfOrders(orderIds: readonly number[]): Promise<Omit<ReceiptRow, 'document'>[]> {
      if (orderIds.length === 0) return []
      const rows = await tables()
        .selectFrom('receipts')
        .select(['number', 'kind', 'order_id', 'corrects', 'amount_halalas', 'returned_halalas'])
        .select(['issued_at', 'uuid', 'previous_hash', 'hash'])
        .where('order_id', 'in', [...orderIds])
        .execute()
      return rows.sort((one, other) => one.number - other.number)
    },

    /** Receipts with a number above `after`, in order. */
    listAfter(after: number, limit: number): Promise<ReceiptRow[]> {
      return tables()
        .selectFrom('receipts')
        .selectAll()
        .where('number', '>', after)
        .orderBy('number')
        .limit(limit)
        .execute()
    },

    /** The last number that was given out; 0 before the first. */
    async findLastNumber(): Promise<number> {
      const row = await tables()
        .selectFrom('receipt_counters')
        .select('last_number')
        .where('id', '=', counterId)
        .executeTakeFirst()
      return row?.last_number ?? 0
    },

    listGaps(): Promise<GapRow[]> {
      return tables().selectFrom('receipt_gaps').selectAll().orderBy('first_number').execute()
    },

    /** Deletes at most `limit` receipts issued before `before`, the oldest first; returns how many. */
    deleteIssuedBefore(before: number, limit: number): Promise<number> {
      return deletePiece(database, {
        from: 'receipts',
        where: sql`issued_at < ${before}`,
        by: 'issued_at',
        limit,
      })
    },
  }
}

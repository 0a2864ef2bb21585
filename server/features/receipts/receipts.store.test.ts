import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import type { Database } from '#server/platform/database/database.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { newReceipt, orderRow } from '#test/kit/orders/stored-orders.ts'
import {
  addReceipt,
  findLastReceiptNumber,
  findUnwrittenReceipt,
  listReceiptGaps,
  listReceiptNumbers,
  listReceiptsOfOrder,
  listReceiptsOfOrders,
  type NewReceipt,
  readUnwrittenReceipts,
  writeReceiptDocument,
} from './receipts.queries.ts'
import { checkSequence } from './sequence.ts'

const noon = 1_800_000_000_000

forEachEngine((_engine, open) => {
  let database: Database
  let core: { database: Database }
  beforeEach(async () => {
    database = await open()
    core = { database }
    await insert('users', { id: 1, phone: '+966550000001', name: 'Maryam', created_at: noon })
    for (let id = 1; id <= 40; id += 1) await insert('orders', { ...orderRow, id, user_id: 1 })
  })
  const insert = (table: string, values: object) =>
    database.tables
      .insertInto(table as never)
      .values(values as never)
      .execute()

  const addBare = (orderId: number, change?: Partial<NewReceipt>) =>
    addReceipt(core, newReceipt(orderId, { issued_at: noon, ...change }))
  const writeAll = async () => {
    for (;;) {
      const receipt = await findUnwrittenReceipt(core)
      if (receipt === undefined) return
      await writeReceiptDocument(core, receipt.number, JSON.stringify({ number: receipt.number }))
    }
  }
  /** In a transaction, like payments, and written. */
  const add = async (orderId: number, change?: Partial<NewReceipt>) => {
    const number = await database.transaction(() => addBare(orderId, change))
    await writeAll()
    return number
  }

  describe('stores and finds', () => {
    it('receipts by order, the oldest first', async () => {
      expect(await add(7)).toBe(1)
      expect(await add(8)).toBe(2)
      expect(await add(7, { corrects: 1, returned_halalas: 5_000, kind: 'credit-note' })).toBe(3)
      expect(await listEvents(core, 'order_id', [7])).toMatchObject([
        { kind: 'receipt-issued', data: { number: 1, receipt: 'invoice', corrects: null } },
        { kind: 'receipt-issued', data: { number: 3, receipt: 'credit-note', corrects: 1 } },
      ])
      const own = await listReceiptsOfOrder(core, 7)
      expect(own.map(({ number, kind, corrects }) => [number, kind, corrects])).toEqual([
        [1, 'invoice', null],
        [3, 'credit-note', 1],
      ])
      expect((await listReceiptsOfOrders(core, [8, 7])).map(({ number }) => number)).toEqual([1, 2, 3])
      expect(await listReceiptsOfOrders(core, [])).toEqual([])
    })

    it('pages in the order of the numbers, and the last number given out', async () => {
      expect(await findLastReceiptNumber(core)).toBe(0)
      for (const orderId of [1, 2, 3]) await add(orderId)
      expect(await listReceiptNumbers(core, 1, 1)).toEqual([2])
      expect(await findLastReceiptNumber(core)).toBe(3)
      expect(await listReceiptGaps(core)).toEqual([])
    })
  })

  describe('the sequence', () => {
    it('takes a number back with the transaction that is rolled back', async () => {
      await add(1)
      const failed = database.transaction(async () => {
        await addBare(2)
        throw new Error('the payment was not stored')
      })
      await expect(failed).rejects.toThrow('not stored')
      expect(await add(3)).toBe(2)
      expect(await checkSequence(core)).toMatchObject({ count: 2, last: 2, faults: [] })
    })

    it('has no gap and no number twice under concurrent payments, of which some fail', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const before = await findLastReceiptNumber(core)
        const orders = Array.from({ length: 12 }, (_, index) => round * 12 + index + 1).filter(
          (id) => id <= 40,
        )
        const results = await Promise.allSettled(
          orders.map((orderId) =>
            database.transaction(async () => {
              const number = await addBare(orderId)
              if (orderId % 3 === 0) throw new Error('rolled back')
              return number
            }),
          ),
        )
        const numbers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
        expect(numbers.sort((one, other) => one - other)).toEqual(
          numbers.map((_, index) => before + index + 1),
        )
        await Promise.all([writeAll(), writeAll(), writeAll()])
        expect((await checkSequence(core)).faults).toEqual([])
      }
    })

    it('refuses a second receipt of a payment, and a second correction of one sum, without using up a number', async () => {
      await add(1)
      await expect(add(1)).rejects.toThrow()
      await add(1, { corrects: 1, returned_halalas: 2_000 })
      await expect(add(1, { corrects: 1, returned_halalas: 2_000 })).rejects.toThrow()
      expect(await findLastReceiptNumber(core)).toBe(2)
    })
  })

  describe('a document', () => {
    it('is missing until it is written, the lowest number first', async () => {
      await add(1)
      for (const orderId of [2, 3, 4]) await database.transaction(() => addBare(orderId))
      expect(await findUnwrittenReceipt(core)).toMatchObject({ number: 2, order_id: 2 })
      expect(await readUnwrittenReceipts(core)).toEqual({ count: 3, oldest: noon })
      expect(await checkSequence(core)).toMatchObject({ count: 4, unwritten: 3, faults: [] })
      await writeAll()
      expect(await findUnwrittenReceipt(core)).toBeUndefined()
      expect(await readUnwrittenReceipts(core)).toEqual({ count: 0, oldest: null })
      expect(await checkSequence(core)).toMatchObject({ count: 4, unwritten: 0, faults: [] })
    })

    it('is the one that the first of several writers gave it, and never changes', async () => {
      const number = await database.transaction(() => addBare(1))
      const texts = ['{"by":1}', '{"by":2}', '{"by":3}']
      const won = await Promise.all(texts.map((text) => writeReceiptDocument(core, number, text)))
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await writeReceiptDocument(core, number, '{"by":4}')).toBe(false)
      expect(await listReceiptsOfOrder(core, 1)).toMatchObject([{ document: texts[won.indexOf(true)] }])
    })
  })

  describe('the check of the sequence', () => {
    const remove = async (number: number) =>
      void (await database.tables.deleteFrom('receipts').where('number', '=', number).execute())

    beforeEach(async () => {
      for (const orderId of [1, 2, 3, 4]) await add(orderId, { issued_at: noon + orderId })
    })

    it('finds a missing number, in the middle and at the end', async () => {
      await remove(2)
      expect((await checkSequence(core)).faults).toEqual(['missing: 2'])
      await remove(4)
      expect((await checkSequence(core)).faults).toEqual(['missing: 2', 'missing: 4'])
    })

    it('accepts numbers that a restore left out, and rows deleted at the end of their time', async () => {
      await insert('receipt_gaps', { first_number: 5, last_number: 104, recorded_at: noon })
      await database.tables.updateTable('receipt_counters').set({ last_number: 104 }).execute()
      expect((await checkSequence(core)).faults).toEqual([])
      expect(await add(5, { issued_at: noon + 105 })).toBe(105)
      await database.tables
        .deleteFrom('receipts')
        .where('issued_at', '<', noon + 3)
        .execute()
      expect(await checkSequence(core)).toMatchObject({ count: 3, last: 105, faults: [] })
    })
  })
})

import { expect, it, onTestFinished } from 'vitest'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { newReceipt, orderRow } from '#test/kit/orders/stored-orders.ts'
import { addReceipt } from './receipts.queries.ts'
import { checkSequence } from './sequence.ts'

it('reads all receipts, however many there are, and finds the fault near their end', async () => {
  const database = await openMemory()
  onTestFinished(() => database.close())
  const user = {
    id: 1,
    phone: '+966550000001',
    name: 'Maryam',
    created_at: 0,
  }
  await database.tables.insertInto('users').values(user).execute()
  await database.tables
    .insertInto('orders')
    .values({ ...orderRow, type: 'FROM_MINA', payment: 'paid', user_id: 1 })
    .execute()
  await database.transaction(async () => {
    for (let number = 1; number <= 1_500; number += 1)
      await addReceipt({ database }, newReceipt(orderRow.id, { transaction_id: String(number) }))
  })
  await database.tables.deleteFrom('receipts').where('number', '=', 1_400).execute()
  expect(await checkSequence({ database })).toMatchObject({ count: 1_499, faults: ['missing: 1400'] })
})

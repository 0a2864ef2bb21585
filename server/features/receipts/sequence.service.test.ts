import { expect, it } from 'vitest'
import { hashOf } from './receipts.rules.ts'
import type { ReceiptRow } from './receipts.store.ts'
import { checkSequence } from './sequence.service.ts'

const hash = hashOf('document')

it('reads all receipts, however many there are, and finds the fault near their end', async () => {
  const rows = Array.from(
    { length: 1_500 },
    (_, at) => ({ number: at + 1, document: 'document', hash, previous_hash: hash }) as ReceiptRow,
  ).filter(({ number }) => number !== 1_400)
  const store = {
    listAfter: async (after: number, limit: number) =>
      rows.filter(({ number }) => number > after).slice(0, limit),
    listGaps: async () => [],
    findLastNumber: async () => 1_500,
  }
  expect(await checkSequence(store)).toMatchObject({ count: 1_499, faults: ['missing: 1400'] })
})

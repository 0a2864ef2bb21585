import { expect, it } from 'vitest'
import { checkSequence } from './sequence.service.ts'

it('reads all receipts, however many there are, and finds the fault near their end', async () => {
  const numbers = Array.from({ length: 1_500 }, (_, at) => at + 1).filter((number) => number !== 1_400)
  const store = {
    listNumbersAfter: async (after: number, limit: number) =>
      numbers.filter((number) => number > after).slice(0, limit),
    listGaps: async () => [],
    findLastNumber: async () => 1_500,
    readUnwritten: async () => ({ count: 0, oldest: null }),
  }
  expect(await checkSequence(store)).toMatchObject({ count: 1_499, faults: ['missing: 1400'] })
})

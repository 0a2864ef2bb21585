import { expect, it } from 'vitest'
import { priceOf } from './checkout.rules.ts'

it.each([
  ['FROM_MINA', 5_000, 652],
  ['TO_MINA', 5_000, 652],
  ['TO_AND_FROM_MINA', 10_000, 1_304],
] as const)('prices %s at %i halalas, of which %i are VAT', (type, totalHalalas, vatHalalas) => {
  expect(priceOf(type)).toMatchObject({ totalHalalas, vatHalalas })
})

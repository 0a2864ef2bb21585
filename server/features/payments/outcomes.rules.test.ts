import { expect, it } from 'vitest'
import { isReversalOfPayment } from './outcomes.rules.ts'
import type { PaymentReport } from './payments.rules.ts'

it.each([
  ['refunded', false, 'applied', true],
  ['voided', false, 'partial-refund', true],
  ['refunded', true, 'applied', false],
  ['refunded', false, 'noted', false],
  ['succeeded', false, 'applied', false],
] as const)(
  'a report %s, child %s, outcome %s, is a reversal of the payment: %s',
  (kind, isChild, outcome, expected) => {
    expect(isReversalOfPayment({ kind, isChild } as PaymentReport, outcome)).toBe(expected)
  },
)

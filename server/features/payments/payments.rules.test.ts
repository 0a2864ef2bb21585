import { describe, expect, it } from 'vitest'
import { day, minute, noon, second } from '#test/kit/clock.ts'
import {
  attemptRules,
  finalStep,
  inquiryDueAt,
  isExactAmount,
  kindOf,
  liveStates,
  nextInquiryStep,
  refundDelayMs,
  type TransactionFlags,
} from './payments.rules.ts'

const flags = (change: Partial<TransactionFlags> = {}): TransactionFlags => ({
  success: true,
  pending: false,
  error_occured: false,
  is_voided: false,
  is_refunded: false,
  has_parent_transaction: false,
  ...change,
})

describe('kindOf', () => {
  it.each<[string, Partial<TransactionFlags>, string]>([
    ['a plain success', {}, 'succeeded'],
    ['a decline', { success: false }, 'failed'],
    ['a decline with an error', { success: false, error_occured: true }, 'failed'],
    ['a success with an error', { error_occured: true }, 'failed'],
    ['one that is under way', { success: false, pending: true }, 'pending'],
    ['one that says success too early', { pending: true }, 'pending'],
    ['a success that was refunded', { is_refunded: true }, 'refunded'],
    ['a success that was voided', { is_voided: true }, 'voided'],
    ['one that was voided and refunded', { is_voided: true, is_refunded: true }, 'voided'],
    ['the child of a refund', { has_parent_transaction: true, is_refund: true }, 'refunded'],
    ['the child of a void', { has_parent_transaction: true, is_void: true }, 'voided'],
    ['the child of a capture', { has_parent_transaction: true }, 'captured'],
  ])('calls %s by its name', (_, change, kind) => {
    expect(kindOf(flags(change))).toBe(kind)
  })

  it('does not let a flag that nobody signed undo a payment', () => {
    expect(kindOf(flags({ is_refund: true, is_void: true }))).toBe('succeeded')
  })
})

describe('isExactAmount', () => {
  it.each([
    [5_000, 'SAR', true],
    [4_999, 'SAR', false],
    [5_001, 'SAR', false],
    [0, 'SAR', false],
    [5_000, 'EGP', false],
    [5_000, 'sar', false],
  ])('judges %i %s', (amountHalalas, currency, verdict) => {
    expect(isExactAmount({ amountHalalas, currency }, 5_000)).toBe(verdict)
  })
})

describe('attemptRules', () => {
  it('hands a secret out only while enough of its life is left to pay in', () => {
    expect(attemptRules.secretLifeMs - attemptRules.reuseMs).toBeGreaterThanOrEqual(10 * 60_000)
  })

  it('takes a process for dead only after it must have had its answer', () => {
    const slowestAnswerMs = 10_000
    expect(attemptRules.creatingMs).toBeGreaterThan(2 * slowestAnswerMs)
  })

  it('counts an attempt as alive until it is decided', () => {
    expect([...liveStates]).toEqual(['creating', 'open', 'unknown'])
  })
})

describe('inquiryDueAt', () => {
  it('is at 2, 5, 15, 60 and 75 minutes, then daily for a week, and then never', () => {
    const due = Array.from({ length: 13 }, (_, step) => inquiryDueAt(noon, step))
    expect(due.map((at) => at && at - noon)).toEqual([
      2 * minute,
      5 * minute,
      15 * minute,
      60 * minute,
      75 * minute,
      ...[1, 2, 3, 4, 5, 6, 7].map((days) => days * day),
      null,
    ])
  })

  it('lets an order expire only after the secret’s life and a grace', () => {
    expect((inquiryDueAt(noon, finalStep) ?? 0) - noon).toBeGreaterThan(attemptRules.secretLifeMs)
  })
})

describe('nextInquiryStep', () => {
  it.each([
    ['in time', 0, 2 * minute, 1],
    ['a little late', 0, 4 * minute, 1],
    ['so late that the next is due as well', 0, 6 * minute, 2],
    ['after half a day of standstill, but never past the one that lets it expire', 0, day / 2, finalStep],
    ['at the last before expiry', finalStep - 1, 70 * minute, finalStep],
    ['after the one that lets it expire', finalStep, 76 * minute, finalStep + 1],
    ['after days of standstill', finalStep, 3 * day, finalStep + 4],
    ['after the last', finalStep + 7, 8 * day, finalStep + 8],
  ])('goes on %s', (_, step, age, next) => {
    expect(nextInquiryStep(noon, step, noon + age)).toBe(next)
  })
})

describe('refundDelayMs', () => {
  it('doubles from three seconds to one hour', () => {
    const delays = [1, 2, 3, 10, 11, 12, 100].map((tries) => refundDelayMs(tries) / second)
    expect(delays).toEqual([3, 6, 12, 1_536, 3_072, 3_600, 3_600])
    expect(refundDelayMs(0)).toBe(3 * second)
  })
})

import { describe, expect, it } from 'vitest'
import { attemptRules, isExactAmount, kindOf, liveStates, type TransactionFlags } from './payments.rules.ts'

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

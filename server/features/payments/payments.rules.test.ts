import { describe, expect, it } from 'vitest'
import { paymentPollMs } from '#shared/orders/orders.rules.ts'
import { day, minute, noon, second } from '#test/kit/basics/clock.ts'
import {
  abandonedAfterMs,
  answerTimeoutMs,
  attemptRules,
  blocksPayment,
  finalStep,
  heldOutcomes,
  inquiryDueAt,
  isExactAmount,
  kindOf,
  nextInquiryStep,
  refundDelayMs,
  refundRules,
  returnOf,
  type TransactionFlags,
  unreadInquiryDelayMs,
  unresolvedOutcomes,
} from './payments.rules.ts'

const flags = (change: Partial<TransactionFlags> = {}): TransactionFlags => ({
  success: true,
  pending: false,
  error_occured: false,
  is_voided: false,
  is_refunded: false,
  has_parent_transaction: false,
  is_auth: false,
  is_capture: false,
  ...change,
})

describe('kindOf', () => {
  it.each<[string, Partial<TransactionFlags>, string]>([
    ['a plain success', {}, 'succeeded'],
    ['a decline', { success: false }, 'failed'],
    ['a decline with an error', { success: false, error_occured: true }, 'failed'],
    ['a success with an error', { error_occured: true }, 'failed'],
    ['one that is under way', { success: false, pending: true }, 'pending'],
    ['a pending one with the success flag', { pending: true }, 'pending'],
    ['a success that was refunded', { is_refunded: true }, 'refunded'],
    ['a success that was voided', { is_voided: true }, 'voided'],
    ['one that was voided and refunded', { is_voided: true, is_refunded: true }, 'voided'],
    ['the child of a refund', { has_parent_transaction: true, is_refund: true }, 'refunded'],
    ['the child of a void', { has_parent_transaction: true, is_void: true }, 'voided'],
    ['the child of a capture', { has_parent_transaction: true }, 'captured'],
    ['an authorisation, which charges nothing', { is_auth: true }, 'pending'],
    ['an authorisation that was voided', { is_auth: true, is_voided: true }, 'voided'],
    ['an authorisation and capture in one', { is_auth: true, is_capture: true }, 'succeeded'],
  ])('names the kind of %s', (_, change, kind) => {
    expect(kindOf(flags(change))).toBe(kind)
  })

  it('does not let an unsigned flag reverse a payment', () => {
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
  ])('compares %i %s', (amountHalalas, currency, outcome) => {
    expect(isExactAmount({ amountHalalas, currency }, 5_000)).toBe(outcome)
  })
})

it('the times of a payment outlast the provider’s time to answer, and fit the polls of its page', () => {
  expect(refundRules.leaseMs).toBeGreaterThan(2 * answerTimeoutMs)
  expect(attemptRules.creatingMs).toBeGreaterThan(2 * answerTimeoutMs)
  expect(attemptRules.inquiryGapMs).toBeLessThanOrEqual(paymentPollMs)
  expect(attemptRules.pageWaitMs).toBeLessThan(paymentPollMs)
})

describe('inquiryDueAt', () => {
  it('is at 2, 5, 15, 60 and 75 minutes, then daily for a week, then never', () => {
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

  it('expires an order only after the secret’s life and a grace period', () => {
    expect((inquiryDueAt(noon, finalStep) ?? 0) - noon).toBeGreaterThan(attemptRules.secretLifeMs)
  })
})

describe('nextInquiryStep', () => {
  it.each([
    ['in time', 0, 2 * minute, 1],
    ['a little late', 0, 4 * minute, 1],
    ['so late that the next is due as well', 0, 6 * minute, 2],
    [
      'after half a day without a worker, but never past the one that expires the order',
      0,
      day / 2,
      finalStep,
    ],
    ['at the last before expiry', finalStep - 1, 70 * minute, finalStep],
    ['after the one that expires the order', finalStep, 76 * minute, finalStep + 1],
    ['after days without a worker', finalStep, 3 * day, finalStep + 4],
    ['after the last', finalStep + 7, 8 * day, finalStep + 8],
  ])('continues %s', (_, step, age, next) => {
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

describe('returnOf', () => {
  it.each([
    ['succeeded', null, 'none'],
    ['succeeded', 'unreadable', 'none'],
    ['voided', 'unreadable', 'whole'],
    ['refunded', null, 'whole'],
    ['refunded', 0, 'whole'],
    ['refunded', 1, 'part'],
    ['refunded', 4_999, 'part'],
    ['refunded', 5_000, 'whole'],
    ['refunded', 'unreadable', 'unclear'],
  ] as const)('reads %s with %j returned', (kind, refundedHalalas, returned) => {
    expect(returnOf({ kind, refundedHalalas, amountHalalas: 5_000 })).toBe(returned)
  })
})

describe('unreadInquiryDelayMs', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [59, 59],
    [60, 60],
    [day / minute, 60],
  ])('of what has been due for %i minutes is %i minutes', (due, wait) => {
    expect(unreadInquiryDelayMs(noon, noon + due * minute)).toBe(wait * minute)
  })
})

describe('an outcome', () => {
  it('that holds a payment keeps the account unsettled', () => {
    expect(heldOutcomes).toEqual(['reference-mismatch'])
    // A held payment that is reported again must be classified again.
    expect(unresolvedOutcomes).toEqual(expect.arrayContaining([...heldOutcomes]))
  })
})

describe('abandonedAfterMs', () => {
  it('is a day later than the last inquiry of the schedule', () => {
    let last = 0
    for (let step = 0, dueAt = inquiryDueAt(0, step); dueAt !== null; dueAt = inquiryDueAt(0, step)) {
      last = dueAt
      step += 1
    }
    expect(abandonedAfterMs).toBe(last + day)
  })
})

describe('blocksPayment', () => {
  const refund = (change: Partial<Parameters<typeof blocksPayment>[0][number]> = {}) => ({
    transaction_id: '1',
    reason: 'wrong-amount' as const,
    state: 'done' as const,
    amount_halalas: 4_900,
    done_at: 100,
    written_off_at: null,
    ...change,
  })
  const writtenOff = refund({ written_off_at: 100 })

  it.each([
    ['wrong-amount', 'due', true],
    ['wrong-amount', 'uncertain', true],
    ['wrong-amount', 'asked', true],
    ['wrong-amount', 'done', false],
    ['second-payment', 'due', false],
    ['owner-deleted', 'due', false],
  ] as const)('of a refund for %s that is %s: %s', (reason, state, blocks) => {
    const row = refund({ reason, state, done_at: state === 'done' ? 100 : null })
    expect(blocksPayment([row])).toBe(blocks)
    expect(blocksPayment([refund({ reason: 'second-payment' }), row])).toBe(blocks)
  })

  it.each([
    ['nothing came back since', [], true],
    ['a part came back before', [refund({ amount_halalas: 1_000, done_at: 99 })], true],
    ['a part came back since', [refund({ amount_halalas: 4_899, done_at: 101 })], true],
    ['another payment came back since', [refund({ transaction_id: '2', done_at: 101 })], true],
    ['it was written off again', [refund({ written_off_at: 101, done_at: 101 })], true],
    ['all of it came back since', [refund({ done_at: 101 })], false],
  ] as const)('of a written-off refund where %s: %s', (_, others, blocks) => {
    expect(blocksPayment([writtenOff, ...others])).toBe(blocks)
  })

  it('is false without a refund, and with a written-off one of a second payment', () => {
    expect(blocksPayment([])).toBe(false)
    expect(blocksPayment([{ ...writtenOff, reason: 'second-payment' }])).toBe(false)
  })
})

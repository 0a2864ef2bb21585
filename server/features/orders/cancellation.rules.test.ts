import { describe, expect, it } from 'vitest'
import { cancellabilityOf, cancellablePaidSince } from './cancellation.rules.ts'

const hour = 60 * 60_000
const now = 1_800_000_000_000
const untilHandOver = { isOffered: true, hours: 0 }
const paid = { payment: 'paid', ended: null, paid_at: now - 3 * hour, handed_over: 'none' } as const

describe('the terms', () => {
  it('reach back to any payment, to one of the last hours, or to none', () => {
    expect(cancellablePaidSince(untilHandOver, now)).toBe(0)
    expect(cancellablePaidSince({ isOffered: true, hours: 2 }, now)).toBe(now - 2 * hour)
    expect(cancellablePaidSince({ isOffered: false, hours: 2 }, now)).toBeNull()
  })
})

describe('an order', () => {
  it('that is paid can be cancelled while every bag is with its owner', () => {
    expect(cancellabilityOf(paid, untilHandOver, now)).toBe('now')
    expect(cancellabilityOf({ ...paid, handed_over: 'some' }, untilHandOver, now)).toBe('ALREADY_HANDED_OVER')
    expect(cancellabilityOf({ ...paid, handed_over: 'all' }, untilHandOver, now)).toBe('ALREADY_HANDED_OVER')
  })

  it('that is paid can be cancelled as long as the operator offers it', () => {
    expect(cancellabilityOf(paid, { isOffered: true, hours: 3 }, now)).toBe('now')
    expect(cancellabilityOf(paid, { isOffered: true, hours: 2 }, now)).toBe('CANCELLATION_NOT_OFFERED')
    expect(cancellabilityOf(paid, { isOffered: false, hours: 0 }, now)).toBe('CANCELLATION_NOT_OFFERED')
  })

  it('that is unpaid can always be dropped', () => {
    const unpaid = { ...paid, payment: 'unpaid', paid_at: null } as const
    expect(cancellabilityOf(unpaid, { isOffered: false, hours: 0 }, now)).toBe('now')
  })

  it.each([
    { payment: 'unpaid', ended: 'expired' },
    { payment: 'returned', handed_over: 'void' },
    { payment: 'returned', handed_over: 'all' },
    // The whole refund is on its way, or the owner gave the carriage up.
    { handed_over: 'void' },
  ] as const)('that is %j has nothing to cancel', (state) => {
    expect(cancellabilityOf({ ...paid, ...state }, untilHandOver, now)).toBe('ended')
  })

  it('that is paid and was compensated is not cancelled by its owner', () => {
    expect(cancellabilityOf(paid, untilHandOver, now, 1)).toBe('promised')
    expect(cancellabilityOf({ ...paid, handed_over: 'all' }, untilHandOver, now, 1)).toBe(
      'ALREADY_HANDED_OVER',
    )
  })

  it.each(['unpaid', 'paid', 'returned'] as const)('that was cancelled and is %s stays so', (payment) => {
    expect(cancellabilityOf({ ...paid, payment, ended: 'cancelled' }, untilHandOver, now)).toBe('done')
  })
})

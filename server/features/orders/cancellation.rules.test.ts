import { describe, expect, it } from 'vitest'
import { cancellabilityOf, cancellablePaidSince } from './cancellation.rules.ts'

const hour = 60 * 60_000
const now = 1_800_000_000_000
const untilHandOver = { isOffered: true, hours: 0 }
const paid = { status: 'PAID', paid_at: now - 3 * hour, handed_over: 'none', cancelled_at: null } as const

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
    const unpaid = { ...paid, status: 'PENDING_PAYMENT', paid_at: null } as const
    expect(cancellabilityOf(unpaid, { isOffered: false, hours: 0 }, now)).toBe('now')
  })

  it.each(['EXPIRED', 'REFUNDED'] as const)('that is %s has nothing to cancel', (status) => {
    expect(cancellabilityOf({ ...paid, status }, untilHandOver, now)).toBe('ended')
  })

  it('that is paid and was compensated is not cancelled by its owner', () => {
    expect(cancellabilityOf(paid, untilHandOver, now, 1)).toBe('promised')
    expect(cancellabilityOf({ ...paid, handed_over: 'all' }, untilHandOver, now, 1)).toBe(
      'ALREADY_HANDED_OVER',
    )
  })

  it.each(['CANCELLED', 'REFUNDED'] as const)('that was cancelled and is %s stays so', (status) => {
    expect(cancellabilityOf({ ...paid, status, cancelled_at: now }, untilHandOver, now)).toBe('done')
  })
})

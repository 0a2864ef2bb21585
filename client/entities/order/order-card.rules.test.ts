import { expect, it } from 'vitest'
import { orderStatuses } from '#shared/orders/orders.schemas.ts'
import { knownStatus, missingAwb, toneOf } from './order-card.rules.ts'

it('knows today’s statuses only', () => {
  for (const status of orderStatuses) expect(knownStatus(status)).toBe(status)
  expect(knownStatus('ON_HOLD')).toBeUndefined()
})

it('is green for PAID, and yellow for everything else', () => {
  expect(['PAID', 'PENDING_PAYMENT', 'REFUNDED', 'ON_HOLD'].map(toneOf)).toEqual([
    'good',
    'waiting',
    'waiting',
    'waiting',
  ])
})

it('describes a missing airway bill by status', () => {
  expect(['PAID', 'PENDING_PAYMENT', 'EXPIRED'].map(missingAwb)).toEqual(['PAID', 'PENDING_PAYMENT', 'other'])
})

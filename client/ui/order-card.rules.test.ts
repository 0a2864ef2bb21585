import { expect, it } from 'vitest'
import { orderStatuses } from '#shared/orders/orders.schemas.ts'
import { knownStatus, missingAwb, toneOf } from './order-card.rules.ts'

it('knows the statuses of today and leaves others to be shown as they came', () => {
  for (const status of orderStatuses) expect(knownStatus(status)).toBe(status)
  expect(knownStatus('ON_HOLD')).toBeUndefined()
})

it('is green for what is paid, and yellow for everything else', () => {
  expect(['PAID', 'PENDING_PAYMENT', 'REFUNDED', 'ON_HOLD'].map(toneOf)).toEqual([
    'good',
    'waiting',
    'waiting',
    'waiting',
  ])
})

it('says of a missing airway bill only what the status makes sure', () => {
  expect(['PAID', 'PENDING_PAYMENT', 'EXPIRED'].map(missingAwb)).toEqual(['PAID', 'PENDING_PAYMENT', 'other'])
})

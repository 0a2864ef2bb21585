import { expect, it } from 'vitest'
import { paths } from './paths.ts'

it('carries the query names of the specification', () => {
  expect(paths.payment({ orderId: 42, clientSecret: 'a&b', publicKey: 'p' })).toBe(
    '/payment?clientSecret=a%26b&publicKey=p&orderId=42',
  )
  expect(paths.thankYou({ success: true, merchantOrderId: 'OD-42' })).toBe(
    '/thank-you?success=true&merchant_order_id=OD-42',
  )
  expect(paths.thankYou({ success: false })).toBe('/thank-you?success=false')
  expect(paths.order(42)).toBe('/orders/42')
  expect(paths.authThen('/orders?x=1')).toBe('/auth?next=%2Forders%3Fx%3D1')
})

import { expect, it } from 'vitest'
import { appError } from './reports.rules.ts'

const stack = `TypeError: x is undefined
    at Row (https://amtiati.example/assets/orders.page-CMSQFPZz.js:12:3456)
    at https://amtiati.example/payment?clientSecret=hush:1:2`
const of = (change: Partial<Parameters<typeof appError>[0]>) =>
  appError({ message: '', stack: '', path: '/', release: '', ...change })

it('says what failed and where', () => {
  const message = "Cannot read properties of undefined (reading 'bookings')"
  expect(of({ message, stack, path: '/orders', release: '0123456789abcdef' })).toEqual({
    message,
    stack: expect.stringContaining('at Row (/assets/orders.page-CMSQFPZz.js:12:3456)'),
    path: '/orders',
    release: '0123456789abcdef',
  })
})

it.each([
  `Unexpected token 'M', "Maryam Al-"... is not valid JSON`,
  'No user +966 50 123 4567',
  'order 290012345678 is gone',
  'فاطمة is not a function',
  `bad secret ${'h'.repeat(43)}`,
  'Failed to fetch https://amtiati.example/thank-you?merchant_order_id=4242',
])('says nothing of a person: %s', (message) => {
  const said = JSON.stringify([of({ message }), of({ stack: message })])
  expect(said).not.toMatch(/Maryam|966|123 4567|290012345678|فاطمة|hhhh|4242/)
})

it('names the page, not what its address holds, also when it is read again', () => {
  const token = 'T'.repeat(43)
  expect(of({ path: `/track/${token}` }).path).toBe('/track/:token')
  expect(of({ path: of({ path: '/orders/42' }).path }).path).toBe('/orders/:id')
  expect(of({ path: '/Maryam' }).path).toBe('other')
  expect(of({ stack }).stack).not.toContain('hush')
})

it('is bounded', () => {
  const error = of({ message: 'a b '.repeat(1_000), stack: 'a b '.repeat(10_000), release: 'x'.repeat(100) })
  expect(error).toMatchObject({ release: '', path: '/' })
  expect(error.message.length + error.stack.length).toBe(1_700)
})

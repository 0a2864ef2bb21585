import { describe, expect, it } from 'vitest'
import { readConfig } from '#shared/config/config.operations.ts'
import { listUserOrders, readOrder, readOrderEvents } from '#shared/orders/orders.operations.ts'
import { readAgentSession, readUserSession } from '#shared/sessions/sessions.operations.ts'
import { bookingOf, configOf, orderOf } from '#test/builders/answer.builder.ts'
import { compiledChecks } from './answer-checks.plugin.ts'
import { hasShape } from './answer-checks.ts'
import { answerShapes } from './answer-shape.ts'

/** The checks that the build writes. The browser runs them as a module: its policy forbids what this test does. */
const compiled = new Function(
  compiledChecks(answerShapes).replace('export const hasShape =', 'return'),
)() as typeof hasShape

const person = { name: 'Amina', phone: '+966501234567' }
const order = orderOf({ bookings: [bookingOf()] })

describe.each([
  ['by TypeBox', hasShape],
  ['as the build compiles them', compiled],
])('the checks of answers, %s', (_, check) => {
  it.each([
    ['a session', readUserSession, { success: true, userId: 7, ...person }],
    ['an agent’s session', readAgentSession, { success: true, agentId: 3, ...person }],
    ['no session', readUserSession, { success: false }],
    ['the configuration', readConfig, configOf()],
    ['an order', readOrder, { success: true, order }],
    ['a notice of an order', readOrderEvents, { orderId: 1 }],
    ['no orders', listUserOrders, { success: true, orders: [], nextCursor: null }],
    ['an optional field of another kind', readOrder, { success: true, order: { ...order, amount: '50' } }],
    ['a field of a newer server', readUserSession, { success: true, userId: 7, ...person, since: '2026' }],
    ['a status of a newer server', readOrder, { success: true, order: { ...order, status: 'ON_HOLD' } }],
    [
      'a kind of booking of a newer server',
      readOrder,
      { success: true, order: { ...order, type: 'BY_AIR' } },
    ],
  ])('accept %s', (_what, operation, answer) => {
    expect(check(operation, answer)).toBe(true)
  })

  it.each([
    ['a session without a phone', readUserSession, { success: true, userId: 7, name: 'Amina' }],
    ['success alone', readAgentSession, { success: true }],
    ['a phone that is a number', readUserSession, { success: true, userId: 7, name: 'Amina', phone: 966 }],
    ['an order without bookings', readOrder, { success: true, order: { ...order, bookings: undefined } }],
    ['an order whose bag has no place', readOrder, { success: true, order: { ...order, bookings: [{}] } }],
    ['a configuration without a fare', readConfig, { ...configOf(), fare: undefined }],
    ['orders that are no list', listUserOrders, { success: true, orders: {}, nextCursor: null }],
  ])('refuse %s', (_what, operation, answer) => {
    expect(check(operation, answer)).toBe(false)
  })

  it.each(Object.keys(answerShapes))('refuse what is no answer of %s', (name) => {
    const [method, path = ''] = name.split(' ')
    for (const answer of [null, [], 'ok', {}, { success: true }])
      expect(check({ method: method as 'GET', path }, answer)).toBe(false)
  })
})

it('a check needs nothing but itself', () => {
  expect(compiledChecks(answerShapes)).not.toMatch(/\b(?:Guard|Hashing|External|Function|eval|import)\b/)
})

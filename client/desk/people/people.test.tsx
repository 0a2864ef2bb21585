// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDesk } from '#test/kit/render-desk.tsx'

const person = {
  userId: 7,
  name: 'فاطمة أ…',
  phone: '+966 ••••• 4678',
  language: 'ar',
  messages: true,
  wrongCodes: 0,
  isLocked: false,
  numberAsked: null,
  numberChange: null,
  codes: [],
  sessions: [],
  orders: [],
  claims: [],
}

it.each([
  [true, /“My old number is gone”/],
  [false, /Without an address: ask for order number and city/],
])('says how an account gets a new number; with an address: %s', async (hasEmail, way) => {
  openDesk('/people/7', {
    'GET /api/desk/people/7': { body: { success: true, person: { ...person, hasEmail } } },
  })
  expect(await screen.findByText(way)).toBeTruthy()
})

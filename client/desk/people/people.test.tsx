// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { deskPerson as person } from '#test/builders/desk.builder.ts'
import { openDesk } from '#test/kit/client/render-desk.tsx'

it.each([
  [true, /“My old number is gone”/],
  [false, /Without an address: ask for order number and city/],
])('says how an account gets a new number; with an address: %s', async (hasEmail, way) => {
  openDesk('/people/7', {
    'GET /api/desk/people/7': { body: { success: true, person: { ...person, hasEmail } } },
  })
  expect(await screen.findByText(way)).toBeTruthy()
})

// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDesk } from '#test/kit/render-desk.tsx'

const person = {
  ...{ userId: 7, name: 'فاطمة أ…', phone: '+966 ••••• 4678', language: 'ar', messages: true },
  ...{ hasEmail: false, wrongCodes: 0, isLocked: false, codes: [], sessions: [], orders: [], claims: [] },
}

const open = (roles: string[], more = {}) =>
  openDesk(
    '/people/7',
    { 'GET /api/desk/people/7': { body: { success: true, person: { ...person, ...more } } } },
    { roles },
  )
const stateOf = (name: RegExp) => {
  const button = screen.getByRole('button', { name })
  const why = document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent
  return [button.hasAttribute('disabled'), why]
}

it('what is not possible for a person says why, and what needs another role is not there', async () => {
  open(['lead'])
  await screen.findByText('Sign-in is open')
  expect(stateOf(/^Open the sign-in/)).toEqual([true, 'Not possible: the sign-in is open.'])
  expect(stateOf(/^End the sessions/)).toEqual([true, 'Not possible: signed in nowhere.'])
})

it('a locked number can be opened, sessions ended by a lead alone', async () => {
  open(['support'], { isLocked: true })
  await screen.findByText('Sign-in is locked')
  expect(stateOf(/^Open the sign-in/)).toEqual([false, undefined])
  expect(screen.queryByRole('button', { name: /^End the sessions/ })).toBeNull()
})

// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { deskPerson as person } from '#test/builders/desk.builder.ts'
import { openDesk } from '#test/kit/client/render-desk.tsx'

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

it('support asks for another number of a person, and reads that it waits for a second person', async () => {
  window.localStorage.clear()
  let numberAsked: object | null = null
  const { calls, person: user } = openDesk(
    '/people/7',
    {
      'GET /api/desk/people/7': () => ({ body: { success: true, person: { ...person, numberAsked } } }),
      'POST /api/desk/people/7/number': () => {
        numberAsked = { by: 'سارة', at: '2027-05-19T11:10:00.000Z' }
        return { status: 202, body: { success: true, approval: { approvalId: 9 } } }
      },
    },
    { roles: ['support'] },
  )
  await screen.findByText('Sign-in is open')
  await user.click(screen.getByRole('button', { name: 'Move to another number…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText(/^Reason/), 'lost the phone')
  const ok = dialog.getByRole('button', { name: 'Ask a second person' })
  await user.click(ok)
  await dialog.findByText('This field is required.')
  await user.type(dialog.getByLabelText(/^New number/), '+966512349999')
  await user.click(ok)
  await waitFor(() =>
    expect(stateOf(/^Move to/)).toEqual([true, 'Not possible: a move waits for a second person.']),
  )
  expect(screen.getByText(/^A move to another number waits for a second person/)).toBeTruthy()
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    phone: '+966512349999',
    reason: 'lost the phone',
  })
})

it.each([
  ['waiting', /^Moves to .*9999/],
  ['taken', /^The new number took the account/],
  ['cancelled', /that cancelled the last move/],
  ['replaced', /took the place of the last move/],
])('a move that is %s says so', async (state, words) => {
  const at = '2027-05-19T11:10:00.000Z'
  const phone = state === 'waiting' ? '+966 ••••• 9999' : null
  open(['money'], { numberChange: { state, phone, takesFrom: at, endsAt: at } })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Move to another number…' })).toBeNull()
})

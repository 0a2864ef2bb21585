// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDesk } from '#test/kit/render-desk.tsx'

it.each([
  ['2199-05-20T06:30', /^It stops on May 20, 06:30\.$/],
  ['', /^It is not sold any more\.$/],
])('a stop from “%s” on says since when nothing is sold', async (from, said) => {
  const stops = { body: { success: true, stops: [], revision: 1 } }
  const { person } = openDesk(
    '/stops',
    { 'GET /api/desk/stops': stops, 'PUT /api/desk/stops': stops },
    { roles: ['lead'] },
  )
  await person.click(await screen.findByRole('button', { name: 'Stop something…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.click(dialog.getByRole('radio', { name: 'Everything' }))
  fireEvent.change(dialog.getByLabelText(/^From/), { target: { value: from } })
  await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'The road is closed')
  await person.click(dialog.getByRole('button', { name: 'Stop selling' }))
  expect(await screen.findByText(said)).toBeTruthy()
})

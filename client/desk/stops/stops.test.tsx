// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDesk } from '#test/kit/client/render-desk.tsx'

it.each([
  ['2199-05-20T06:30', /^It stops on 20 May 2199, 06:30\.$/],
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

it('what is pressed again after a lost answer is the same request, though the list has the stop by then', async () => {
  const set = {
    what: 'all',
    text: { ar: 'موقوف اليوم.', en: 'Stopped today.' },
    isInForce: true,
    by: 'سارة',
    at: new Date().toISOString(),
    reason: 'The road is closed',
  }
  const answerOf = (...stops: object[]) => ({
    body: { success: true, stops, revision: String(stops.length) },
  })
  let tries = 0
  const { calls, person } = openDesk(
    '/stops',
    {
      'GET /api/desk/stops': () => (tries > 0 ? answerOf(set) : answerOf()),
      'PUT /api/desk/stops': () => (++tries > 1 ? answerOf(set) : undefined),
    },
    { roles: ['lead'] },
  )
  await person.click(await screen.findByRole('button', { name: 'Stop something…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.click(dialog.getByRole('radio', { name: 'Everything' }))
  await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'The road is closed')
  await person.click(dialog.getByRole('button', { name: 'Stop selling' }))
  // The list was read again.
  await screen.findByText('Stopped')
  await person.click(dialog.getByRole('button', { name: 'Stop selling' }))
  await screen.findByText('It is not sold any more.')
  const [first, again] = calls
    .filter(({ method }) => method === 'PUT')
    .map(({ headers, body }) => [headers['idempotency-key'], body])
  expect(first?.[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toEqual(first)
})

it('a stop of a branch is of the one that was found and chosen; without one nothing is sent', async () => {
  const stops = { body: { success: true, stops: [], revision: '1' } }
  const { calls, person } = openDesk(
    '/stops',
    {
      'GET /api/desk/stops': stops,
      'PUT /api/desk/stops': stops,
      'GET /api/partner/centers': {
        body: { success: true, centers: [{ code: 'R1', city: 'Riyadh', addressEN: 'Al Suwaidi' }] },
      },
    },
    { roles: ['lead'] },
  )
  await person.click(await screen.findByRole('button', { name: 'Stop something…' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.click(dialog.getByRole('radio', { name: 'A branch' }))
  await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'The road is closed')
  const branch = dialog.getByRole('combobox', { name: 'Which branch' })
  const ok = dialog.getByRole('button', { name: 'Stop selling' })
  await person.click(ok)
  await dialog.findByText('This field is required.')
  expect(document.activeElement).toBe(branch)
  await person.type(branch, 'Suwaidi')
  await person.click(await screen.findByTitle('Al Suwaidi (R1)'))
  await person.click(ok)
  await screen.findByText('It is not sold any more.')
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    stops: [{ what: 'branch', code: 'R1' }],
  })
})

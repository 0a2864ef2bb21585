// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openDesk } from '#test/kit/client/render-desk.tsx'
import type { StubbedRoute } from '#test/kit/client/render-page.tsx'

const pause = 'POST /api/desk/workers/refunds/pause'
const worker = { name: 'refunds', pausedAt: null, waiting: 12 }

async function openForm(answer: StubbedRoute) {
  const desk = openDesk(
    '/workers',
    { 'GET /api/desk/workers': { body: { success: true, workers: [worker] } }, [pause]: answer },
    { roles: ['lead'] },
  )
  await desk.person.click(await screen.findByRole('button', { name: 'Pause…' }))
  const dialog = within(await screen.findByRole('dialog'))
  const keys = () =>
    desk.calls.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key'])
  return {
    ...desk,
    dialog,
    keys,
    reason: dialog.getByRole('textbox'),
    ok: dialog.getByRole('button', { name: 'Pause' }),
  }
}

it('a fault of the form stands at its field, which has the focus, until it is changed; nothing is sent', async () => {
  const { person, dialog, calls, reason, ok } = await openForm({ body: { success: true } })
  await person.type(reason, ' why ')
  await person.click(ok)
  await dialog.findByText('At least 5 characters are needed here.')
  expect(document.activeElement).toBe(reason)
  expect(reason.getAttribute('aria-invalid')).toBe('true')
  await person.type(reason, ' not')
  await waitFor(() => expect(reason.getAttribute('aria-invalid')).toBeNull())
  expect(calls.some(({ method }) => method === 'POST')).toBe(false)
})

it('a fault that the server names stands at its field and nowhere else; one of no field below the form', async () => {
  const fields = [
    { field: 'reason', message: 'Write it in words.' },
    { field: 'over', message: 'This field is not known.' },
  ]
  const { person, dialog, reason, ok } = await openForm({
    status: 400,
    body: { success: false, code: 'INVALID_REQUEST', message: 'Some fields are wrong.', fields },
  })
  await person.type(reason, '12345')
  await person.click(ok)
  const alert = await dialog.findByText('Some fields are wrong.')
  expect(alert.closest('[role="alert"]')?.textContent).toBe('Some fields are wrong.This field is not known.')
  expect(dialog.getAllByText('Write it in words.')).toHaveLength(1)
  expect(document.activeElement).toBe(reason)
})

it('after a lost answer the same words go under the same key, and other words under another', async () => {
  const { person, dialog, keys, reason, ok } = await openForm(() => undefined)
  await person.type(reason, 'The provider is down')
  for (const sent of [1, 2]) {
    await person.click(ok)
    await waitFor(() => expect(keys()).toHaveLength(sent))
    await dialog.findByText('We could not connect. Check your network and try again.')
  }
  await person.type(reason, ' again')
  await person.click(ok)
  await waitFor(() => expect(keys()).toHaveLength(3))
  const [first, again, other] = keys()
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

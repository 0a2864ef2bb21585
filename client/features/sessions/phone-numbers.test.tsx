// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { sentCodeOf } from '#test/builders/answer.builder.ts'
import { noSession, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { AuthPage } from './auth.page.tsx'

/** The connection on which the chunk with the library of phone numbers arrives. */
const line = vi.hoisted(() => ({ arrival: Promise.withResolvers<void>() }))
vi.mock('./phone-numbers.ts', async (original) => {
  await line.arrival.promise
  return original()
})

const t = (key: string) => textOf('sessions', key)
const phone = () => screen.getByLabelText<HTMLInputElement>(t('phone'))
const country = () => screen.getByRole('button', { name: /^Country code:/ }).textContent

async function open() {
  const calls = stubGateway({
    ...noSession,
    'POST /api/auth/request-otp': {
      body: sentCodeOf(),
    },
  })
  renderPage(<AuthPage />)
  await waitFor(() => expect(calls.length).toBeGreaterThanOrEqual(2))
  const posted = () => calls.filter(({ path }) => path === '/api/auth/request-otp').map(({ body }) => body)
  return { person: userEvent.setup(), posted }
}

beforeEach(() => sessionStorage.clear())

// The tests run in this order: a chunk that has arrived stays loaded.
it('a library of numbers that cannot be loaded is reported, and what was typed is kept', async () => {
  line.arrival.reject(new TypeError('Failed to fetch dynamically imported module'))
  const { person, posted } = await open()
  await person.type(phone(), '0501234567')
  await person.click(screen.getByRole('button', { name: t('send') }))
  const unreachable = textOf('platform', 'unreachable')
  expect(await screen.findByText(unreachable)).toBeTruthy()
  expect(await screen.findByRole('button', { name: t('send') })).toBeTruthy()
  await person.click(screen.getByRole('button', { name: /^Country code:/ }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(phone().value).toBe('0501234567')
  expect(posted()).toEqual([])
})

it('a number typed before the library has come is sent once when it comes, and chooses its country', async () => {
  line.arrival = Promise.withResolvers()
  const { person, posted } = await open()
  await person.type(phone(), '٠٠20 100 123 4567')
  expect([phone().value, country()]).toEqual(['0020 100 123 4567', expect.stringContaining('SA +966')])
  await person.click(screen.getByRole('button', { name: t('send') }))
  await person.click(await screen.findByRole('button', { name: t('sending') }))
  expect(posted()).toEqual([])
  line.arrival.resolve()
  await waitFor(() => expect(posted()).toEqual([{ phone: '+201001234567' }]))
  await waitFor(() =>
    expect([phone().value, country()]).toEqual(['1001234567', expect.stringContaining('EG +20')]),
  )
})

// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, onTestFinished, vi } from 'vitest'
import { shareEndsAfterDays } from '#shared/shares/shares.operations.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { isBusy, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { ShareJourney } from './share-journey.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('share', key, values)
const url = `https://amtiati.example/track/${'A'.repeat(43)}`
const path = '/api/orders/42/share'
const bagTo = (city: string) => bookingOf({ destination: { city, coordinates: null } })
const madeAt = '2027-05-18T12:30:00.000Z'

async function openSheet(bookings = [bagTo('Riyadh')]) {
  renderPage(<ShareJourney order={orderOf({ bookings })} />)
  await userEvent.click(screen.getByRole('button', { name: t('open') }))
}
/** The button in the sheet, once the page knows whether a link works. */
const ready = async (key: string) => {
  const button = await screen.findByRole('button', { name: t(key) })
  await waitFor(() => expect(isBusy(button)).toBe(false))
  return button
}
const press = async (key: string) => userEvent.click(await ready(key))

/** The share sheet of the device. */
function stubShareSheet() {
  const share = vi.fn(async (_: ShareData) => undefined)
  Object.defineProperty(navigator, 'share', { configurable: true, value: share })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
  return share
}

it('makes the link and opens the share sheet by one press, sends the same link again, and ends it', async () => {
  const share = stubShareSheet()
  let createdAt: string | null = null
  const calls = stubGateway({
    [`GET ${path}`]: () => ({ body: { success: true, createdAt } }),
    [`POST ${path}`]: () => {
      createdAt = madeAt
      return { body: { success: true, url } }
    },
    [`DELETE ${path}`]: () => {
      createdAt = null
      return { body: { success: true } }
    },
  })
  await openSheet()
  expect(screen.getByText(t('seen', { count: shareEndsAfterDays }))).toBeTruthy()
  await ready('send')
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])
  await press('send')
  await waitFor(() => expect(share).toHaveBeenCalledTimes(1))
  expect(share.mock.lastCall?.[0].url).toBe(`${url}?city=Riyadh&lang=en`)
  await press('send')
  await waitFor(() => expect(share).toHaveBeenCalledTimes(2))
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
  await press('end')
  expect(await screen.findByText(t('ended'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('end') })).toBeNull()
})

it('without a share sheet offers WhatsApp and the clipboard, and names no city where the bags have two', async () => {
  stubGateway({
    [`GET ${path}`]: { body: { success: true, createdAt: null } },
    [`POST ${path}`]: { body: { success: true, url } },
  })
  // It brings a clipboard.
  userEvent.setup()
  await openSheet([bagTo('Riyadh'), bagTo('Makkah')])
  await press('send')
  const link = await screen.findByRole('link', { name: t('send') })
  expect(new URL(link.getAttribute('href') ?? '').searchParams.get('text')).toContain(`${url}?lang=en`)
  expect(screen.getByRole('button', { name: t('copy') })).toBeTruthy()
})

it('offers to end a link that was made elsewhere, and a new one in its place, which it sends again then', async () => {
  stubShareSheet()
  stubGateway({
    [`GET ${path}`]: { body: { success: true, createdAt: madeAt } },
    [`POST ${path}`]: { body: { success: true, url } },
  })
  await openSheet()
  await ready('replace')
  expect(screen.getByRole('button', { name: t('end') })).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('send') })).toBeNull()
  await press('replace')
  await ready('send')
  expect(screen.queryByRole('button', { name: t('replace') })).toBeNull()
})

it('says why no link was made', async () => {
  stubGateway({
    [`GET ${path}`]: { body: { success: true, createdAt: null } },
    [`POST ${path}`]: problem(429, 'TOO_MANY_CALLS', 'Too often.'),
  })
  await openSheet()
  await press('send')
  expect((await screen.findByRole('alert')).textContent).toBe('Too often.')
})

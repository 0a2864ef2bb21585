// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { shareEndsAfterQuietDays } from '#shared/shares/shares.operations.ts'
import { bookingOf, orderOf } from '#test/builders/answer.builder.ts'
import { isBusy, problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { ShareJourney } from './share-journey.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('share', key, values)
const url = `https://amtiati.example/track/${'A'.repeat(43)}`
const path = '/api/orders/42/share'
const bagTo = (city: string) => bookingOf({ destination: { city, coordinates: null } })

async function openSheet(bookings = [bagTo('Riyadh')]) {
  renderPage(<ShareJourney order={orderOf({ bookings })} />)
  await userEvent.click(screen.getByRole('button', { name: t('open') }))
}
const press = (key: string) => screen.findByRole('button', { name: t(key) }).then(userEvent.click)

it('says what is seen and what is not before a link is made, and shows the new link once', async () => {
  let createdAt: string | null = null
  const made = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const calls = stubGateway({
    [`GET ${path}`]: () => ({ body: { success: true, createdAt } }),
    [`POST ${path}`]: async () => {
      await made.promise
      createdAt = '2027-05-18T12:30:00.000Z'
      return { body: { success: true, url } }
    },
    [`DELETE ${path}`]: async () => {
      await ended.promise
      createdAt = null
      return { body: { success: true } }
    },
  })
  await openSheet()
  expect(screen.getByText(t('seen'))).toBeTruthy()
  expect(screen.getByText(t('notSeen'))).toBeTruthy()
  expect(screen.getByText(t('endsQuiet', { days: shareEndsAfterQuietDays }), { exact: false })).toBeTruthy()
  await screen.findByRole('button', { name: t('create') })
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([])

  await press('create')
  expect(isBusy(await screen.findByRole('button', { name: t('creating') }))).toBe(true)
  made.resolve()
  expect(await screen.findByText(`${url}?city=Riyadh&lang=en`)).toBeTruthy()
  await press('end')
  expect(isBusy(await screen.findByRole('button', { name: t('ending') }))).toBe(true)
  ended.resolve()
  expect(await screen.findByText(t('ended'))).toBeTruthy()
  expect(screen.queryByText(url, { exact: false })).toBeNull()
  expect(await screen.findByRole('button', { name: t('create') })).toBeTruthy()
})

it('names no city where the bags have two', async () => {
  stubGateway({
    [`GET ${path}`]: { body: { success: true, createdAt: null } },
    [`POST ${path}`]: { body: { success: true, url } },
  })
  await openSheet([bagTo('Riyadh'), bagTo('Makkah')])
  await press('create')
  expect(await screen.findByText(`${url}?lang=en`)).toBeTruthy()
})

it('offers to end a link that was made before, whose address is not known here', async () => {
  stubGateway({ [`GET ${path}`]: { body: { success: true, createdAt: '2027-05-18T12:30:00.000Z' } } })
  await openSheet()
  expect(await screen.findByRole('button', { name: t('createAnother') })).toBeTruthy()
  expect(screen.getByRole('button', { name: t('end') })).toBeTruthy()
})

it('says why no link was made', async () => {
  stubGateway({
    [`GET ${path}`]: { body: { success: true, createdAt: null } },
    [`POST ${path}`]: problem(429, 'TOO_MANY_CALLS', 'Too often.'),
  })
  await openSheet()
  await press('create')
  expect((await screen.findByRole('alert')).textContent).toBe('Too often.')
})

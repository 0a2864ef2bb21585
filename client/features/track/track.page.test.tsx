// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { formatDateTime } from '#client/platform/format.ts'
import { pages } from '#shared/platform/pages.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/render-page.tsx'
import { TrackPage } from './track.page.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('track', key, values)
const token = 'A'.repeat(43)
const path = `GET /api/track/${token}`
const show = () =>
  renderPage(
    <Routes>
      <Route path={pages.track} element={<TrackPage />} />
    </Routes>,
    { at: `/track/${token}` },
  )
const at = '2027-05-19T08:15:00.000Z'
const bag: SharedBooking = {
  state: 'IN_TRANSIT',
  lastEventAt: at,
  events: [
    { kind: 'handed-over', at: '2027-05-18T12:30:00.000Z', place: 'Makkah', source: 'agent' },
    { kind: 'in-transit', at, place: 'Jeddah', source: 'courier' },
  ],
  origin: { city: 'Makkah' },
  destination: { city: 'Riyadh' },
}

describe('a shared journey', () => {
  it('shows where each bag is, and when it was seen', async () => {
    stubGateway({ [path]: { body: { success: true, bookings: [bag] } } })
    show()
    expect(await screen.findByText(t('state.IN_TRANSIT'), { selector: 'p' })).toBeTruthy()
    expect(screen.getByText(t('route', { from: 'Makkah', to: 'Riyadh' }))).toBeTruthy()
    expect(screen.getAllByText(formatDateTime(at, 'en'), { exact: false }).length).toBeGreaterThan(0)
  })

  it('says that a bag was not seen yet, and has words for a state of a newer release', async () => {
    const waiting = { ...bag, state: 'READY' as const, lastEventAt: null, events: [] }
    const newer = { ...waiting, state: 'ON_THE_MOON' as 'READY' }
    stubGateway({ [path]: { body: { success: true, bookings: [waiting, newer] } } })
    show()
    expect(await screen.findByText(t('state.READY'))).toBeTruthy()
    expect(screen.getByText(t('state.other'))).toBeTruthy()
    expect(screen.getByText(t('notSeen'))).toBeTruthy()
    expect(screen.getByText(t('leg', { number: 2, total: 2 }))).toBeTruthy()
  })

  it('of an ended link says so, and offers no retry', async () => {
    stubGateway({ [path]: problem(404, 'SHARE_NOT_FOUND', 'This link does not work.') })
    show()
    expect((await screen.findByRole('alert')).textContent).toContain('This link does not work.')
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.getByRole('link', { name: t('home') })).toBeTruthy()
  })

  it('that cannot be loaded is loaded again on demand', async () => {
    let isDown = true
    stubGateway({
      [path]: () =>
        isDown ? problem(500, 'UNEXPECTED', 'Later') : { body: { success: true, bookings: [bag] } },
    })
    show()
    const alert = await screen.findByRole('alert')
    isDown = false
    await userEvent.click(within(alert).getByRole('button'))
    expect(await screen.findByText(t('state.IN_TRANSIT'), { selector: 'p' })).toBeTruthy()
  })
})

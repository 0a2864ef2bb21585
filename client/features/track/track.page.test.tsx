// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import tagScreenStyles from '#client/entities/tag/tag-screen.module.css'
import {
  formatMoment,
  formatSpanInBoth,
  formatWeekdayAndDayInBoth,
  formatWeekdays,
} from '#client/platform/dates.ts'
import { pages } from '#shared/platform/pages.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'
import { FakeSource, stubEventSource } from '#test/kit/client/event-source.ts'
import { reading } from '#test/kit/client/plain-text.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
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

/** The clock of the phone, in Riyadh at noon of a day of May. */
function setDay(day: number): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(`2027-05-${day}T09:00:00Z`)
}
afterEach(() => {
  vi.useRealTimers()
})

const titleOf = (state: string) =>
  state === 'travelling' ? t('stateOf.travelling', { city: 'Riyadh' }) : t(`state.${state}`)
const heading = (state: string) => screen.findByRole('heading', { name: titleOf(state) })

describe('a shared journey', () => {
  it('shows the tag of a bag and its timeline, says where it was seen, and what Amtiati is', async () => {
    stubGateway({ [path]: { body: { success: true, bookings: [bag] } } })
    show()
    expect((await heading('travelling')).tagName).toBe('H1')
    // The timeline shows each of the news.
    expect(screen.queryByText(textOf('journey', 'all', { number: 2 }))).toBeNull()
    expect(screen.getByText(t('from', { city: 'Makkah' }))).toBeTruthy()
    const timeline = screen.getByRole('list', { name: textOf('journey', 'title') })
    expect(timeline.textContent).toContain(textOf('journey', 'kind.handed-over'))
    expect(timeline.textContent).toContain('Jeddah')
    expect(timeline.textContent).toContain(formatMoment(at, 'en'))
    expect(screen.getByText(t('about'))).toBeTruthy()
    expect(screen.getByRole('link', { name: t('book') }).getAttribute('href')).toBe('/booking')
  })

  const arrives = { first: '2027-05-20', last: '2027-05-22' }
  const weekdays = formatWeekdays(arrives.first, arrives.last, 'en')

  it.each([
    [19, 'usual'],
    [23, 'passed'],
  ])('says when the bag usually arrives, on the %s of May, and in which city', async (day, said) => {
    setDay(day)
    stubGateway({ [path]: { body: { success: true, bookings: [{ ...bag, arrives }] } } })
    show()
    await heading('travelling')
    const end = screen.getByRole('heading', { name: weekdays }).closest('li')
    expect(end?.textContent).toContain(formatSpanInBoth(arrives.first, arrives.last, 'en'))
    expect(end?.textContent).toContain('Riyadh')
    expect(end?.textContent).toContain(textOf('bag-days', said))
    expect(end?.textContent).not.toContain(textOf('bag-days', 'told'))
  })

  it.each([
    [28, true],
    [29, false],
  ])('says until when the branch keeps it, on the %s of May: %s', async (day, isSaid) => {
    setDay(day)
    const here = { ...bag, state: 'AT_BRANCH' as const, keptUntil: '2027-05-28' }
    stubGateway({ [path]: { body: { success: true, bookings: [here] } } })
    show()
    await screen.findByRole('heading', { name: t('state.here') })
    const kept = textOf('bag-days', 'kept', { day: formatWeekdayAndDayInBoth('2027-05-28', 'en') })
    expect(screen.queryByText(reading(kept)) !== null).toBe(isSaid)
    expect(screen.queryByRole('heading', { name: t('collection') }) !== null).toBe(isSaid)
  })

  it('turns the tag over once the bag was collected', async () => {
    const collected = { kind: 'collected' as const, at, place: 'Riyadh', source: 'courier' as const }
    const bookings = [{ ...bag, state: 'COLLECTED', events: [...bag.events, collected] }]
    stubGateway({ [path]: { body: { success: true, bookings } } })
    show()
    await heading('collected')
    expect(screen.getByText(/Taqabbal/).textContent).toContain(textOf('tag', 'back.say.shared'))
  })

  it('names the state of each bag, and has words for a state of a newer release', async () => {
    const waiting = { ...bag, state: 'READY' as const, lastEventAt: null, events: [] }
    const newer = { ...bag, state: 'ON_THE_MOON' as 'READY' }
    stubGateway({ [path]: { body: { success: true, bookings: [waiting, newer] } } })
    show()
    expect(await heading('tied')).toBeTruthy()
    expect(await heading('travelling')).toBeTruthy()
    expect(screen.getByText(t('leg', { number: 2, total: 2 }))).toBeTruthy()
  })

  it('of a bag that its owner still has says so, and not that it waits', async () => {
    stubGateway({
      [path]: {
        body: { success: true, bookings: [{ ...bag, state: 'READY', lastEventAt: null, events: [] }] },
      },
    })
    show()
    const note = (await screen.findByText(t('notHandedOver'))).closest('p')
    expect(note?.className).not.toContain(tagScreenStyles.waiting)
    expect(screen.queryByText(t('notSeen'))).toBeNull()
    expect(screen.getByRole('heading', { level: 1, name: t('state.tied') })).toBeTruthy()
    const steps = screen.getByRole('list', { name: textOf('journey', 'title') })
    for (const key of ['hand', 'starts', 'collect']) expect(steps.textContent).toContain(t(`before.${key}`))
  })

  it('changes with its stream, no oftener than its readings are limited, and follows none when the link has ended', async () => {
    const sources = stubEventSource()
    let isEnded = false
    let shown = bag
    const ended = problem(404, 'SHARE_NOT_FOUND', 'This link does not work.')
    const calls = stubGateway({
      [path]: () => (isEnded ? ended : { body: { success: true, bookings: [shown] } }),
    })
    show()
    await heading('travelling')
    shown = { ...bag, state: 'AT_BRANCH' }
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    act(() => sources.at(-1)?.send('changed', {}))
    await pass(300)
    expect(screen.getByRole('heading', { name: t('state.here') })).toBeTruthy()
    expect(sources.at(-1)).toMatchObject({ url: `/api/track/${token}/events`, readyState: 0 })
    const asked = () => calls.filter((call) => call.path === `/api/track/${token}`).length
    const before = asked()
    isEnded = true
    act(() => sources.at(-1)?.send('changed', {}))
    await pass(2_100)
    expect(asked()).toBe(before)
    await pass(400)
    expect(screen.getByRole('alert')).toBeTruthy()
    expect(sources.at(-1)?.readyState).toBe(FakeSource.CLOSED)
  })

  it('of an ended link says so, and offers no retry', async () => {
    stubGateway({ [path]: problem(404, 'SHARE_NOT_FOUND', 'This link does not work.') })
    show()
    expect(await screen.findByRole('heading', { level: 1, name: t('ended.title') })).toBeTruthy()
    expect(screen.getByRole('alert').textContent).toContain(t('ended.calm'))
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
    expect(await heading('travelling')).toBeTruthy()
  })
})

// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { formatMoment } from '#client/platform/dates.ts'
import type { BookingEvent, TravelState } from '#shared/orders/travel.schemas.ts'
import { inEachTimeZone } from '#test/kit/basics/time-zones.ts'
import { renderPage, textOf } from '#test/kit/client/render-page.tsx'
import { HandoverReceipt } from './handover-receipt.tsx'
import { TagBack } from './tag-back.tsx'
import { AllEvents, Timeline } from './timeline.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('journey', key, values)
const at = (hour: number) => new Date(Date.UTC(2027, 4, 18, hour)).toISOString()
const taken: BookingEvent = {
  kind: 'handed-over',
  source: 'agent',
  at: at(9),
  place: 'وكيل منى · Mina Agent',
}
const moved: BookingEvent = { kind: 'in-transit', source: 'courier', at: at(10), place: 'Riyadh' }
const odd: BookingEvent = {
  kind: 'unknown',
  source: 'courier',
  at: at(11),
  code: 'ZZ',
  text: 'Weighed again',
}
const journeyOf = (state: TravelState, ...events: BookingEvent[]) => ({
  state,
  lastEventAt: events.at(-1)?.at ?? null,
  events,
})

beforeEach(() => {
  vi.setSystemTime(at(12))
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the timeline of a bag', () => {
  inEachTimeZone(() => {
    it('shows the day of the newest step as it is in Riyadh', async () => {
      const late = { ...moved, at: '2027-05-18T21:30:00.000Z' }
      await renderPage(<Timeline journey={journeyOf('IN_TRANSIT', taken, late)} end="Riyadh" />, {
        language: 'en',
      })
      expect(screen.getByText(/19 May, 00:30/)).toBeTruthy()
    })
  })

  it('shows where it is, where it ends, and all news, the newest first', async () => {
    const journey = journeyOf('IN_TRANSIT', taken, moved, odd)
    await renderPage(
      <>
        <Timeline journey={journey} end="الفرع في الرياض" />
        <AllEvents events={journey.events} shown={[taken, moved]} />
      </>,
      { language: 'ar' },
    )
    const current = screen.getByRole('heading', { name: t('seenIn', { place: 'الرياض' }) }).closest('li')
    expect(current?.getAttribute('aria-current')).toBe('step')
    // A step that has happened has one date: both calendars are for days to plan by.
    expect(current?.querySelector('time')?.textContent).toBe(formatMoment(at(10), 'ar'))
    const steps = within(screen.getByRole('list', { name: t('title') })).getAllByRole('listitem')
    expect(steps.at(0)?.textContent).toContain('وكيل منى')
    expect(steps.at(-1)?.textContent).toBe('الفرع في الرياض')
    const news = screen.getByText(t('all', { number: 3 })).closest('details')
    const lines = within(news as HTMLElement).getAllByRole('listitem', { hidden: true })
    expect(lines[0]?.textContent).toContain('Weighed again')
    expect(lines.at(-1)?.querySelector('time')?.textContent).toBe(formatMoment(at(9), 'ar'))
  })

  it('tells its owner, and others not, what is done about a bag that is held up', async () => {
    const journey = journeyOf('EXCEPTION', taken, moved)
    const { rerender } = renderPage(<Timeline journey={journey} end="Riyadh" />)
    expect(screen.getByText(t('delayed'))).toBeTruthy()
    rerender(<Timeline journey={journey} end="Riyadh" whose="shared" />)
    expect(screen.queryByText(t('delayed'))).toBeNull()
  })
})

it('a receipt of the hand-over names agent, both days, time and number', async () => {
  await renderPage(<HandoverReceipt event={taken} awb="290012345678" isNew={false} />, { language: 'ar' })
  expect(screen.getByText('وكيل منى')).toBeTruthy()
  const time = screen.getByText('الثلاثاء 12 ذو الحجة · 18 مايو · 12:00 م')
  // No line begins with a dot.
  expect(time.textContent).not.toContain(' ·')
  expect(screen.getByText('290012345678')).toBeTruthy()
})

it('the back of a tag has both cities, and the days on the way', async () => {
  const bag = { origin: { city: 'Makkah' }, destination: { city: 'Riyadh' } }
  const refused = { ...taken, kind: 'not-accepted' as const, at: '2027-05-16T09:00:00.000Z' }
  const events = [refused, taken, { ...moved, kind: 'collected' as const, at: '2027-05-20T15:40:00.000Z' }]
  await renderPage(<TagBack bag={{ ...bag, events }} whose="own" isNew={false} />, { language: 'ar' })
  expect(screen.getByText(/تقبّل الله/)).toBeTruthy()
  expect(screen.getByText(/مكة المكرمة/).textContent).toContain('الرياض')
  expect(screen.getByText(/12 إلى 14 ذو الحجة/)).toBeTruthy()
  expect(screen.getByText('1448 هـ')).toBeTruthy()
})

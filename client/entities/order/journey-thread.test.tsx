// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { formatDateTime } from '#client/platform/format.ts'
import type { BookingEvent } from '#shared/orders/travel.schemas.ts'
import { renderPage, textOf } from '#test/kit/render-page.tsx'
import { inEachTimeZone } from '#test/kit/time-zones.ts'
import { HandoverReceipt } from './handover-receipt.tsx'
import { JourneyThread } from './journey-thread.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('journey', key, values)
const at = (hour: number) => new Date(Date.UTC(2027, 4, 18, hour)).toISOString()
const taken: BookingEvent = { kind: 'handed-over', source: 'agent', at: at(9), place: 'وكيل منى' }
const moved: BookingEvent = { kind: 'in-transit', source: 'courier', at: at(10), place: 'Riyadh' }
const odd: BookingEvent = {
  kind: 'unknown',
  source: 'courier',
  at: at(11),
  code: 'ZZ',
  text: 'Weighed again',
}

describe('the thread of a bag', () => {
  inEachTimeZone(() => {
    it('shows the day of the last news as it is in Riyadh', async () => {
      const late = { ...moved, at: '2027-05-18T21:30:00.000Z' }
      await renderPage(
        <JourneyThread
          journey={{ state: 'IN_TRANSIT', lastEventAt: late.at, events: [taken, late] }}
          city="Riyadh"
        />,
        { language: 'en' },
      )
      expect(screen.getByText(t('lastSeen'), { exact: false }).textContent).toContain('May 19, 2027')
    })
  })

  it('shows where it is, when anything was heard last, and all news, the newest first', async () => {
    await renderPage(
      <JourneyThread
        journey={{ state: 'IN_TRANSIT', lastEventAt: at(11), events: [taken, moved, odd] }}
        city="Riyadh"
      />,
      { language: 'ar' },
    )
    const current = screen.getByRole('heading', { name: t('step.on-the-way', { city: 'الرياض' }) })
    expect(current.closest('li')?.getAttribute('aria-current')).toBe('step')
    expect(screen.getByText(t('lastSeen'), { exact: false }).textContent).toContain(
      formatDateTime(at(11), 'ar'),
    )
    const news = screen.getByText(t('all', { number: 3 })).closest('details')
    const lines = within(news as HTMLElement).getAllByRole('listitem', { hidden: true })
    expect(lines[0]?.textContent).toContain('Weighed again')
    expect(lines.at(-1)?.textContent).toContain('وكيل منى')
  })

  it('says that a bag is held up', async () => {
    await renderPage(
      <JourneyThread
        journey={{ state: 'EXCEPTION', lastEventAt: at(12), events: [taken, moved] }}
        city={undefined}
      />,
    )
    expect(screen.getByText(t('delayed'))).toBeDefined()
    expect(screen.getByRole('heading', { name: t('step.on-the-way-anywhere') })).toBeDefined()
  })
})

it('a receipt of the hand-over names agent, time and number', async () => {
  await renderPage(<HandoverReceipt event={taken} awb="290012345678" />, { language: 'ar' })
  const receipt = screen.getByRole('status')
  for (const text of ['وكيل منى', formatDateTime(at(9), 'ar'), '290012345678'])
    expect(receipt.textContent).toContain(text)
})

// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import noteStyles from '#client/ui/note.module.css'
import { dayOf } from '#shared/platform/promises.rules.ts'
import { configOf } from '#test/builders/answer.builder.ts'
import { renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { SilenceNote } from './silence-note.tsx'

const hoursAgo = (hours: number) => new Date(Date.now() - (hours + 0.5) * 3_600_000).toISOString()
const config = { body: configOf({ tracking: { silenceHours: 24 } }) }

describe('the silence of a bag', () => {
  it('is told with its hours', async () => {
    stubGateway({ 'GET /api/config': config })
    renderPage(<SilenceNote journey={{ state: 'IN_TRANSIT', lastEventAt: hoursAgo(30) }} />)
    const text = textOf('silence-note', 'quiet', { count: 30 })
    expect(await screen.findByText(text)).toBeDefined()
    expect(text).toContain('30')
  })

  it.each([
    ['is no warning on the last promised day', 0, false],
    ['is a warning on the day after', -1, true],
  ])('%s', async (_, days, isWarning) => {
    stubGateway({ 'GET /api/config': config })
    const dueOn = dayOf(Date.now() + days * 24 * 3_600_000)
    renderPage(<SilenceNote journey={{ state: 'IN_TRANSIT', lastEventAt: hoursAgo(30) }} dueOn={dueOn} />)
    const text = await screen.findByText(textOf('silence-note', 'quiet', { count: 30 }))
    expect(text.closest(`.${noteStyles.pending}`) !== null).toBe(isWarning)
  })

  it('is not told while it is short, or while the number of hours is unknown', async () => {
    const calls = stubGateway({ 'GET /api/config': config })
    const { container } = renderPage(
      <SilenceNote journey={{ state: 'IN_TRANSIT', lastEventAt: hoursAgo(20) }} />,
    )
    await expect.poll(() => calls.length).toBeGreaterThan(0)
    expect(container.textContent).toBe('')
    stubGateway({})
    renderPage(<SilenceNote journey={{ state: 'IN_TRANSIT', lastEventAt: hoursAgo(99) }} />)
    expect(document.body.textContent).toBe('')
  })
})

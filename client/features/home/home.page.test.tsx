// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { PublicConfig } from '#shared/config/config.api.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { usualSentences } from '#shared/stops/stops.texts.ts'
import { configOf } from '#test/builders/answer.builder.ts'
import { noSession, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { HomePage } from './home.page.tsx'

const promises = {
  transitDays: { RUH: [2, 4], JED: [1, 2], default: [3, 6] },
  lostSar: 75,
} satisfies Partial<PublicConfig['promises']>

function open(config: Partial<PublicConfig>, language: LanguageCode = 'en') {
  stubGateway({ ...noSession, 'GET /api/config': { body: configOf(config) } })
  renderPage(<HomePage />, { language })
}

const facts = () => screen.getByRole('group', { name: textOf('home', 'facts.label') })
const chip = (city: string) => screen.getByRole('button', { name: textOf('home', `cities.${city}`) })

describe('the tag', () => {
  it('says the days of all cities, price, weight and what is paid for a lost bag', async () => {
    open({ promises })
    expect(await screen.findByText('1–6 days')).toBeTruthy()
    expect(facts().textContent).toBe(
      'Usually there in by city 1–6 daysa bagSAR\u00a050.00at most15 kgpaid if lostSAR\u00a075',
    )
  })

  it.each([
    ['ar', 'Riyadh', 'RUH', 'يومين إلى 4 أيام'],
    ['ar', 'Dammam', 'DMM', '3 إلى 6 أيام'],
    ['en', 'Jeddah', 'JED', '1–2 days'],
  ] as const)('says in %s those of %s once it is chosen', async (language, city, letters, days) => {
    open({ promises }, language)
    await within(facts()).findByText(textOf('home', 'facts.byCity'))
    await userEvent.click(chip(city))
    expect(within(facts()).getByText(days)).toBeTruthy()
    expect(within(facts()).getByText(letters).getAttribute('aria-hidden')).toBe('true')
    expect(within(facts()).queryByText(textOf('home', 'facts.byCity'))).toBeNull()
    await userEvent.click(chip(city))
    expect(within(facts()).getByText(textOf('home', 'facts.byCity'))).toBeTruthy()
  })

  it('says nothing that is not configured', async () => {
    open({
      promises: { transitDays: {} },
      stops: [{ what: 'city', code: 'Dammam', text: usualSentences.city }],
    })
    // The configuration has arrived.
    await screen.findByText(usualSentences.city.en)
    expect(facts().textContent).toBe('a bagSAR\u00a050.00at most15 kg')
    expect(screen.queryByText(textOf('promise', 'example'))).toBeNull()
  })

  it.each([
    [true, 1],
    [false, 0],
  ])('names its figures as examples in a demo alone: %s', async (demo, times) => {
    open({ promises, demo })
    await screen.findByText('1–6 days')
    expect(screen.queryAllByText(textOf('promise', 'example'))).toHaveLength(times)
  })
})

describe('what is not sold', () => {
  it('is no choice: a city is left out, and why', async () => {
    open({ stops: [{ what: 'city', code: 'Jeddah', text: usualSentences.city }] })
    await screen.findByText(usualSentences.city.en)
    const names = within(screen.getByRole('group', { name: textOf('home', 'question') }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
    expect(names).toEqual(['Riyadh', 'Madinah', 'Dammam'])
  })

  it('is asked for nothing where all is stopped', async () => {
    open({ stops: [{ what: 'all', text: usualSentences.all }] })
    await screen.findByText(usualSentences.all.en)
    expect(screen.queryByText(textOf('home', 'question'))).toBeNull()
    expect(screen.queryByRole('link', { name: textOf('home', 'book') })).toBeNull()
  })
})

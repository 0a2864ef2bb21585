// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { HomePage } from '#client/features/home/home.page.tsx'
import { PrivacyPolicyPage } from '#client/features/privacy/privacy-policy.page.tsx'
import { setLanguage } from '#client/platform/i18n.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { brand } from '#shared/platform/brand.ts'
import { usualSentences } from '#shared/stops/stops.texts.ts'
import { configOf } from '#test/builders/answer.builder.ts'
import { noSession, renderPage, stubGateway } from '#test/kit/client/render-page.tsx'
import { servedBody } from '#test/kit/client/served-page.tsx'
import { fillIn } from './fill-in.ts'

/** The served page shows the same configuration as the app. */

const promises = {
  transitDays: { RUH: [2, 4], JED: [1, 2], default: [3, 6] },
  lostSar: 75,
} satisfies PublicConfig['promises']
const contact = { ...brand.contact, email: 'desk@operator.example', phone: '+966 9 1234' }
const ofAll = { what: 'all', text: usualSentences.all } as const
const ofJeddah = { what: 'city', code: 'Jeddah', text: usualSentences.city } as const
const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

async function serve(
  page: 'home' | 'privacyPolicy',
  language: 'ar' | 'en',
  config: PublicConfig | undefined,
) {
  stubGateway({ 'GET /api/config': () => (config === undefined ? undefined : { body: config }) })
  void setLanguage(language)
  const served = document.createElement('div')
  served.innerHTML = await servedBody(page, 'visitor')
  document.body.append(served)
  onTestFinished(() => {
    served.remove()
    delete window.servedConfig
  })
  await fillIn().catch(() => undefined)
  return served
}

/** What is shown, as links and buttons without their difference. */
function shownIn(element: Element): string {
  const copy = element.cloneNode(true) as Element
  for (const hidden of copy.querySelectorAll('[hidden], [data-to-come], svg')) hidden.remove()
  return copy.textContent.replaceAll(/\s+/g, ' ').trim()
}

it.each([
  ['all promises, in a demo', { promises, demo: true }],
  ['one span of days', { promises: { transitDays: { default: [2, 2] } } }],
  ['no day', { promises: { transitDays: { RUH: [0, 0] } } }],
  ['no promise', { promises: { transitDays: {} }, demo: true }],
  ['a stop of everything', { promises, stops: [ofAll] }],
  ['a stop of a city', { promises, stops: [ofJeddah] }],
  [
    'stops that begin later',
    { promises, stops: [ofAll, ofJeddah].map((stop) => ({ ...stop, from: tomorrow })) },
  ],
] satisfies [string, Partial<PublicConfig>][])('with %s', async (_, change) => {
  for (const language of ['ar', 'en'] as const) {
    const config = configOf({ ...change, contact })
    const served = await serve('home', language, config)
    const main = served.querySelector('main')
    const said = main === null ? '' : shownIn(main)
    served.remove()
    stubGateway({ ...noSession, 'GET /api/config': { body: config } })
    const { container, unmount } = renderPage(<HomePage />, { language })
    await vi.waitFor(() => expect(shownIn(container)).toBe(said))
    expect(container.querySelector('[data-to-come]')).toBeNull()
    unmount()
  }
})

it('names the contact and the app of the operator, and that no card is charged, on every page', async () => {
  const config = configOf({ contact, appLink: 'https://apps.example/amtiati', paymentTest: true })
  const served = await serve('privacyPolicy', 'en', config)
  // In the page and in its footer.
  expect(screen.getAllByText(contact.phone)).toHaveLength(2)
  expect(screen.getAllByText(contact.email)).toHaveLength(2)
  expect(served.querySelector('a[href="https://apps.example/amtiati"]')).not.toBeNull()
  expect(served.querySelector('[data-config="paymentTest"]')?.hasAttribute('hidden')).toBe(false)
})

it('leaves the page as it is without an answer', async () => {
  const served = await serve('home', 'en', undefined)
  expect(shownIn(served)).toContain(brand.contact.phone)
  expect(served.querySelector('[data-config="lost"]')?.hasAttribute('hidden')).toBe(true)
})

it('hands the answer on to the app, which does not ask again', async () => {
  const config = configOf({ contact })
  const served = await serve('home', 'en', config)
  served.remove()
  const calls = stubGateway(noSession)
  renderPage(<PrivacyPolicyPage />)
  expect(screen.getByText(contact.phone)).toBeTruthy()
  expect(calls.filter(({ path }) => path === '/api/config')).toEqual([])
})

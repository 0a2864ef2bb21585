// @vitest-environment jsdom

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { brand } from '#shared/platform/brand.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { configOf } from '#test/builders/answer.builder.ts'
import { problem, renderPage, stubGateway, textOf } from '#test/kit/client/render-page.tsx'
import { TermsPage } from './terms.page.tsx'

const t = (key: string, values?: Record<string, unknown>) => textOf('terms', key, values)

async function openTerms(config: Partial<PublicConfig> = {}, language: LanguageCode = 'en') {
  stubGateway({ 'GET /api/config': { body: configOf(config) } })
  const { container } = renderPage(<TermsPage />, { language })
  await screen.findByRole('heading', { level: 2, name: t('complaints.title') })
  return container
}

const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

/** The sentences and facts below a heading. */
function saidUnder(title: string): string[] {
  const section = screen.getByRole('heading', { level: 2, name: t(title) }).parentElement
  return [...(section?.querySelectorAll('p, dl > div') ?? [])].map(({ textContent }) => textContent ?? '')
}

const promises: PublicConfig['promises'] = {
  transitDays: { RUH: [2, 4], JED: [1, 2], default: [3, 6] },
  handInUntil: '2027-05-29',
  storageDays: 7,
  lateAfterDays: 8,
  lostSar: 75,
}

it('has six headings with the configured figures, bold, and the version at the foot', async () => {
  const liability = { ar: 'عن الحقيبة التالفة نعوّضك.', en: 'We pay for a damaged bag.' }
  const { purchase } = configOf()
  const container = await openTerms({ promises, purchase: { ...purchase, liability } })
  expect(headings()).toEqual([
    'Carriage',
    'What may not be in it',
    'When',
    'Late or lost',
    'Cancelling and money back',
    'Complaints',
  ])
  expect(saidUnder('carriage.title')[0]).toBe(
    'Each order carries one bag, up to 15 kg, on the route you chose.',
  )
  expect(saidUnder('notInTheBag')).toEqual([brand.purchase.notInTheBag.en])
  expect(container.querySelectorAll('li li svg')).toHaveLength(4)
  expect(saidUnder('times.title')).toEqual([
    expect.stringMatching(/^Hand it in by.*29\sMay/),
    'Riyadh, usually in2–4 days',
    'Jeddah, usually in1–2 days',
    'Other cities, usually in3–6 days',
    'Days count from the day of the hand-over, in Saudi time.',
    'The branch keeps it for 7 days after it arrives.',
  ])
  expect(saidUnder('late.title')).toEqual([
    'We call it late when 8 days have passed since the day you handed it in and it is not there.',
    'You can report it from the page of your order.',
    'If lost, we pay up to SAR\u00a075.',
    liability.en,
  ])
  expect(saidUnder('complaints.title')).toEqual([
    `Report a problem from the page of your order, or call ${brand.contact.phone}`,
    'We answer a report within 5 working days.',
  ])
  expect(screen.getByText(textOf('purchase', 'examples'))).toBeTruthy()
  const bold = [...container.querySelectorAll('b')].map(({ textContent }) => textContent)
  expect(bold).toEqual(['15 kg', '8 days', '5 working days'])
  expect(screen.getByText('0123456789abcdef').closest('p')?.textContent).toBe('Version 0123456789abcdef')
})

it('leaves out what is not configured, with its heading', async () => {
  const container = await openTerms()
  expect(headings()).toEqual(['Carriage', 'What may not be in it', 'Cancelling and money back', 'Complaints'])
  expect(container.textContent).not.toMatch(/usually|late|lost|keeps it|examples/i)
})

it('leaves out each sentence by itself', async () => {
  await openTerms({ promises: { transitDays: { default: [3, 6] } }, demo: false })
  expect(saidUnder('times.title')).toEqual([
    'Usually there in3–6 days',
    'Days count from the day of the hand-over, in Saudi time.',
  ])
  expect(screen.queryByText(textOf('purchase', 'examples'))).toBeNull()
})

it.each([
  [{ isOffered: true, hours: 0 }, ['cancellation.untilHandOver', 'cancellation.money'], true],
  [{ isOffered: true, hours: 24 }, ['cancellation.withinHours', 'cancellation.money'], true],
  [{ isOffered: false, hours: 0 }, ['cancellation.off'], false],
] as const)('says until when an order can be cancelled: %j', async (cancellation, keys, isOffered) => {
  await openTerms({ purchase: { ...configOf().purchase, cancellation } })
  const said = keys.map((key) => textOf('purchase', key, { count: cancellation.hours, days: 14 }))
  expect(saidUnder('cancelling.title')).toEqual([
    said.join(' '),
    ...(isOffered ? [t('cancelling.after')] : []),
  ])
})

it('shows no part of the terms without the configuration, and can be tried again', async () => {
  let isUp = false
  stubGateway({
    'GET /api/config': () => (isUp ? { body: configOf() } : problem(400, 'INVALID_REQUEST', 'Not now')),
  })
  renderPage(<TermsPage />)
  const again = await screen.findByRole('button', { name: textOf('ui', 'tryAgain') })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Terms of carriage')
  expect(screen.queryByRole('heading', { level: 2 })).toBeNull()
  isUp = true
  await userEvent.click(again)
  expect(await screen.findByRole('heading', { level: 2, name: 'Complaints' })).toBeTruthy()
})

it.each(['ar', 'en'] as const)(
  'the sentence before Pay has the words that link to the terms in %s',
  (language) => {
    expect(brand.purchase.terms[language]).toContain(brand.termsName[language])
  },
)

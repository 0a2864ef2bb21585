// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { listCountries } from '#client/features/sessions/countries.ts'
import { catalogues } from '#client/platform/catalogues.ts'
import { formatMoment } from '#client/platform/dates.ts'
import { formatMoney } from '#client/platform/format.ts'
import { addCatalogues, addTexts } from '#client/platform/i18n.ts'
import { pseudoTexts } from '#client/platform/pseudo.ts'
import { textGroupOf } from '#client/platform/text-groups.ts'
import { brand } from '#shared/platform/brand.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { configOf } from '#test/builders/answer.builder.ts'
import { noSession, renderPage, stubGateway } from '#test/kit/render-page.tsx'
import { AppRoutes } from './router.tsx'

/*
 * A third language is one row of the registry and its catalogues. Urdu is registered before any other module loads;
 * its catalogues are generated from the English ones, as bracketed texts.
 */
await vi.hoisted(async () => {
  const { languages } = await import('#shared/platform/language.ts')
  Object.assign(languages, {
    ur: { code: 'ur', direction: 'rtl', label: 'اردو', intl: 'ur-u-ca-gregory-nu-latn' },
  })
})

const urdu = 'ur' as LanguageCode
const isGenerated = /⟦.*⟧/

beforeAll(async () => {
  for (const [path, read] of Object.entries(catalogues).filter(([each]) => each.endsWith('.en.json'))) {
    const group = textGroupOf(path)
    const inUrdu = async () => pseudoTexts(await read())
    addCatalogues(group, { [path.replace(/en\.json$/, 'ur.json')]: inUrdu })
    await addTexts(urdu, group)
  }
  for (const text of [
    brand.name,
    brand.tagline,
    brand.description,
    brand.contact.address,
    brand.purchase.terms,
    brand.termsName,
  ])
    Object.assign(text, { ur: `⟦${text.en}⟧` })
})

function openApp(at: string, language: LanguageCode) {
  const calls = stubGateway({
    'GET /api/config': { body: configOf() },
    ...noSession,
  })
  renderPage(<AppRoutes />, { at, language })
  return calls
}

const languageButtons = () =>
  within(screen.getByRole('banner'))
    .getAllByRole('button')
    .filter((button) => button.lang !== '')
    .map((button) => button.textContent)

describe('a language registered at run time', () => {
  it('is offered beside the others and chosen by one press', async () => {
    openApp('/privacy-policy', 'en')
    await screen.findByRole('heading', { level: 1 })
    expect(languageButtons()).toEqual(['العربية', 'اردو'])

    await userEvent.setup().click(screen.getByRole('button', { name: 'اردو' }))

    expect(document.documentElement.lang).toBe('ur')
    expect(document.documentElement.dir).toBe('rtl')
    expect(document.cookie).toContain('lang=ur')
    expect(languageButtons()).toEqual(['العربية', 'English'])
  })

  it('gives pages, footer and document title its texts', async () => {
    openApp('/privacy-policy', urdu)
    const heading = await screen.findByRole('heading', { level: 1 })
    expect(heading.textContent).toMatch(isGenerated)
    expect(document.title).toMatch(isGenerated)
    const footer = screen.getByRole('contentinfo')
    expect(footer.textContent).toContain(`⟦${brand.tagline.en}⟧`)
    // A name without a drawing of its own is shown as text.
    const bar = within(screen.getByRole('banner'))
    expect(bar.getByRole('link', { name: `⟦${brand.name.en}⟧` }).querySelector('svg')).toBeNull()
    const shown = footer.textContent + heading.textContent
    expect(shown).not.toMatch(/undefined|footer\./)
  })

  it('reaches pages that load later, and their forms', async () => {
    openApp('/auth', urdu)
    const heading = await screen.findByRole('heading', { level: 1 })
    expect(heading.textContent).toMatch(isGenerated)
    expect(screen.getByRole('textbox').closest('form')?.textContent).toMatch(isGenerated)
  })

  it('is requested from the server in every call', async () => {
    const calls = openApp('/', urdu)
    await screen.findByRole('heading', { level: 1 })
    expect(new Set(calls.map(({ headers }) => headers['accept-language']))).toEqual(new Set(['ur']))
  })

  it('formats dates, money and the names of countries', () => {
    expect(formatMoment('2026-05-28T09:30:00.000Z', urdu)).toContain('مئی')
    expect(formatMoney(5000, urdu)).toMatch(/⟦.*50\.00.*⟧/)
    expect(listCountries(urdu).find(({ iso }) => iso === 'SA')?.name).toBe('سعودی عرب')
  })
})

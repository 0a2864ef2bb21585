// @vitest-environment jsdom
import type { ParseKeys } from 'i18next'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest'
import type { useTranslation } from './i18n.ts'
import { dropLanguageFromAddress } from './language-address.ts'

/** A fresh page load with this cookie, and a document served in this language. */
async function load(cookie: string, served = '') {
  vi.resetModules()
  clearLanguage()
  if (cookie !== '') writeCookie(cookie)
  document.documentElement.lang = served
  document.documentElement.dir = ''
  return import('./i18n.ts')
}

function writeCookie(text: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom knows no Cookie Store
  document.cookie = text
}

const clearLanguage = () => writeCookie('lang=; max-age=0; path=/')

beforeEach(clearLanguage)
afterEach(() => vi.restoreAllMocks())

describe('the language', () => {
  it('is Arabic without a choice, whatever the browser prefers', async () => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('en-US')
    const { currentLanguage } = await load('')
    expect(currentLanguage()).toBe('ar')
    expect(document.documentElement.lang).toBe('ar')
    expect(document.documentElement.dir).toBe('rtl')
  })

  it('is the cookie’s', async () => {
    const { currentLanguage } = await load('lang=en; path=/')
    expect(currentLanguage()).toBe('en')
    expect(document.documentElement.dir).toBe('ltr')
  })

  it('is that of a served page, whose text is on screen already', async () => {
    document.body.innerHTML = '<div id="served"><p>Travel light.</p></div>'
    onTestFinished(() => document.body.replaceChildren())
    const { currentLanguage } = await load('lang=ar; path=/', 'en')
    expect(currentLanguage()).toBe('en')
    expect(document.documentElement.dir).toBe('ltr')
  })

  it('leaves the address after it has been chosen there', () => {
    window.history.replaceState(null, '', '/auth?lang=en&next=%2Forders#top')
    onTestFinished(() => window.history.replaceState(null, '', '/'))
    dropLanguageFromAddress()
    expect(window.location.href.replace(window.location.origin, '')).toBe('/auth?next=%2Forders#top')
  })

  it('is Arabic when the cookie has an unknown language', async () => {
    const { currentLanguage } = await load('lang=toString; path=/')
    expect(currentLanguage()).toBe('ar')
  })

  it('is stored for one day, for the whole site, and sent with links from other sites', async () => {
    const { setLanguage, currentLanguage } = await load('')
    const written = vi.spyOn(document, 'cookie', 'set')
    await setLanguage('en')
    expect(written.mock.calls).toEqual([['lang=en; max-age=86400; path=/; samesite=lax']])
    expect(currentLanguage()).toBe('en')
    expect(document.documentElement.lang).toBe('en')
    expect(document.documentElement.dir).toBe('ltr')
  })
})

describe('the texts', () => {
  it('are those of one language, until another is chosen, which brings what the pages so far have needed', async () => {
    const { i18n, loadTexts, setLanguage } = await load('')
    const english = () =>
      ['platform', 'shell', 'ui', 'privacy', 'booking'].filter((each) => i18n.hasResourceBundle('en', each))
    await loadTexts('frame')
    await loadTexts('privacy')
    expect(english()).toEqual([])
    await setLanguage('en')
    expect(english()).toEqual(['platform', 'shell', 'ui', 'privacy'])
  })

  it('that a page brings while the language changes are loaded in the new one too', async () => {
    const { currentLanguage, loadTexts, setLanguage, textNow } = await load('')
    await loadTexts('frame')
    const change = setLanguage('en')
    const page = loadTexts('home')
    await Promise.all([change, page])
    expect(currentLanguage()).toBe('en')
    expect(textNow('home:book')).toBe('Book a bag')
  })
})

describe('a language chosen on another tab', () => {
  it('is applied, so that page and server use the same', async () => {
    const { currentLanguage, followLanguage } = await load('lang=en')
    expect(currentLanguage()).toBe('en')
    writeCookie('lang=ar')
    followLanguage()
    expect([currentLanguage(), document.documentElement.dir]).toEqual(['ar', 'rtl'])
  })

  it('is unchanged when the cookie has expired', async () => {
    const { currentLanguage, followLanguage } = await load('lang=en')
    clearLanguage()
    followLanguage()
    expect(currentLanguage()).toBe('en')
  })
})

describe('a text', () => {
  /** As untyped code would ask: parts of keys come from servers and addresses, too. */
  async function loadBags() {
    const { i18n, textNow } = await load('lang=en')
    i18n.addResourceBundle('ar', 'bags', {
      onlyHere: 'هنا',
      bag_zero: 'لا حقائب',
      bag_one: 'حقيبة',
      bag_two: 'حقيبتان',
      bag_few: '{{count}} حقائب',
      bag_many: '{{count}} حقيبة',
      bag_other: '{{count}} حقيبة',
    })
    i18n.addResourceBundle('en', 'bags', {
      title: 'Bags',
      bag_one: 'One bag of {{name}}',
      bag_other: '{{count}} bags of {{name}}',
      state: { open: 'Open', 'closed-late': 'Closed late' },
    })
    return textNow as (key: string, values?: Readonly<Record<string, unknown>>) => string
  }

  it.each([
    ['ar', 0, 'لا حقائب'],
    ['ar', 1, 'حقيبة'],
    ['ar', 2, 'حقيبتان'],
    ['ar', 7, '7 حقائب'],
    ['ar', 11, '11 حقيبة'],
    ['en', 1, 'One bag of <$&>'],
    ['en', 0, '0 bags of <$&>'],
  ])('has the form of its language for a number: %s, %i', async (lng, count, text) => {
    const textOf = await loadBags()
    expect(textOf('bags:bag', { lng, count, name: '<$&>' })).toBe(text)
  })

  it('that a language lacks is that of the default language, then the default of the call, then the key', async () => {
    const textOf = await loadBags()
    expect(textOf('bags:onlyHere')).toBe('هنا')
    expect(textOf('bags:state.lost', { defaultValue: 'lost' })).toBe('lost')
    for (const key of ['state.lost', 'state', 'constructor', 'title.length', 'state.__proto__.constructor'])
      expect(textOf(`bags:${key}`)).toBe(key)
  })

  it('leaves out a value that is missing, and fills no placeholder of a value', async () => {
    const textOf = await loadBags()
    expect(textOf('bags:bag', { count: 2 })).toBe('2 bags of ')
    const name = '{{count}} $t(bags:title) bags:title'
    expect(textOf('bags:bag', { count: 2, name })).toBe(`2 bags of ${name}`)
  })

  it('is named by a key that its catalogue has: another one fails the types', async () => {
    const { textNow } = await load('')
    // @ts-expect-error: no such key
    expect(textNow('home:nothing')).toBe('nothing')
    // @ts-expect-error: no such namespace
    expect(textNow('nowhere:book')).toBe('book')
    expectTypeOf<Parameters<typeof useTranslation<'home'>>[0]>().not.toBeAny()
    // @ts-expect-error: no such namespace
    expectTypeOf<Parameters<typeof useTranslation<'nowhere'>>[0]>().not.toBeAny()
    expectTypeOf<ParseKeys<'home'>>().extract<'book'>().toEqualTypeOf<'book'>()
    expectTypeOf<ParseKeys<'home'>>().extract<'nothing'>().toBeNever()
  })
})

// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** A fresh page load with this cookie. */
async function load(cookie: string) {
  vi.resetModules()
  clearLanguage()
  if (cookie !== '') writeCookie(cookie)
  document.documentElement.lang = ''
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
  it('is Arabic for whoever has not chosen, whatever the browser prefers', async () => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('en-US')
    const { currentLanguage } = await load('')
    expect(currentLanguage()).toBe('ar')
    expect(document.documentElement.lang).toBe('ar')
    expect(document.documentElement.dir).toBe('rtl')
  })

  it('is the one of the cookie', async () => {
    const { currentLanguage } = await load('lang=en; path=/')
    expect(currentLanguage()).toBe('en')
    expect(document.documentElement.dir).toBe('ltr')
  })

  it('is Arabic where the cookie names one we do not have', async () => {
    const { currentLanguage } = await load('lang=toString; path=/')
    expect(currentLanguage()).toBe('ar')
  })

  it('is kept for one day, for the whole site, and travels with links from other sites', async () => {
    const { setLanguage, currentLanguage } = await load('')
    const written = vi.spyOn(document, 'cookie', 'set')
    setLanguage('en')
    expect(written.mock.calls).toEqual([['lang=en; max-age=86400; path=/; samesite=lax']])
    expect(currentLanguage()).toBe('en')
    expect(document.documentElement.lang).toBe('en')
    expect(document.documentElement.dir).toBe('ltr')
  })
})

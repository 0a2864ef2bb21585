/** `intl` is the locale of dates and numbers. It gives Arabic the 12-hour clock and English the 24-hour clock. */
export const languages = {
  ar: { code: 'ar', direction: 'rtl', label: 'العربية', intl: 'ar-u-ca-gregory-nu-latn' },
  en: { code: 'en', direction: 'ltr', label: 'English', intl: 'en-u-ca-gregory-hc-h23-nu-latn' },
} as const

export type LanguageCode = keyof typeof languages

export type Names<K extends string> = Readonly<Record<K, Readonly<Record<LanguageCode, string>>>>

/** Arabic is the default and the fallback (spec §1). */
export const defaultLanguage: LanguageCode = 'ar'

/** The browser keeps the chosen language for one day (spec §1, §9). */
export const languageCookie = { name: 'lang', maxAgeSeconds: 86_400 } as const

export function isLanguageCode(value: unknown): value is LanguageCode {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}

import { inLanguage } from '#shared/platform/bilingual.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { countText } from '#shared/platform/duration.ts'
import type { LanguageCode, Names } from '#shared/platform/language.ts'
import { sumIn } from '#shared/platform/money.ts'
import type { PluralForms } from '#shared/platform/platform.texts.ts'

export const after = (separator: string, text: string): string => (text === '' ? '' : `${separator}${text}`)

export const nameIn = (names: Names<string>, key: string, language: LanguageCode): string =>
  Object.hasOwn(names, key) ? (names[key]?.[language] ?? key) : key

const tryForms: Readonly<Record<LanguageCode, PluralForms>> = {
  ar: { one: 'محاولة واحدة', two: 'محاولتين', few: '{n} محاولات', other: '{n} محاولة' },
  en: { one: '1 try', other: '{n} tries' },
}

export function factsIn(
  data: Readonly<Record<string, string | number | boolean | null>>,
  language: LanguageCode,
) {
  const fact = (name: string) => (data[name] === null || data[name] === undefined ? '' : String(data[name]))
  return {
    fact,
    sum: (name: string) =>
      data[name] === undefined ? '' : sumIn(language, Number(data[name]), fact('currency')),
    tries: countText(tryForms, Number(data.tries ?? 0), language),
    place: (name: string) => cityName(inLanguage(fact(name), language), language),
  }
}

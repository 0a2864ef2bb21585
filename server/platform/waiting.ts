import type { LanguageCode } from '#shared/platform/language.ts'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }

/** After "in" and "بعد": Arabic puts the dual into the genitive there, which the tables of `Intl` do not. */
const forms: Readonly<Record<'second' | 'minute' | 'hour', Readonly<Record<LanguageCode, Forms>>>> = {
  second: {
    ar: { one: 'ثانية واحدة', two: 'ثانيتين', few: '{n} ثوانٍ', other: '{n} ثانية' },
    en: { one: '1 second', other: '{n} seconds' },
  },
  minute: {
    ar: { one: 'دقيقة واحدة', two: 'دقيقتين', few: '{n} دقائق', other: '{n} دقيقة' },
    en: { one: '1 minute', other: '{n} minutes' },
  },
  hour: {
    ar: { one: 'ساعة واحدة', two: 'ساعتين', few: '{n} ساعات', other: '{n} ساعة' },
    en: { one: '1 hour', other: '{n} hours' },
  },
}

const plurals = { ar: new Intl.PluralRules('ar'), en: new Intl.PluralRules('en') }

/** How long to wait, as words behind "in": the unit that says enough, rounded up so that nobody comes too early. */
export function waitInWords(seconds: number): Readonly<Record<LanguageCode, string>> {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole < 120 && whole !== 60) return said('second', whole)
  const minutes = Math.ceil(whole / 60)
  return minutes < 120 && minutes !== 60 ? said('minute', minutes) : said('hour', Math.ceil(minutes / 60))
}

function said(unit: keyof typeof forms, amount: number): Readonly<Record<LanguageCode, string>> {
  const form = (language: LanguageCode) => {
    const known = forms[unit][language]
    return (known[plurals[language].select(amount)] ?? known.other).replace('{n}', String(amount))
  }
  return { ar: form('ar'), en: form('en') }
}

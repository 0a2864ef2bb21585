import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { durationForms } from '#shared/platform/platform.texts.ts'

/** A wait as text for use after "in", in a suitable unit, rounded up so that a retry is not too early. */
export function waitInWords(seconds: number): Readonly<Record<LanguageCode, string>> {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole < 120 && whole !== 60) return phrase('second', whole)
  const minutes = Math.ceil(whole / 60)
  return minutes < 120 && minutes !== 60 ? phrase('minute', minutes) : phrase('hour', Math.ceil(minutes / 60))
}

const pluralRules = Object.values(languages).map(({ code }) => [code, new Intl.PluralRules(code)] as const)

function phrase(unit: keyof typeof durationForms, amount: number): Readonly<Record<LanguageCode, string>> {
  const words = pluralRules.map(([code, rules]) => {
    const forms = durationForms[unit][code]
    const form = forms[rules.select(amount)] ?? forms.other
    return [code, form.replace('{n}', String(amount))]
  })
  return Object.fromEntries(words)
}

import type { LanguageCode } from './language.ts'
import { durationForms, type PluralForms } from './platform.texts.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export function spanOf(ms: number): readonly [count: number, unit: 'minute' | 'hour' | 'day'] {
  if (ms < 2 * hourMs) return [Math.max(1, Math.floor(ms / minuteMs)), 'minute']
  if (ms < 3 * dayMs) return [Math.floor(ms / hourMs), 'hour']
  return [Math.floor(ms / dayMs), 'day']
}

const rules = new Map<LanguageCode, Intl.PluralRules>()

export function countText(
  forms: Readonly<Record<LanguageCode, PluralForms>>,
  count: number,
  language: LanguageCode,
): string {
  const rule = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, rule)
  const own = forms[language]
  return (own[rule.select(count)] ?? own.other).replace('{n}', String(count))
}

/** The text fits after "for", "منذ" and "بعد": `ساعتين`, `70 minutes`. */
export function durationText(ms: number, language: LanguageCode): string {
  const [count, unit] = spanOf(ms)
  return countText(durationForms[unit], count, language)
}

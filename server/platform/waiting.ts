import { countText, durationText } from '#shared/platform/duration.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { durationForms } from '#shared/platform/platform.texts.ts'
import type { FieldText } from './errors.ts'

/** A waiting time in words, to stand after "in". It is rounded up, so that the user does not try again too early. */
export function waitInWords(seconds: number): FieldText {
  const whole = Math.max(1, Math.ceil(seconds))
  if (whole < 120 && whole !== 60) return phrase('second', whole)
  const minutes = Math.ceil(whole / 60)
  return minutes < 120 && minutes !== 60 ? phrase('minute', minutes) : phrase('hour', Math.ceil(minutes / 60))
}

/** A duration in words, to stand after "for" or "منذ". */
export const durationInWords = (ms: number): FieldText => inEach((language) => durationText(ms, language))

const phrase = (unit: keyof typeof durationForms, amount: number): FieldText =>
  inEach((language) => countText(durationForms[unit], amount, language))

const inEach = (textIn: (language: LanguageCode) => string): FieldText =>
  Object.fromEntries(Object.values(languages).map(({ code }) => [code, textIn(code)])) as Record<
    LanguageCode,
    string
  >

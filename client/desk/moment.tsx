import { formatDay } from '#client/platform/format.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'
import { Ltr } from '#client/ui/ltr.tsx'
import type { LanguageCode } from '#shared/platform/language.ts'
import { timeInRiyadh } from './times.ts'

/** The time in epoch milliseconds, read again every minute. */
export const useMinute = (): number => useNow(60_000)

/** Day and time of a moment, as values for a text. @param at ISO 8601 */
export const dayAndTime = (at: string, language: LanguageCode) => ({
  day: formatDay(at, language),
  time: timeInRiyadh(at),
})

/** A moment inside a text. */
export function useMoment(): (at: string) => string {
  const language = useLanguage()
  return (at) => `${formatDay(at, language)} ${timeInRiyadh(at)}`
}

/** A moment that is not part of a sentence. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <>
      <span>{formatDay(at, useLanguage())}</span> <Ltr>{timeInRiyadh(at)}</Ltr>
    </>
  )
}

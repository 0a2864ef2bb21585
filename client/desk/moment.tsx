import { formatMoment } from '#client/platform/dates.ts'
import { useLanguage } from '#client/platform/i18n.ts'
import { useNow } from '#client/platform/time.ts'

/** The time in epoch milliseconds, read again every minute. */
export const useMinute = (): number => useNow(60_000)

/** A moment inside a text. */
export function useMoment(): (at: string) => string {
  const language = useLanguage()
  return (at) => formatMoment(at, language)
}

/** A moment that is not part of a sentence. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <bdi>
      <time dateTime={at}>{formatMoment(at, useLanguage())}</time>
    </bdi>
  )
}

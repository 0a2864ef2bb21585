import { isoOf } from '#shared/platform/instant.ts'
import type { Stop } from '#shared/platform/stop.ts'
import type { OpenStop, StopRow } from './stops.queries.ts'

export function shownStop({ what, code, from_at, until_at, text_ar, text_en }: StopRow): Stop {
  return {
    what,
    ...(code === null ? {} : { code }),
    from: isoOf(from_at),
    ...(until_at === null ? {} : { until: isoOf(until_at) }),
    text: {
      ar: text_ar,
      en: text_en,
    },
  }
}

export const lasting = (rows: readonly OpenStop[]): OpenStop[] =>
  rows.filter(({ until_at, now }) => until_at === null || until_at > now)

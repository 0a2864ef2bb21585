import { expect, it } from 'vitest'
import { durationText } from './duration.ts'

const minute = 60_000
const hour = 60 * minute

it.each([
  [0, 'دقيقة واحدة', '1 minute'],
  [minute, 'دقيقة واحدة', '1 minute'],
  [2 * minute, 'دقيقتين', '2 minutes'],
  [3 * minute, '3 دقائق', '3 minutes'],
  [11 * minute, '11 دقيقة', '11 minutes'],
  [70 * minute, '70 دقيقة', '70 minutes'],
  [2 * hour, 'ساعتين', '2 hours'],
  [71 * hour, '71 ساعة', '71 hours'],
  [72 * hour, '3 أيام', '3 days'],
  [11 * 24 * hour, '11 يومًا', '11 days'],
  [100 * 24 * hour, '100 يوم', '100 days'],
])('%i milliseconds are «منذ %s», for %s', (ms, ar, en) => {
  expect([durationText(ms, 'ar'), durationText(ms, 'en')]).toEqual([ar, en])
})

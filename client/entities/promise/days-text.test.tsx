// @vitest-environment jsdom

import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { setLanguage, textNow } from '#client/platform/i18n.ts'
import type { DaySpan } from '#shared/platform/promises.schemas.ts'
// Its texts are loaded there.
import '#test/kit/client/render-page.tsx'
import { useDaysText } from './days-text.ts'

it.each<[DaySpan, string, string]>([
  [[1, 6], 'يوم إلى 6 أيام', '1–6 days'],
  [[2, 4], 'يومين إلى 4 أيام', '2–4 days'],
  [[1, 2], 'يوم أو يومين', '1–2 days'],
  [[3, 6], '3 إلى 6 أيام', '3–6 days'],
  [[2, 3], 'يومين إلى 3 أيام', '2–3 days'],
  [[1, 1], 'يوم', '1 day'],
  [[2, 2], 'يومين', '2 days'],
  [[3, 3], '3 أيام', '3 days'],
  [[9, 11], '9 إلى 11 يومًا', '9–11 days'],
  [[14, 14], '14 يومًا', '14 days'],
  [[90, 100], '90 إلى 100 يوم', '90–100 days'],
  [[0, 1], 'يوم', 'up to 1 day'],
  [[0, 3], '3 أيام', 'up to 3 days'],
  [[0, 0], 'أقل من يوم', 'less than a day'],
])('%j are %s and %s', async (span, arabic, english) => {
  for (const [language, text] of [
    ['ar', arabic],
    ['en', english],
  ] as const) {
    await setLanguage(language)
    const { result } = renderHook(useDaysText)
    expect(result.current(span)).toBe(text)
    const days = result.current(span)
    expect(textNow('promise:usually', { days })).toBe(
      language === 'ar' ? `تصل عادةً خلال ${arabic}` : `Usually there in ${english}`,
    )
  }
})

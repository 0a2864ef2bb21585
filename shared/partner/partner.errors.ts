import { defineErrors } from '#shared/platform/problem.ts'

export const partnerErrors = defineErrors({
  CENTERS_UNAVAILABLE: {
    status: 503,
    level: 'error',
    text: { ar: 'تعذّر تحميل الفروع الآن. أعد المحاولة بعد قليل.', en: 'Failed to fetch centers' },
  },
  AGENTS_UNAVAILABLE: {
    status: 503,
    level: 'error',
    text: { ar: 'تعذّر تحميل الوكلاء الآن. أعد المحاولة بعد قليل.', en: 'Failed to fetch agents' },
  },
})

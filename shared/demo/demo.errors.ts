import { defineErrors } from '#shared/platform/problem.ts'

export const demoErrors = defineErrors({
  DEMO_KEY_REFUSED: {
    status: 401,
    level: 'warn',
    text: {
      ar: 'مفتاح أدوات الاختبار ناقص أو غير صحيح.',
      en: 'The key of the testers’ calls is missing or wrong.',
    },
  },
})

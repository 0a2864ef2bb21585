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
  DATABASE_NOT_DEMO: {
    status: 409,
    level: 'error',
    text: {
      ar: 'قاعدة البيانات هذه ليست قاعدة تجربة، فلا تُفرَّغ ولا يُغيَّر وقتها.',
      en: 'This database does not belong to a demo. It is not emptied, and its clock is not moved.',
    },
  },
})

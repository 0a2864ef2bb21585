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
      ar: 'قاعدة البيانات هذه ليست قاعدة تجربة، فلا تُفرَّغ ولا تُستبدل ولا يُغيَّر وقتها.',
      en: 'This database does not belong to a demo. It is not emptied, copied or replaced, and its clock is not moved.',
    },
  },
  SNAPSHOT_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لا توجد نسخة محفوظة بهذا الاسم.', en: 'There is no snapshot of this name.' },
  },
  SNAPSHOT_UNUSABLE: {
    status: 409,
    level: 'info',
    text: {
      ar: 'أُخذت هذه النسخة من قاعدة بيانات أخرى أو من إصدار آخر، ولا يمكن استعادتها.',
      en: 'This snapshot was taken of another kind of database or by another build, and cannot be restored.',
    },
  },
})

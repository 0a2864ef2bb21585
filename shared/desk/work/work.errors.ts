import { defineErrors } from '#shared/platform/problem.ts'

export const workErrors = defineErrors({
  WORK_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم يعد هذا في القائمة.', en: 'This is not in the list any more.' },
  },
  WORK_TAKEN: {
    status: 409,
    level: 'info',
    text: {
      ar: 'مُسند إلى {{who}} منذ {{time}}. لم يُنفَّذ طلبك.',
      en: '{{who}} has had this for {{time}}. Yours was not done.',
    },
  },
  COLLEAGUE_NOT_FOUND: {
    status: 409,
    level: 'info',
    text: {
      ar: 'ليس هذا الزميل على المكتب الآن. اختر غيره.',
      en: 'That colleague is not at the desk now. Choose another one.',
    },
  },
})

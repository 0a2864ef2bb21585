import { defineErrors } from '#shared/platform/problem.ts'

export const ordersErrors = defineErrors({
  ORDER_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذا الطلب.', en: 'We could not find this order.' },
  },
  LABEL_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذه البوليصة.', en: 'We could not find this airway bill.' },
  },
  LABEL_DELETED: {
    status: 410,
    level: 'info',
    text: {
      ar: 'حُذف ملف هذه البوليصة مع حساب صاحبها.',
      en: 'The file of this airway bill was deleted together with the account it belonged to.',
    },
  },
  LABEL_NOT_READY: {
    status: 503,
    level: 'warn',
    text: {
      ar: 'ملف البوليصة لم يصل من شريك الشحن بعد. أعد المحاولة بعد قليل.',
      en: 'The label file has not arrived from the shipping partner yet. Try again in a moment.',
    },
  },
})

import { defineErrors } from '#shared/platform/problem.ts'

export const receiptsErrors = defineErrors({
  RECEIPT_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: {
      ar: 'لا يوجد إيصال لهذا الطلب. يصدر الإيصال عند الدفع.',
      en: 'This order has no receipt. A receipt is issued when the order is paid.',
    },
  },
  RECEIPT_NOT_READY: {
    status: 503,
    level: 'error',
    text: {
      ar: 'إيصالك مسجَّل ولم يُكتب بعد. أعد المحاولة بعد قليل.',
      en: 'Your receipt is registered and not written yet. Try again in a moment.',
    },
  },
})

import { defineErrors } from '#shared/platform/problem.ts'

export const ordersErrors = defineErrors({
  ORDER_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذا الطلب.', en: 'We could not find this order.' },
  },
  TOO_MANY_OPEN_ORDERS: {
    status: 409,
    level: 'warn',
    text: {
      ar: 'لديك طلبات كثيرة لم تُدفع بعد. ادفع أحدها من صفحة «طلباتي»، أو انتظر حتى تنتهي مهلتها (ساعة وربع تقريبًا)، ثم احجز من جديد.',
      en: 'You have many orders that are not paid yet. Pay one of them under My orders, or wait until they expire (about an hour and a quarter), then book again.',
    },
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
      ar: 'لم يعد ملف هذه البوليصة محفوظًا: انقضت مدة حفظه، أو حُذف حساب صاحبها.',
      en: 'The file of this airway bill is no longer kept: its time is over, or the account it belonged to was deleted.',
    },
  },
  LABEL_WITHDRAWN: {
    status: 410,
    level: 'info',
    text: {
      ar: 'لم تعد بوليصة الشحن هذه صالحة، لأن مبلغ الطلب أُعيد أو لأنه أُلغي.',
      en: 'This airway bill is no longer valid, because the order was refunded or cancelled.',
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

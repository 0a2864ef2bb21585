import { defineErrors } from '#shared/platform/problem.ts'

export const sharesErrors = defineErrors({
  NOTHING_TO_SHARE: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لا توجد رحلة لمشاركتها: تُشارَك رحلة الحقيبة بعد الدفع وحتى انتهاء الطلب.',
      en: 'There is no journey to share: a bag’s journey can be shared once the order is paid, until the order has ended.',
    },
  },
  SHARE_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: {
      ar: 'هذا الرابط لا يعمل: ربما انتهى أو نُسخ ناقصًا. اطلب رابطًا جديدًا من صاحب الحقيبة.',
      en: 'This link does not work: it has ended, or was not copied whole. Ask the bag’s owner for a new one.',
    },
  },
})

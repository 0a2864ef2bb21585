import { defineErrors } from '#shared/platform/problem.ts'

export const pushErrors = defineErrors({
  PUSH_NOT_OFFERED: {
    status: 404,
    level: 'info',
    text: { ar: 'الإشعارات غير متاحة حاليًا.', en: 'Notifications are not available at present.' },
  },
  PUSH_ENDPOINT_REFUSED: {
    status: 422,
    level: 'warn',
    text: {
      ar: 'خدمة الإشعارات في هذا المتصفح غير معروفة لدينا.',
      en: 'The notification service of this browser is not known to us.',
    },
  },
  PUSH_ENDPOINT_TAKEN: {
    status: 409,
    level: 'warn',
    text: {
      ar: 'اشتراك الإشعارات هذا مسجّل بمفاتيح أخرى. أوقف الإشعارات في المتصفح ثم فعّلها من جديد.',
      en: 'This subscription is registered with other keys. Turn notifications off in the browser, then on again.',
    },
  },
})

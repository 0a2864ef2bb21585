import { defineErrors } from '#shared/platform/problem.ts'

export const trackingErrors = defineErrors({
  TRACKING_CALLBACK_REFUSED: {
    status: 401,
    level: 'warn',
    text: { ar: 'مفتاح الإشعار غير صحيح.', en: 'The key of the callback does not fit.' },
  },
})

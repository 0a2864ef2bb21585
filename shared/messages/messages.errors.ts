import { defineErrors } from '#shared/platform/problem.ts'

export const messagesErrors = defineErrors({
  MESSAGE_CALLBACK_REFUSED: {
    status: 401,
    level: 'warn',
    text: { ar: 'توقيع إشعار الرسالة غير صحيح.', en: 'The signature of the status callback does not fit.' },
  },
})

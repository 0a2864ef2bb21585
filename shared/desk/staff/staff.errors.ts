import { defineErrors } from '#shared/platform/problem.ts'

export const deskErrors = defineErrors({
  STAFF_NOT_SIGNED_IN: {
    status: 401,
    level: 'info',
    text: { ar: 'انتهت جلستك. سجّل الدخول من جديد.', en: 'Your session has ended. Sign in again.' },
  },
  STAFF_ROLE_MISSING: {
    status: 403,
    level: 'warn',
    text: {
      ar: 'ليس لحسابك صلاحية على هذا الإجراء. اطلبها من المشرف.',
      en: 'Your account has no right to this. Ask your lead.',
    },
  },
  LOGOUT_TOKEN_REFUSED: {
    status: 400,
    level: 'warn',
    text: { ar: 'رُفض طلب إنهاء الجلسة.', en: 'The log-out token was refused.' },
  },
  IDENTITY_UNAVAILABLE: {
    status: 503,
    level: 'warn',
    text: { ar: 'خدمة الدخول في الشركة لا ترد.', en: 'Your company’s sign-in does not answer.' },
  },
})

import { defineErrors } from '#shared/platform/problem.ts'

export const passesErrors = defineErrors({
  WALLET_NOT_OFFERED: {
    status: 404,
    level: 'info',
    text: {
      ar: 'الحفظ في محفظة Google غير متاح حاليًا.',
      en: 'Saving to Google Wallet is not available at present.',
    },
  },
  VISIT_UNKNOWN: {
    status: 404,
    level: 'info',
    text: {
      ar: 'لا موعد معروفًا لهذا الطلب الآن.',
      en: 'No time is known for this order now.',
    },
  },
})

import { defineErrors } from '#shared/platform/problem.ts'

export const deskOrdersErrors = defineErrors({
  REASON_NEEDED: {
    status: 400,
    level: 'info',
    text: {
      ar: 'اكتب سبب الاطلاع، في 5 أحرف على الأقل.',
      en: 'Say why you need to look, in at least 5 characters.',
    },
  },
})

import { defineErrors } from '#shared/platform/problem.ts'

export const deskOrdersErrors = defineErrors({
  PERSON_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لا يوجد حساب بهذا الرقم.', en: 'There is no account with this number.' },
  },
  NOT_LOCKED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'دخول هذا الحساب مفتوح، فلم يتغير شيء.',
      en: 'The sign-in of this account is open, so nothing was changed.',
    },
  },
  AGENT_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: {
      ar: 'لا يوجد هذا الوكيل في قائمة شريك الشحن.',
      en: 'The shipping partner’s list has no such agent.',
    },
  },
  PAIRING_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: {
      ar: 'لا يعرض جهاز لهذا الوكيل هذا الرقم الآن. يتغير الرقم بعد نصف ساعة، ولا يُفتح مرتين. اطلب منه أن يقرأ الرقم الظاهر على شاشته.',
      en: 'No device of this agent shows this number now. It changes after half an hour, and opens once. Ask for the number that is on the screen.',
    },
  },
  REASON_NEEDED: {
    status: 400,
    level: 'info',
    text: {
      ar: 'اكتب سبب الاطلاع، في 5 أحرف على الأقل.',
      en: 'Say why you need to look, in at least 5 characters.',
    },
  },
})

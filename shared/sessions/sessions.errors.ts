import { defineErrors } from '#shared/platform/problem.ts'

export const sessionsErrors = defineErrors({
  NOT_SIGNED_IN: {
    status: 401,
    level: 'info',
    text: { ar: 'سجّل الدخول أولًا.', en: 'Please sign in first.' },
  },
  WRONG_ROLE: {
    status: 403,
    level: 'info',
    text: { ar: 'هذا الحساب لا يتيح لك هذه الصفحة.', en: 'This account cannot do that.' },
  },
  PHONE_INVALID: {
    status: 400,
    level: 'info',
    text: { ar: 'أدخل رقم جوال صحيحًا.', en: 'Please enter a valid phone number' },
  },
  NAME_REQUIRED: {
    status: 400,
    level: 'info',
    text: { ar: 'أدخل اسمك من فضلك.', en: 'Please enter your name' },
  },
  CODE_INVALID: {
    status: 400,
    level: 'info',
    text: {
      ar: 'الرمز غير صحيح أو انتهت صلاحيته. راجعه أو اطلب رمزًا جديدًا.',
      en: 'That code is wrong or has expired. Check it or ask for a new one.',
    },
  },
  SIGN_UP_REQUIRED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'هذا الرقم جديد لدينا. أدخل اسمك لإتمام التسجيل.',
      en: 'This number is new to us. Enter your name to finish signing up.',
    },
  },
  CODE_REQUESTED_TOO_SOON: {
    status: 429,
    level: 'info',
    text: {
      ar: 'أرسلنا رمزًا إلى هذا الرقم قبل قليل. يمكنك طلب رمز جديد بعد {{seconds}} ث.',
      en: 'We sent a code to this number a moment ago. You can ask for a new one in {{seconds}} s.',
    },
  },
  TOO_MANY_CODES: {
    status: 429,
    level: 'warn',
    text: {
      ar: 'محاولات كثيرة لهذا الرقم. أعد المحاولة بعد {{minutes}} د.',
      en: 'Too many tries for this number. Try again in {{minutes}} min.',
    },
  },
  OTP_UNAVAILABLE: {
    status: 503,
    level: 'error',
    text: {
      ar: 'تعذّر إرسال الرمز الآن. أعد المحاولة بعد قليل.',
      en: 'We could not reach the code service. Try again in a moment.',
    },
  },
})

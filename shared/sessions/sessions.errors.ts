import { brand } from '#shared/platform/brand.ts'
import { defineErrors } from '#shared/platform/problem.ts'

const { email } = brand.contact
/** The isolates keep the plus sign before the digits in Arabic text. */
const phone = `\u2066${brand.contact.phone}\u2069`

export const channelTexts = {
  sms: { ar: 'برسالة نصية', en: 'by text message' },
  whatsapp: { ar: 'على واتساب', en: 'on WhatsApp' },
  call: { ar: 'بمكالمة', en: 'by phone call' },
  email: { ar: 'بالبريد الإلكتروني', en: 'by e-mail' },
} as const

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
  CONFIRMATION_REQUIRED: {
    status: 403,
    level: 'info',
    text: {
      ar: 'أكّد أنك صاحب الحساب: نرسل رمزًا إلى رقمك الحالي.',
      en: 'Confirm that it is you: we send a code to your present number.',
    },
  },
  CONFIRMATION_FAILED: {
    status: 401,
    level: 'warn',
    text: {
      ar: 'أُدخلت ثلاثة رموز خاطئة، فأنهينا هذه الجلسة حمايةً لحسابك. سجّل الدخول من جديد.',
      en: 'Three wrong codes were entered, so we ended this session to protect your account. Sign in again.',
    },
  },
  SESSION_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذه الجلسة، أو أنها انتهت.', en: 'We could not find this session, or it has ended.' },
  },
  PHONE_INVALID: {
    status: 400,
    level: 'info',
    text: { ar: 'أدخل رقم جوال صحيحًا.', en: 'Please enter a valid phone number' },
  },
  PHONE_CANNOT_RECEIVE_CODES: {
    status: 400,
    level: 'info',
    text: {
      ar: `لا يمكن لهذا الرقم استقبال رموز التحقق. استخدم رقم جوال آخر أو تواصل معنا: ${phone} أو ${email}.`,
      en: `This number cannot receive codes. Use another mobile number, or contact us: ${phone} or ${email}.`,
    },
  },
  CHANNEL_UNAVAILABLE: {
    status: 409,
    level: 'info',
    text: {
      ar: 'تعذّر إرسال الرمز {{channel}}. اختر طريقة أخرى.',
      en: 'We could not send the code {{channel}}. Choose another way.',
    },
  },
  NAME_REQUIRED: {
    status: 400,
    level: 'info',
    text: { ar: 'أدخل اسمك من فضلك.', en: 'Please enter your name' },
  },
  NAME_INVALID: {
    status: 400,
    level: 'info',
    text: {
      ar: 'اكتب اسمك بالحروف.',
      en: 'Please write your name in letters.',
    },
  },
  NAME_TOO_LONG: {
    status: 400,
    level: 'info',
    text: {
      ar: 'الاسم {{limit}} حرفًا على الأكثر. اختصره من فضلك.',
      en: 'A name has at most {{limit}} letters here. Please shorten it.',
    },
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
  CODE_USED_UP: {
    status: 400,
    level: 'info',
    text: {
      ar: 'انتهت محاولات هذا الرمز. اطلب رمزًا جديدًا.',
      en: 'This code has been tried too often. Please ask for a new one.',
    },
  },
  CODE_REQUESTED_TOO_SOON: {
    status: 429,
    level: 'info',
    text: {
      ar: 'أرسلنا رمزًا إلى هذا الرقم قبل قليل. يمكنك طلب رمز جديد بعد {{wait}}.',
      en: 'We sent a code to this number a moment ago. You can ask for a new one in {{wait}}.',
    },
  },
  TOO_MANY_CODES: {
    status: 429,
    level: 'warn',
    text: {
      ar: 'طُلبت رموز كثيرة لهذا الرقم. يمكنك طلب رمز جديد بعد {{wait}}.',
      en: 'Too many codes were requested for this number. You can ask for a new one in {{wait}}.',
    },
  },
  TOO_MANY_WRONG_CODES: {
    status: 429,
    level: 'warn',
    text: {
      ar: 'أُدخلت رموز خاطئة كثيرة لهذا الرقم. يمكنك المحاولة مرة أخرى بعد {{wait}}.',
      en: 'Too many wrong codes were entered for this number. You can try again in {{wait}}.',
    },
  },
  PHONE_LOCKED: {
    status: 429,
    level: 'warn',
    text: {
      ar: `أوقفنا الدخول بهذا الرقم حمايةً للحساب بعد رموز خاطئة كثيرة. لإعادة فتحه تواصل معنا: ${phone} أو ${email}. وما زال الدخول ممكنًا من جهاز سبق الدخول منه.`,
      en: `Signing in with this number is stopped to protect the account, after too many wrong codes. To open it again, contact us: ${phone} or ${email}. A device that has signed in before still works.`,
    },
  },
  EMAIL_UNAVAILABLE: {
    status: 409,
    level: 'info',
    text: { ar: 'لا يتوفر البريد الإلكتروني في هذه الخدمة.', en: 'This service does not use e-mail.' },
  },
  EMAIL_INVALID: {
    status: 400,
    level: 'info',
    text: { ar: 'أدخل بريدًا إلكترونيًا صحيحًا.', en: 'Please enter a valid e-mail address' },
  },
  EMAIL_HAS_ACCOUNT: {
    status: 409,
    level: 'info',
    text: {
      ar: 'هذا البريد مسجَّل في حساب آخر. استخدم بريدًا غيره.',
      en: 'This address belongs to another account. Use another one.',
    },
  },
  NUMBER_HAS_ACCOUNT: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لهذا الرقم حساب آخر، ولم يتغير شيء. سجّل الدخول به، أو استخدم رقمًا غيره.',
      en: 'This number has an account of its own, so nothing was changed. Log in with it, or use another number.',
    },
  },
  EMAIL_REFUSED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'رُفض آخر بريد أُضيف إلى هذا الحساب من صندوقه. يمكن إضافة بريد بعد {{wait}}.',
      en: 'The last address of this account was refused from its own mailbox. An address can be added in {{wait}}.',
    },
  },
  EMAIL_STOP_ENDED: {
    status: 404,
    level: 'info',
    text: {
      ar: 'لم يعد هذا الرابط يعمل: استُخدم من قبل، أو مضى عليه 24 ساعة، أو لم يعد هذا البريد في الحساب.',
      en: 'This link no longer works: it was used, is older than 24 hours, or the account no longer has this address.',
    },
  },
  TOO_MANY_EMAIL_CODES: {
    status: 429,
    level: 'info',
    text: {
      ar: 'طُلبت لهذا البريد أو أُدخلت له رموز كثيرة. يمكنك المحاولة مرة أخرى بعد {{wait}}.',
      en: 'Too many codes were requested or entered for this address. You can try again in {{wait}}.',
    },
  },
  EMAIL_LOCKED: {
    status: 429,
    level: 'warn',
    text: {
      ar: `أوقفنا الرموز المرسلة إلى هذا البريد حمايةً للحساب بعد رموز خاطئة كثيرة. للمساعدة تواصل معنا: ${phone} أو ${email}.`,
      en: `Codes to this address are stopped to protect the account, after too many wrong ones. For help, contact us: ${phone} or ${email}.`,
    },
  },
  SIGN_IN_BUSY: {
    status: 429,
    level: 'warn',
    text: {
      ar: 'الطلبات على تسجيل الدخول كثيرة جدًا الآن، ولا علاقة لك بذلك. يمكنك المحاولة مرة أخرى بعد {{wait}}.',
      en: 'Sign-in is very busy right now. It is nothing you did. You can try again in {{wait}}.',
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

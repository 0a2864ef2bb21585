import { defineErrors } from './problem.ts'

export const platformErrors = defineErrors({
  INVALID_REQUEST: {
    status: 400,
    level: 'info',
    text: {
      ar: 'تعذّرت قراءة الطلب. راجع الحقول وأعد المحاولة.',
      en: 'The request could not be read. Check the fields and try again.',
    },
  },
  BODY_TOO_LARGE: {
    status: 413,
    level: 'warn',
    text: { ar: 'الطلب أكبر من المسموح.', en: 'The request is too large.' },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    level: 'info',
    text: {
      ar: 'نوع محتوى الطلب غير مدعوم. استخدم JSON.',
      en: 'The content type is not supported. Send JSON.',
    },
  },
  PHOTO_REFUSED: {
    status: 422,
    level: 'info',
    text: {
      ar: 'تعذّر قبول الصورة. صوّر الحقيبة من جديد، أو أرسل دون صورة.',
      en: 'The picture was not accepted. Take it again, or send without.',
    },
  },
  NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد ما تبحث عنه.', en: 'We could not find what you are looking for.' },
  },
  FORBIDDEN_ORIGIN: {
    status: 403,
    level: 'warn',
    text: {
      ar: 'رُفض الطلب لأنه لم يأتِ من هذا الموقع.',
      en: 'The request was refused because it did not come from this site.',
    },
  },
  UNKNOWN_HOST: {
    status: 421,
    level: 'warn',
    text: {
      ar: 'هذا العنوان ليس عنوان هذا الموقع.',
      en: 'This address is not one of this site.',
    },
  },
  TOO_MANY_CALLS: {
    status: 429,
    level: 'warn',
    text: {
      ar: 'طُلب هذا مرات كثيرة خلال وقت قصير. يمكنك المحاولة مرة أخرى بعد {{wait}}.',
      en: 'This was asked for too often in a short time. You can try again in {{wait}}.',
    },
  },
  CLOSING: {
    status: 503,
    level: 'info',
    text: {
      ar: 'الخدمة تُعاد الآن. أعد المحاولة بعد لحظات.',
      en: 'The service is restarting. Try again in a moment.',
    },
  },
  OVERLOADED: {
    status: 503,
    level: 'warn',
    text: {
      ar: 'الضغط على الخدمة كبير الآن. أعد المحاولة بعد {{wait}}.',
      en: 'The service is very busy right now. Try again in {{wait}}.',
    },
  },
  TOO_MANY_STREAMS: {
    status: 503,
    level: 'info',
    text: {
      ar: 'لا يمكن فتح تحديث مباشر آخر الآن. تُحدَّث الصفحة كل بضع ثوانٍ.',
      en: 'No further live update can be opened now. The page is updated every few seconds.',
    },
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    level: 'error',
    text: {
      ar: 'لا يمكننا حفظ شيء في هذه اللحظة. أعد المحاولة بعد {{wait}}.',
      en: 'We cannot save anything right now. Try again in {{wait}}.',
    },
  },
  UNEXPECTED: {
    status: 500,
    level: 'error',
    text: {
      ar: 'حدث خطأ لم نتوقعه. أعد المحاولة بعد قليل.',
      en: 'Something went wrong on our side. Try again in a moment.',
    },
  },
})

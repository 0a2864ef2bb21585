import { defineErrors } from '#shared/platform/problem.ts'

export const claimsErrors = defineErrors({
  CLAIM_OPEN: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لديك بلاغ مفتوح عن هذه المشكلة: {{number}}.',
      en: 'You have an open claim on this: {{number}}.',
    },
  },
  CLAIM_NOT_OFFERED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لا يمكن الإبلاغ عن هذه المشكلة الآن. اختر مشكلة أخرى، أو تواصل معنا.',
      en: 'This problem cannot be reported now. Choose another one, or contact us.',
    },
  },
  CLAIM_CLOSED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'أُغلق هذا البلاغ، ولا يُكتب فيه بعد الآن. تواصل معنا إن احتجت إلى مساعدة.',
      en: 'This claim is closed, and nothing more can be written in it. Contact us if you need help.',
    },
  },
  /** The next three errors repeat CLAIM_OPEN, CLAIM_NOT_OFFERED and CLAIM_CLOSED with texts for staff. */
  DESK_CLAIM_OPEN: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لهذه الحقيبة بلاغ مفتوح عن هذه المشكلة: {{number}}.',
      en: 'This bag has an open claim on this: {{number}}.',
    },
  },
  DESK_CLAIM_NOT_OFFERED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لا يُقبل بلاغ من هذا النوع عن هذه الحقيبة الآن. اختر نوعًا آخر.',
      en: 'This kind of claim is not offered on this bag now. Choose another one.',
    },
  },
  DESK_CLAIM_CLOSED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'أُغلق البلاغ {{number}} قبلك، ولا يُكتب فيه بعد الآن.',
      en: 'Claim {{number}} was closed before you, and nothing more can be written in it.',
    },
  },
  DESK_CLAIM_UNREAD: {
    status: 409,
    level: 'info',
    text: {
      ar: 'كتب صاحب الطلب رسالة لم تظهر لك بعد. اقرأها، ثم أرسل من جديد.',
      en: 'The owner has written something that you have not seen yet. Read it, then send again.',
    },
  },
  PHOTO_THERE: {
    status: 409,
    level: 'info',
    text: {
      ar: 'في هذا الموضع صورة من قبل، ولا تُستبدل هنا.',
      en: 'There is a photograph in this place already, and it is not replaced here.',
    },
  },
  CLAIM_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذا البلاغ أو هذه الصورة.', en: 'We could not find this claim or this picture.' },
  },
})

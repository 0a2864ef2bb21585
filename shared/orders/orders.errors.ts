import { defineErrors, type ErrorRow } from '#shared/platform/problem.ts'
import { personNameMaxLength } from '#shared/sessions/person-name.ts'
import { handoverPhotoHours } from './handovers.operations.ts'

export const ordersErrors = defineErrors({
  ORDER_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذا الطلب.', en: 'We could not find this order.' },
  },
  TOO_MANY_OPEN_ORDERS: {
    status: 409,
    level: 'warn',
    text: {
      ar: 'لديك طلبات كثيرة لم تُدفع بعد. ادفع أحدها من صفحة «طلباتي»، أو انتظر حتى تنتهي مهلتها (ساعة وربع تقريبًا)، ثم احجز من جديد.',
      en: 'You have many orders that are not paid yet. Pay one of them under My orders, or wait until they expire (about an hour and a quarter), then book again.',
    },
  },
  ALREADY_HANDED_OVER: {
    status: 409,
    level: 'info',
    text: {
      ar: 'سُلّمت حقيبة من هذا الطلب للوكيل، فلا يمكن إلغاؤه. تواصل معنا إن احتجت إلى مساعدة.',
      en: 'A bag of this order has been handed over, so it cannot be cancelled. Contact us if you need help.',
    },
  },
  CANCELLATION_NOT_OFFERED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لا يمكن إلغاء هذا الطلب بعد دفعه، أو انقضت مهلة إلغائه. تواصل معنا إن احتجت إلى مساعدة.',
      en: 'This order cannot be cancelled after it was paid, or the time to cancel it has ended. Contact us if you need help.',
    },
  },
  ORDER_NOT_CANCELLABLE: {
    status: 409,
    level: 'info',
    text: { ar: 'لم يُلغَ الطلب: {{why}}', en: 'The order was not cancelled: {{why}}' },
  },
  RECEIVER_REFUSED: {
    status: 422,
    level: 'info',
    text: {
      ar: 'تعذّر حفظ بيانات المستلم. راجع الحقول المحددة.',
      en: 'The receiver cannot be saved like this. Check the fields named.',
    },
  },
  RECEIVER_PRINTED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'طُبعت بوليصة الشحن أو تُطبع الآن، فلا يمكن تغيير المستلم. تواصل معنا إن احتجت إلى مساعدة.',
      en: 'The airway bill has been printed or is being printed, so the receiver cannot be changed. Contact us if you need help.',
    },
  },
  ORDER_ENDED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'انتهى هذا الطلب، فلم يعد تغيير المستلم ممكنًا.',
      en: 'This order has ended, so the receiver can no longer be changed.',
    },
  },
  LABEL_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذه البوليصة.', en: 'We could not find this airway bill.' },
  },
  LABEL_DELETED: {
    status: 410,
    level: 'info',
    text: {
      ar: 'لم يعد ملف هذه البوليصة محفوظًا: انقضت مدة حفظه، أو حُذف حساب صاحبها.',
      en: 'The file of this airway bill is no longer kept: its time is over, or the account it belonged to was deleted.',
    },
  },
  LABEL_WITHDRAWN: {
    status: 410,
    level: 'info',
    text: {
      ar: 'لم تعد بوليصة الشحن هذه صالحة، لأن مبلغ الطلب أُعيد أو لأنه أُلغي.',
      en: 'This airway bill is no longer valid, because the order was refunded or cancelled.',
    },
  },
  LABEL_CLOSED: {
    status: 410,
    level: 'info',
    text: {
      ar: 'لم تعد بوليصة الشحن هذه تُعرض عليك: استلمت حقيبتها منذ أكثر من 30 يومًا، أو دُفعت أجرتها منذ أكثر من 90 يومًا.',
      en: 'This airway bill is no longer shown to you: its bag was handed over more than 30 days ago, or paid more than 90 days ago.',
    },
  },
  LABEL_NOT_READY: {
    status: 503,
    level: 'warn',
    text: {
      ar: 'ملف البوليصة لم يصل من شريك الشحن بعد. أعد المحاولة بعد قليل.',
      en: 'The airway bill has not arrived from the shipping partner yet. Try again in a moment.',
    },
  },
  ALREADY_RECEIVED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'استُلمت هذه الحقيبة من قبل: {{time}}.',
      en: 'This bag was already received: {{time}}.',
    },
  },
  DO_NOT_ACCEPT: {
    status: 409,
    level: 'warn',
    text: {
      ar: 'لا تستلم هذه الحقيبة: أُلغي الطلب أو أُعيد مبلغه. تعود الحقيبة إلى صاحبها.',
      en: 'Do not accept this bag: the order was cancelled or refunded. The bag goes back to its owner.',
    },
  },
  REFUSED_OFTEN: {
    status: 409,
    level: 'warn',
    text: {
      ar: 'سُجّل عدم قبول هذه الحقيبة مرات كثيرة، ولا يُسجَّل مرة أخرى. تواصل معنا.',
      en: 'This bag was noted as not accepted many times, and is not noted again. Contact us.',
    },
  },
  TOO_LATE: {
    status: 409,
    level: 'info',
    text: {
      ar: `فات الوقت: يُتراجع عن الاستلام خلال عشر دقائق ما لم تصر الحقيبة مع شريك الشحن، وتُرسل صورته خلال ${handoverPhotoHours} ساعة.`,
      en: `It is too late: a hand-over can be undone within ten minutes, until the shipping partner has the bag, and its picture sent within ${handoverPhotoHours} hours.`,
    },
  },
  PHOTO_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لم نجد هذه الصورة.', en: 'We could not find this picture.' },
  },
})

export const receiverRefusals = {
  'receiver.name': {
    ar: `اكتب اسم المستلم بالحروف كما في هويته، في ${personNameMaxLength} حرفًا على الأكثر.`,
    en: `Write the receiver’s name in letters as in the identity document, in at most ${personNameMaxLength} of them.`,
  },
  'receiver.phone': {
    ar: 'رقم جوال المستلم غير صحيح. ابدأ برمز الدولة، أو بـ 05 للأرقام السعودية.',
    en: 'The receiver’s mobile number is not valid. Begin with the country code, or with 05 in Saudi Arabia.',
  },
  secondPhone: {
    ar: 'رقم الجوال الآخر غير صحيح. ابدأ برمز الدولة، أو بـ 05 للأرقام السعودية.',
    en: 'The other mobile number is not valid. Begin with the country code, or with 05 in Saudi Arabia.',
  },
} as const satisfies Readonly<Record<string, ErrorRow['text']>>

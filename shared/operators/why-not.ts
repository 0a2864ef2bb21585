type Both = Readonly<Record<'ar' | 'en', string>>

export const whyNot = {
  neverBrought: {
    ar: 'لم يصل الطلب إلى مزوّد الدفع قط.',
    en: 'it was never brought to the payment provider.',
  },
  beingAsked: { ar: 'نستعلم عن الدفع الآن.', en: 'the provider is being asked now.' },
  noMessage: {
    ar: 'لا رسالة للطلب تُعاد.',
    en: 'the order has no message to send again.',
  },
  resentOften: {
    ar: 'أُعيدت رسائل هذا الرقم 3 مرات اليوم.',
    en: 'messages to this number were sent again 3 times today.',
  },
  otherProvider: {
    ar: 'طُلبت قبل تغيير جهة تسجيل الدخول. الرفض ممكن، وطلبها من جديد.',
    en: 'it was asked for before the identity provider changed. Refuse it, and ask for it again.',
  },
  sentLately: {
    ar: 'أُرسلت قبل أقل من 10 دقائق، وقد تصل.',
    en: 'it was sent less than 10 minutes ago and may still arrive.',
  },
  notSo: {
    ar: 'ما تقوله الرسالة لم يعد صحيحًا.',
    en: 'what the message says is not so any more.',
  },
  noAlert: {
    ar: 'لا تنبيه مفتوح على حقائب الطلب، ولا حقيبة انقطع خبرها.',
    en: 'the order has no open alert and no silent bag.',
  },
  notStopped: { ar: 'لم يتوقف إصدار بوليصة للطلب.', en: 'no airway bill of the order is stopped.' },
  notHandedOver: { ar: 'لم تُسلَّم أي حقيبة بعد.', en: 'no bag was handed over yet.' },
  notPaid: { ar: 'الطلب غير مدفوع الآن.', en: 'the order is not paid now.' },
  refundOpen: { ar: 'إعادة المبلغ جارية.', en: 'its money is on the way back already.' },
  refundDone: { ar: 'أُعيد المبلغ من قبل.', en: 'its money was returned already.' },
  noRefund: { ar: 'لا إعادة مفتوحة لهذه العملية.', en: 'this transaction has no open refund.' },
  manyRefunds: {
    ar: 'للطلب أكثر من إعادة مفتوحة: اذكر العملية.',
    en: 'the order has several open refunds: name the transaction.',
  },
  refundUnderWay: {
    ar: 'الإعادة جارية لدى المزوّد، وقد تتم.',
    en: 'the refund is under way already, and the provider may still make it.',
  },
  atBranch: { ar: 'وصلت الحقيبة إلى الفرع أو سُلّمت.', en: 'the bag is at its branch or was collected.' },
  otherRole: {
    ar: 'يطلبه من له صلاحية أخرى.',
    en: 'your role does not ask for this.',
  },
  notOffered: {
    ar: 'لا تتيح الشروط إلغاءه الآن، ويمكن طلب إعادة المبلغ.',
    en: 'the terms do not offer it now; a refund can be asked for.',
  },
  ended: { ar: 'انتهى الطلب.', en: 'the order has ended.' },
  ownerDeleted: { ar: 'حُذف حساب صاحب الطلب.', en: 'the account of its owner was deleted.' },
} as const satisfies Readonly<Record<string, Both>>

import { defineErrors } from '#shared/platform/problem.ts'

export const deskActionsErrors = defineErrors({
  ACTION_NOT_POSSIBLE: {
    status: 409,
    level: 'info',
    text: { ar: 'غير ممكن: {{why}}', en: 'Not possible: {{why}}' },
  },
  ACTED_BEFORE: {
    status: 409,
    level: 'info',
    text: {
      ar: 'سُبقت إلى هذا: {{what}}، {{who}} {{at}}. لم يُنفَّذ طلبك.',
      en: '{{who}} was first: {{what}} at {{at}}. Yours was not done.',
    },
  },
  OVERTAKEN: {
    status: 409,
    level: 'info',
    text: { ar: 'لم تعد الموافقة ممكنة: {{what}}', en: 'It cannot be approved any more: {{what}}' },
  },
  APPROVAL_NOT_FOUND: {
    status: 404,
    level: 'info',
    text: { ar: 'لا يوجد طلب موافقة بهذا الرقم.', en: 'There is no such request for approval.' },
  },
  APPROVAL_EXPIRED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'انقضت مهلة الموافقة، وهي 3 أيام. يلزم طلب جديد.',
      en: 'The 3 days for the approval have passed. It has to be asked for again.',
    },
  },
  APPROVAL_UNCONFIRMED: {
    status: 409,
    level: 'info',
    text: {
      ar: 'طُلبت من طرفية باسم {{who}}، ولم تؤكَّد في المكتب بهذا الاسم بعد.',
      en: 'It was asked for from a terminal as {{who}}, who has not confirmed it at the desk yet.',
    },
  },
  OWN_APPROVAL: {
    status: 403,
    level: 'warn',
    text: {
      ar: 'ما طلبته بنفسك يوافق عليه زميل.',
      en: 'What you asked for yourself is approved by a colleague.',
    },
  },
  REAUTHENTICATION_REQUIRED: {
    status: 401,
    level: 'info',
    text: { ar: 'سجّل الدخول مرة أخرى لإتمام هذا.', en: 'Sign in again to do this.' },
  },
})

type Both = Readonly<Record<'ar' | 'en', string>>

/** The present state, as the reason in `ACTION_NOT_POSSIBLE`. */
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

/** The change since the approval was requested, as the reason in `OVERTAKEN`. */
export const overtakenBy = {
  status: { ar: 'تغيّرت حالة الطلب.', en: 'the status of the order has changed.' },
  'order-paid': { ar: 'دُفع الطلب.', en: 'the order was paid.' },
  'order-cancelled': { ar: 'أُلغي الطلب.', en: 'the order was cancelled.' },
  'order-expired': { ar: 'انتهت مهلة دفع الطلب.', en: 'the order expired unpaid.' },
  'order-refunded': { ar: 'أُعيد كل ما دُفع.', en: 'all that was paid has gone back.' },
  refunds: { ar: 'تغيّرت إعادة المبلغ.', en: 'what goes back has changed.' },
  'refund-ordered': { ar: 'طُلبت إعادة مبلغ لهذا الطلب.', en: 'a refund of this order was ordered.' },
  'refund-done': { ar: 'تمّت إعادة مبلغ لهذا الطلب.', en: 'a refund of this order has gone back.' },
  'refund-written-off': { ar: 'شُطبت إعادة مبلغ لهذا الطلب.', en: 'a refund of this order was written off.' },
  bookings: { ar: 'تغيّر حال الحقيبة أو بوليصتها.', en: 'the bag or its airway bill has changed.' },
  'bag-handed-over': { ar: 'تسلّم الوكيل الحقيبة.', en: 'the agent has received the bag.' },
  'bag-arrived': { ar: 'وصلت الحقيبة إلى فرعها.', en: 'the bag has reached its branch.' },
  'money-back': { ar: 'أفاد مزوّد الدفع بأن مبلغًا أُعيد.', en: 'the provider says that money has gone back.' },
  paid: { ar: 'تغيّر ما دُفع أو ما أُعيد.', en: 'what was paid or returned has changed.' },
  claim: { ar: 'حدث جديد في البلاغ منذ الطلب.', en: 'the claim has changed.' },
  compensated: { ar: 'سُجّل تعويض عن الطلب.', en: 'a compensation was recorded for the order.' },
  subject: { ar: 'تغيّر ما يتعلق به الطلب.', en: 'what it is about has changed.' },
} as const satisfies Readonly<Record<string, Both>>

import { defineErrors } from '#shared/platform/problem.ts'

export const deskActionsErrors = defineErrors({
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

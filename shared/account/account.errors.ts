import { defineErrors } from '#shared/platform/problem.ts'

export const accountErrors = defineErrors({
  ACCOUNT_HAS_OPEN_ORDERS: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لا يمكن حذف الحساب الآن: لديك بوليصة لم تصدر بعد، أو حقيبة في الطريق، أو مبلغ لم يُردّ بعد. أعد المحاولة لاحقًا.',
      en: 'The account cannot be deleted now: an airway bill is not issued yet, a bag is on its way, or money is still on its way back to you. Try again later.',
    },
  },
  ACCOUNT_HAS_OPEN_CLAIMS: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لديك بلاغ مفتوح ننظر فيه. اسحبه من صفحة طلبه أو انتظر ردنا، ثم احذف الحساب.',
      en: 'You have an open claim that we are looking into. Withdraw it on the page of its order, or wait for our answer, then delete the account.',
    },
  },
  ACCOUNT_HAS_PAID_ORDERS: {
    status: 409,
    level: 'info',
    text: {
      ar: 'لديك طلب مدفوع لم تُسلَّم حقيبته بعد.',
      en: 'You have a paid order whose bag is not handed over yet.',
    },
  },
})

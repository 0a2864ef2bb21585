import { defineErrors } from '#shared/platform/problem.ts'

export const paymentsErrors = defineErrors({
  PAYMENT_UNAVAILABLE: {
    status: 503,
    level: 'error',
    text: {
      ar: 'خدمة الدفع لا تستجيب الآن. طلبك محفوظ ولم يُخصم شيء؛ أعد المحاولة بعد قليل.',
      en: 'The payment service is not answering. Your order is kept and nothing was charged; try again in a moment.',
    },
  },
  PAYMENT_UNCHECKED: {
    status: 503,
    level: 'error',
    text: {
      ar: 'لا يمكننا التحقق من دفعتك الأخيرة الآن. لا تدفع مرة ثانية؛ طلبك محفوظ، وسنتحقق مجددًا بعد قليل.',
      en: 'We cannot check your last payment yet. Do not pay a second time; your order is kept, and we check again in a moment.',
    },
  },
  ORDER_NOT_PAYABLE: {
    status: 409,
    level: 'info',
    text: { ar: 'هذا الطلب لا ينتظر الدفع.', en: 'This order is not waiting for a payment.' },
  },
  PAYMENT_LINK_MISMATCH: {
    status: 409,
    level: 'warn',
    text: {
      ar: 'رابط الدفع هذا لا يخص هذا الطلب.',
      en: 'This payment link does not belong to this order.',
    },
  },
  CALLBACK_REFUSED: {
    status: 401,
    level: 'warn',
    text: { ar: 'توقيع الإشعار غير صحيح.', en: 'The signature of the callback does not fit.' },
  },
})

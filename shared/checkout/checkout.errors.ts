import { defineErrors, type ErrorRow } from '#shared/platform/problem.ts'

export const checkoutErrors = defineErrors({
  CHECKOUT_REFUSED: {
    status: 422,
    level: 'info',
    text: {
      ar: 'تعذّر إتمام الحجز بهذه البيانات. راجع الحقول المحددة.',
      en: 'The booking cannot be made like this. Check the fields named.',
    },
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    level: 'warn',
    text: {
      ar: 'سبق إرسال طلب مختلف بالمفتاح نفسه.',
      en: 'Another request was already sent under the same key.',
    },
  },
})

export const checkoutRefusals = {
  userId: { ar: 'لا يطابق الحساب المسجَّل.', en: 'Does not match the signed-in account.' },
  type: { ar: 'هذا المسار غير متاح حاليًا.', en: 'This route is not offered at present.' },
  noOfPackages: { ar: 'قطعة واحدة في كل حجز.', en: 'One package per booking.' },
  agentCode: { ar: 'اختر وكيلًا من القائمة.', en: 'Choose an agent from the list.' },
  centerCode: { ar: 'اختر فرعًا من القائمة.', en: 'Choose a branch from the list.' },
  amount: { ar: 'المبلغ لا يطابق سعر هذا المسار.', en: 'The amount is not the fare of this route.' },
} as const satisfies Readonly<Record<string, ErrorRow['text']>>

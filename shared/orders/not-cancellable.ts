import { currency, sumIn } from '#shared/platform/money.ts'

type SumText = (sum: string) => string
interface Why {
  readonly ar: SumText
  readonly en: SumText
}

/** What `ORDER_NOT_CANCELLABLE` says. */
const reasons = {
  ended: {
    ar: () => 'انتهى هذا الطلب، فلا شيء فيه يُلغى.',
    en: () => 'This order has ended: there is nothing to cancel.',
  },
  promised: {
    ar: (sum) => `وعدناك من قبل بمبلغ ${sum} عن هذا الطلب، فلا يُلغى من هنا. تواصل معنا.`,
    en: (sum) =>
      `We have already promised you ${sum} for this order, so it cannot be cancelled here. Contact us.`,
  },
  returned: {
    ar: () => 'لم يبق لهذا الطلب مبلغ يُعاد، فلم نُلغه. تواصل معنا إن احتجت إلى مساعدة.',
    en: () =>
      'No money of this order is left to return, so it was not cancelled. Contact us if you need help.',
  },
} as const satisfies Readonly<Record<string, Why>>
export type WhyNotCancellable = keyof typeof reasons

/** Details of the failure. @param halalas the compensation that the owner was promised */
export const notCancellable = (why: WhyNotCancellable, halalas = 0) => ({
  values: {
    why: {
      ar: reasons[why].ar(sumIn('ar', halalas, currency)),
      en: reasons[why].en(sumIn('en', halalas, currency)),
    },
  },
})

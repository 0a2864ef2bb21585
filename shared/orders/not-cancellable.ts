import { currency, sumIn } from '#shared/platform/money.ts'

type SumText = (sum: string) => string
interface Why {
  readonly ar: SumText
  readonly en: SumText
}

const reasons = {
  ended: {
    ar: () => 'لقد انتهى.',
    en: () => 'it has ended.',
  },
  promised: {
    ar: (sum) => `وعدناك من قبل بمبلغ ${sum}. تواصل معنا.`,
    en: (sum) => `we have already promised you ${sum}. Contact us.`,
  },
  returned: {
    ar: () => 'لم يبق له مبلغ يُعاد. تواصل معنا إن احتجت إلى مساعدة.',
    en: () => 'no money of it is left to return. Contact us if you need help.',
  },
} as const satisfies Readonly<Record<string, Why>>
export type WhyNotCancellable = keyof typeof reasons

export const notCancellable = (why: WhyNotCancellable, halalas = 0) => ({
  values: {
    why: {
      ar: reasons[why].ar(sumIn('ar', halalas, currency)),
      en: reasons[why].en(sumIn('en', halalas, currency)),
    },
  },
})

import type { LanguageCode } from '#shared/platform/language.ts'

type Text = Readonly<Record<LanguageCode, string>>

/** The first group of `stored` matches the other service's own code or name, which the text shows in brackets. */
const reasons: readonly (readonly [stored: RegExp, text: Text])[] = [
  [/^too late$/, { ar: 'فات وقتها', en: 'too late' }],
  [/^overtaken$/, { ar: 'لم يعد خبرها قائمًا', en: 'overtaken' }],
  [/^not wanted$/, { ar: 'لا يريد صاحبها الرسائل', en: 'not wanted' }],
  [/^never accepted$/, { ar: 'لم تقبلها خدمة الرسائل', en: 'never accepted' }],
  [/^push$/, { ar: 'رفضها المتصفح', en: 'refused by the browser' }],
  [/^phone(?: (\d+))?$/, { ar: 'لا يستقبلها هذا الرقم أو العنوان', en: 'this number or address takes none' }],
  [/^opted-out(?: (\d+))?$/, { ar: 'أوقف صاحب الرقم الرسائل', en: 'the number’s owner stopped messages' }],
  [/^unreachable(?: (\d+))?$/, { ar: 'الجوال مغلق أو خارج التغطية', en: 'the phone is off or out of reach' }],
  [/^account(?: (\d+))?$/, { ar: 'رفضت خدمة الرسائل حسابنا', en: 'the message service refuses our account' }],
  [
    /^setup(?: (\d+))?$/,
    { ar: 'لا يسمح به إعداد خدمة الرسائل', en: 'the set-up of the message service forbids it' },
  ],
  [/^filtered(?: (\d+))?$/, { ar: 'حجبتها شركة الاتصالات', en: 'blocked by the operator' }],
  [/^busy(?: (\d+))?$/, { ar: 'خدمة الرسائل مشغولة', en: 'the message service is busy' }],
  [/^other(?: (\d+))?$/, { ar: 'رفضتها خدمة الرسائل', en: 'refused by the message service' }],
  [
    /^the shipping partner refused the shipment with (\d+(?=: no field named)|.+)/,
    { ar: 'رفض شريك الشحن إصدارها', en: 'refused by the shipping partner' },
  ],
  [
    /^the shipping partner answered (\d+)/,
    { ar: 'لم ينجح ما طُلب من شريك الشحن', en: 'the shipping partner did not do it' },
  ],
  [/^the answer holds no PDF$/, { ar: 'لا ملف بوليصة في الرد', en: 'the answer holds no label' }],
  [
    /^the payment provider answered (\d+)/,
    { ar: 'لم ينجح ما طُلب من مزوّد الدفع', en: 'the payment provider did not do it' },
  ],
  [
    /^refund: unreadable answer$/,
    { ar: 'رد من مزوّد الدفع لا يُقرأ', en: 'unreadable answer of the provider' },
  ],
  [
    /^(?:GET|POST|PUT) \/|: (?:circuit open|no time left)/,
    { ar: 'لا رد من الخدمة', en: 'the service does not answer' },
  ],
]

const unexpected = 'خطأ غير متوقع'

export function reasonText(stored: string, language: LanguageCode): string {
  for (const [words, text] of reasons) {
    const found = words.exec(stored)
    if (found) return `${text[language]}${found[1] === undefined ? '' : ` (\u2068${found[1]}\u2069)`}`
  }
  return language === 'ar' && /\p{Script=Latin}/u.test(stored) ? unexpected : stored
}

import { fillText } from '#server/platform/errors.ts'
import { factsIn } from '#server/platform/fact-texts.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

const checkTexts = {
  'paid-once': {
    ar: 'دُفع {{amount}} مرة واحدة',
    en: 'Paid {{amount}} once',
  },
  'paid-often': {
    ar: 'عدد الدفعات {{count}}، ومجموعها {{amount}}',
    en: '{{count}} payments, {{amount}} in all',
  },
  'nothing-back': {
    ar: 'لم يُعد شيء من قبل',
    en: 'Nothing has gone back before',
  },
  'gone-back': {
    ar: 'أُعيد من قبل أو تقررت إعادته: {{amount}}',
    en: '{{amount}} went back before, or is on its way back',
  },
  'partly-back': {
    ar: 'أعاد مزوّد الدفع جزءًا من المبلغ من قبل',
    en: 'The payment provider has returned a part before',
  },
  compensated: {
    ar: 'سُجّل تعويض عن هذا الطلب من قبل: {{amount}}',
    en: '{{amount}} was recorded as compensation for this order before',
  },
  'above-capture': {
    ar: 'بهذا يخرج {{amount}} عن طلب دُفع عنه {{captured}}: إعادات وتعويضات معًا',
    en: 'With this {{amount}} leaves for {{captured}} that was paid: refunds and compensations together',
  },
  everyone: {
    ar: 'يُخرَج كل الحجاج والوكلاء، ويحتاج كل منهم إلى رمز جديد',
    en: 'All pilgrims and agents are signed out, and each of them needs a new code',
  },
  unconfirmed: {
    ar: 'من طرفية ({{user}}) باسم {{who}}، ولم يُثبَت',
    en: 'Asked from a terminal ({{user}}) as {{who}}, unproven',
  },
  confirmed: {
    ar: 'من طرفية ({{user}}) باسم {{who}}، وأُكّد في المكتب',
    en: 'Asked from a terminal ({{user}}) as {{who}}, who confirmed it at the desk',
  },
  'handed-over': {
    ar: 'سُلّمت الحقيبة للوكيل: أجرة شريك الشحن مستحقة له',
    en: 'This bag was handed over: the shipping partner is still owed its charge',
  },
  'not-handed-over': {
    ar: 'لم تُسلَّم الحقيبة للوكيل بعد',
    en: 'The bag was not handed over yet',
  },
  'claim-open': {
    ar: 'البلاغ {{number}} لم يُغلق بعد',
    en: 'Claim {{number}} is not closed yet',
  },
  'claim-closed': {
    ar: 'أُغلق البلاغ {{number}} من قبل',
    en: 'Claim {{number}} was closed before',
  },
  recorded: {
    ar: 'نسجّل التعويض ولا ندفعه من هنا',
    en: 'We record the compensation and do not pay it here',
  },
  'no-money-back': {
    ar: 'لا يعود بهذا الشطب شيء إلى البطاقة',
    en: 'Nothing goes back to the card by the write-off',
  },
  'other-currency': {
    ar: 'أُخذ المبلغ بعملة أخرى: {{amount}}',
    en: 'The sum was taken in another currency: {{amount}}',
  },
  'looked-up': {
    ar: 'يُبحث أولًا عن بوليصة سابقة بالمرجع نفسه',
    en: 'The reference is looked up for an earlier airway bill first',
  },
  'by-hand': {
    ar: 'قد تكون البوليصة مطبوعة: يُبلَّغ شريك الشحن يدويًا',
    en: 'The airway bill may be printed: the shipping partner is told by hand',
  },
  'not-printed': {
    ar: 'لم تُطلب البوليصة بعد: تُطبع بالاسم الجديد',
    en: 'No airway bill was asked for yet: it will carry the new name',
  },
  arrived: {
    ar: 'وصلت الحقيبة إلى الفرع أو استلمها صاحبها',
    en: 'The bag is at its branch or was collected',
  },
  'number-free': {
    ar: 'ليس للرقم الجديد حساب',
    en: 'The new number has no account',
  },
  'number-taken': {
    ar: 'للرقم الجديد حساب آخر، أو ينتظره حساب آخر',
    en: 'The new number has an account, or another account waits for it',
  },
  'number-notified': {
    ar: 'يُبلَّغ الرقم القديم بعد الموافقة، وأمامه 24 ساعة ليلغي النقل بتسجيل الدخول',
    en: 'Once approved, the old number is told, and has 24 hours to cancel by logging in',
  },
  'number-not-notified': {
    ar: 'الرسائل متوقفة ولا يُبلَّغ الرقم القديم: اتصل به قبل الموافقة',
    en: 'Messages are off, so the old number is not told: call it before you approve',
  },
  'number-replaces': {
    ar: 'يحل محل نقل سابق ما زال ينتظر',
    en: 'It takes the place of an earlier move that still waits',
  },
  'account-deleted': {
    ar: 'حُذف الحساب',
    en: 'The account was deleted',
  },
}
export type CheckKind = keyof typeof checkTexts

export function checkText(
  { kind, data }: { readonly kind: CheckKind; readonly data: Readonly<Record<string, string | number>> },
  language: LanguageCode,
): string {
  const { sum } = factsIn(data, language)
  const values = { ...data, amount: sum('amount'), captured: sum('captured') }
  return fillText(checkTexts[kind][language], values, language)
}

export function partnerText(awbs: readonly string[], { receiver, secondPhone }: ReceiverChange): string {
  const lines = [`Please change airway bill ${awbs.join(', ') || '(not issued yet)'}.`]
  if (receiver !== undefined) {
    const consignee = receiver ? [receiver.name, receiver.phone].filter(Boolean).join(', ') : 'the sender'
    lines.push(`New consignee: ${consignee}.`)
  }
  if (secondPhone !== undefined) lines.push(`Second phone: ${secondPhone ?? 'none any more'}.`)
  if (receiver !== undefined) lines.push('The label that is printed already keeps its old name.')
  return lines.join('\n')
}

import { factsIn } from '#server/platform/fact-texts.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { Check, CheckKind } from './desk-actions.rules.ts'

type Words = ReturnType<typeof factsIn>
type Texts = Readonly<Record<CheckKind, (words: Words) => string>>

const ar: Texts = {
  'paid-once': ({ sum }) => `دُفع ${sum('amount')} مرة واحدة`,
  'paid-often': ({ sum, fact }) => `عدد الدفعات ${fact('count')}، ومجموعها ${sum('amount')}`,
  'nothing-back': () => 'لم يُعد شيء من قبل',
  'gone-back': ({ sum }) => `أُعيد من قبل أو تقررت إعادته: ${sum('amount')}`,
  'partly-back': () => 'أعاد مزوّد الدفع جزءًا من المبلغ من قبل',
  compensated: ({ sum }) => `سُجّل تعويض عن هذا الطلب من قبل: ${sum('amount')}`,
  'above-capture': ({ sum }) =>
    `بهذا يخرج ${sum('amount')} عن طلب دُفع عنه ${sum('captured')}: إعادات وتعويضات معًا`,
  everyone: () => 'يُخرَج كل الحجاج والوكلاء، ويحتاج كل منهم إلى رمز جديد',
  unconfirmed: ({ fact }) => `من طرفية (${fact('user')}) باسم ${fact('who')}، ولم يُثبَت`,
  confirmed: ({ fact }) => `من طرفية (${fact('user')}) باسم ${fact('who')}، وأُكّد في المكتب`,
  'handed-over': () => 'سُلّمت الحقيبة للوكيل: أجرة شريك الشحن مستحقة له',
  'not-handed-over': () => 'لم تُسلَّم الحقيبة للوكيل بعد',
  'claim-open': ({ fact }) => `البلاغ ${fact('number')} لم يُغلق بعد`,
  'claim-closed': ({ fact }) => `أُغلق البلاغ ${fact('number')} من قبل`,
  recorded: () => 'نسجّل التعويض ولا ندفعه من هنا',
  'no-money-back': () => 'لا يعود بهذا الشطب شيء إلى البطاقة',
  'other-currency': ({ sum }) => `أُخذ المبلغ بعملة أخرى: ${sum('amount')}`,
  'looked-up': () => 'يُبحث أولًا عن بوليصة سابقة بالمرجع نفسه',
  'by-hand': () => 'قد تكون البوليصة مطبوعة: يُبلَّغ شريك الشحن يدويًا',
  'not-printed': () => 'لم تُطلب البوليصة بعد: تُطبع بالاسم الجديد',
  arrived: () => 'وصلت الحقيبة إلى الفرع أو استلمها صاحبها',
  'number-free': () => 'ليس للرقم الجديد حساب',
  'number-taken': () => 'للرقم الجديد حساب آخر، أو ينتظره حساب آخر',
  'number-notified': () => 'يُبلَّغ الرقم القديم بعد الموافقة، وأمامه 24 ساعة ليلغي النقل بتسجيل الدخول',
  'number-not-notified': () => 'الرسائل متوقفة ولا يُبلَّغ الرقم القديم: اتصل به قبل الموافقة',
  'number-replaces': () => 'يحل محل نقل سابق ما زال ينتظر',
  'account-deleted': () => 'حُذف الحساب',
}

const en: Texts = {
  'paid-once': ({ sum }) => `Paid ${sum('amount')} once`,
  'paid-often': ({ sum, fact }) => `${fact('count')} payments, ${sum('amount')} in all`,
  'nothing-back': () => 'Nothing has gone back before',
  'gone-back': ({ sum }) => `${sum('amount')} went back before, or is on its way back`,
  'partly-back': () => 'The payment provider has returned a part before',
  compensated: ({ sum }) => `${sum('amount')} was recorded as compensation for this order before`,
  'above-capture': ({ sum }) =>
    `With this ${sum('amount')} leaves for ${sum('captured')} that was paid: refunds and compensations together`,
  everyone: () => 'All pilgrims and agents are signed out, and each of them needs a new code',
  unconfirmed: ({ fact }) => `Asked from a terminal (${fact('user')}) as ${fact('who')}, unproven`,
  confirmed: ({ fact }) =>
    `Asked from a terminal (${fact('user')}) as ${fact('who')}, who confirmed it at the desk`,
  'handed-over': () => 'This bag was handed over: the shipping partner is still owed its charge',
  'not-handed-over': () => 'The bag was not handed over yet',
  'claim-open': ({ fact }) => `Claim ${fact('number')} is not closed yet`,
  'claim-closed': ({ fact }) => `Claim ${fact('number')} was closed before`,
  recorded: () => 'We record the compensation and do not pay it here',
  'no-money-back': () => 'Nothing goes back to the card by the write-off',
  'other-currency': ({ sum }) => `The sum was taken in another currency: ${sum('amount')}`,
  'looked-up': () => 'The reference is looked up for an earlier airway bill first',
  'by-hand': () => 'The airway bill may be printed: the shipping partner is told by hand',
  'not-printed': () => 'No airway bill was asked for yet: it will carry the new name',
  arrived: () => 'The bag is at its branch or was collected',
  'number-free': () => 'The new number has no account',
  'number-taken': () => 'The new number has an account, or another account waits for it',
  'number-notified': () => 'Once approved, the old number is told, and has 24 hours to cancel by logging in',
  'number-not-notified': () => 'Messages are off, so the old number is not told: call it before you approve',
  'number-replaces': () => 'It takes the place of an earlier move that still waits',
  'account-deleted': () => 'The account was deleted',
}

/** What who decides looks at, in a language. */
export const checkText = ({ kind, data }: Check, language: LanguageCode): string =>
  ({ ar, en })[language][kind](factsIn(data, language))

/** What the shipping partner is told by hand of a receiver that has changed: the rest stays as it is. */
export const partnerText = (awbs: readonly string[], { receiver, secondPhone }: ReceiverChange): string =>
  [
    `Please change airway bill ${awbs.join(', ') || '(not issued yet)'}.`,
    ...(receiver === undefined
      ? []
      : [
          `New consignee: ${receiver ? [receiver.name, receiver.phone].filter(Boolean).join(', ') : 'the sender'}.`,
        ]),
    ...(secondPhone === undefined ? [] : [`Second phone: ${secondPhone ?? 'none any more'}.`]),
    ...(receiver === undefined ? [] : ['The label that is printed already keeps its old name.']),
  ].join('\n')

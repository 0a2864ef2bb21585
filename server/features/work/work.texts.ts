import { after, factsIn } from '#server/platform/fact-texts.ts'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import { approvalActNames } from '#shared/desk-actions/desk-actions.names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { Item, WorkReason } from './work.rules.ts'

interface Words {
  readonly sum: string
  readonly place: string
  /** As stored. */
  readonly reason: string
  /** Of a claim its kind, of an approval what is asked for. */
  readonly what: string
  fact(name: string): string
}
type Texts = Readonly<Record<WorkReason, (words: Words) => string>>

const ar: Texts = {
  'label-stopped': ({ fact, reason }) =>
    `توقف إصدار البوليصة بعد ${fact('tries')} محاولات، وتحتاج إلى قرار${after(': ', reason)}`,
  'label-late': ({ reason }) => `دُفع الطلب ولم تصدر بوليصته${after(': ', reason)}`,
  'refund-late': ({ sum, reason }) => `لم تتم إعادة ${sum}${after(': ', reason)}`,
  'reference-mismatch': ({ sum }) => `دفعة ${sum} بمرجع لا يطابق طلبها`,
  'unknown-order': ({ sum }) => `دفعة ${sum} لا تخص طلبًا معروفًا`,
  'partial-refund': ({ sum }) => `أُعيد جزء من ${sum}`,
  hidden: ({ sum }) => `لدى المزوّد دفعة لم تصلنا: ${sum}`,
  damaged: ({ place }) => `حقيبة متضررة${after('، ', place)}`,
  destroyed: ({ place }) => `حقيبة تالفة كليًا${after('، ', place)}`,
  missing: ({ place }) => `حقيبة مفقودة${after('، ', place)}`,
  cancelled: ({ place }) => `أُلغي نقل الحقيبة${after('، ', place)}`,
  returning: ({ place }) => `راجعة إلى المرسل${after('، ', place)}`,
  contradiction: ({ fact }) => `حالة متعارضة: ${fact('code')}`,
  silent: () => 'بلا خبر عن الحقيبة',
  'message-failed': ({ reason }) => `لم تصل الرسالة${after(': ', reason)}`,
  'message-late': () => 'لم تُرسل الرسالة في وقتها',
  claim: ({ fact, what }) => `بلاغ ${fact('number')}: ${what}`,
  approval: ({ fact, what, sum }) =>
    `طلب موافقة من ${fact('by')}، ${what}${fact('amount') === '0' ? '' : after(': ', sum)}`,
}

const en: Texts = {
  'label-stopped': ({ fact, reason }) =>
    `Airway bill stopped after ${fact('tries')} tries, needs a person${after(': ', reason)}`,
  'label-late': ({ reason }) => `Paid, and no airway bill yet${after(': ', reason)}`,
  'refund-late': ({ sum, reason }) => `${sum} is not back yet${after(': ', reason)}`,
  'reference-mismatch': ({ sum }) => `A payment of ${sum} whose reference is not its order’s`,
  'unknown-order': ({ sum }) => `A payment of ${sum} for no order of ours`,
  'partial-refund': ({ sum }) => `A part of ${sum} was returned`,
  hidden: ({ sum }) => `The provider counts a payment we do not have: ${sum}`,
  damaged: ({ place }) => `Bag damaged${after(', ', place)}`,
  destroyed: ({ place }) => `Bag destroyed${after(', ', place)}`,
  missing: ({ place }) => `Bag missing${after(', ', place)}`,
  cancelled: ({ place }) => `Transport cancelled${after(', ', place)}`,
  returning: ({ place }) => `Returning${after(', ', place)}`,
  contradiction: ({ fact }) => `Contradiction: ${fact('code')}`,
  silent: () => 'No news of the bag',
  'message-failed': ({ reason }) => `Message not delivered${after(': ', reason)}`,
  'message-late': () => 'Message not sent in time',
  claim: ({ fact, what }) => `Claim ${fact('number')}: ${what}`,
  approval: ({ fact, what, sum }) =>
    `${fact('by')} asks for ${what}${fact('amount') === '0' ? '' : after(': ', sum)}`,
}

/** Why a row waits, in a language, from its facts. */
export function workText({ reason, data }: Pick<Item, 'reason' | 'data'>, language: LanguageCode): string {
  const { fact, sum, place } = factsIn(data, language)
  const names: Readonly<Record<string, Readonly<Record<LanguageCode, string>>>> =
    reason === 'approval' ? approvalActNames : claimKindNames
  return { ar, en }[language][reason]({
    fact,
    sum: sum('amount'),
    place: place('place'),
    reason: fact('reason'),
    what: names[fact(reason === 'approval' ? 'act' : 'kind')]?.[language] ?? '',
  })
}

import { after, factsIn, nameIn } from '#server/platform/fact-texts.ts'
import { claimKindNames } from '#shared/claims/claims.names.ts'
import { approvalActNames } from '#shared/desk/actions/actions.names.ts'
import { reasonText } from '#shared/desk/staff/staff.names.ts'
import { messageNames } from '#shared/messages/messages.names.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import type { LanguageCode, Names } from '#shared/platform/language.ts'
import type { Item, WorkReason } from './work.rules.ts'

interface Words {
  readonly sum: string
  readonly place: string
  readonly tries: string
  readonly reason: string
  readonly agent: string
  readonly what: string
  fact(name: string): string
}
type Texts = Readonly<Record<WorkReason, (words: Words) => string>>

const ar: Texts = {
  'label-stopped': ({ tries, reason }) =>
    `توقف إصدار البوليصة بعد ${tries}، ويحتاج إلى قرار${after(': ', reason)}`,
  'label-late': ({ reason }) => `دُفع الطلب ولم تصدر بوليصته${after(': ', reason)}`,
  'refund-late': ({ sum, reason }) => `لم تتم إعادة ${sum}${after(': ', reason)}`,
  'reference-mismatch': ({ sum }) => `دفعة ${sum} بمرجع لا يطابق طلبها`,
  'unknown-order': ({ sum, fact }) =>
    `دفعة ${sum} لا تخص طلبًا معروفًا${after('، العملية ', fact('transaction'))}`,
  'partial-refund': ({ sum }) => `أُعيد جزء من ${sum}`,
  hidden: ({ sum }) => `لدى المزوّد دفعة لم تصلنا: ${sum}`,
  damaged: ({ place }) => `حقيبة متضررة${after('، ', place)}`,
  destroyed: ({ place }) => `حقيبة تالفة كليًا${after('، ', place)}`,
  missing: ({ place }) => `حقيبة مفقودة${after('، ', place)}`,
  cancelled: ({ place }) => `أُلغي نقل الحقيبة${after('، ', place)}`,
  returning: ({ place }) => `راجعة إلى المرسل${after('، ', place)}`,
  contradiction: ({ fact }) => `حالة متعارضة: ${fact('code')}`,
  'not-of-this-bag': ({ fact }) => `مسح لا يخص هذه الحقيبة: ${fact('code')}`,
  'future-time': ({ fact }) => `مسح بتاريخ لم يأتِ بعد: ${fact('code')}`,
  silent: () => 'بلا خبر عن الحقيبة',
  'message-failed': ({ what, reason }) => `لم تصل رسالة «${what}»${after(': ', reason)}`,
  'message-late': ({ what }) => `لم تُرسل رسالة «${what}» في وقتها`,
  claim: ({ fact, what }) => `بلاغ ${fact('number')}: ${what}`,
  agent: ({ agent, fact }) =>
    `${agent}: بلغ رقمه حد اليوم، رموز مرسلة ${fact('sends')} ورموز خاطئة ${fact('wrong')}. جهازه الجديد يحتاج إلى فتح`,
  approval: ({ fact, what, sum }) =>
    `طلب موافقة من ${fact('by')}، ${what}${fact('amount') === '0' ? '' : after(': ', sum)}`,
}

const en: Texts = {
  'label-stopped': ({ tries, reason }) =>
    `Airway bill stopped after ${tries}, needs a person${after(': ', reason)}`,
  'label-late': ({ reason }) => `Paid, and no airway bill yet${after(': ', reason)}`,
  'refund-late': ({ sum, reason }) => `${sum} is not back yet${after(': ', reason)}`,
  'reference-mismatch': ({ sum }) => `A payment of ${sum} whose reference is not its order’s`,
  'unknown-order': ({ sum, fact }) =>
    `A payment of ${sum} for no order of ours${after(', transaction ', fact('transaction'))}`,
  'partial-refund': ({ sum }) => `A part of ${sum} was returned`,
  hidden: ({ sum }) => `The provider counts a payment we do not have: ${sum}`,
  damaged: ({ place }) => `Bag damaged${after(', ', place)}`,
  destroyed: ({ place }) => `Bag destroyed${after(', ', place)}`,
  missing: ({ place }) => `Bag missing${after(', ', place)}`,
  cancelled: ({ place }) => `Transport cancelled${after(', ', place)}`,
  returning: ({ place }) => `Returning${after(', ', place)}`,
  contradiction: ({ fact }) => `Contradiction: ${fact('code')}`,
  'not-of-this-bag': ({ fact }) => `Scan of another bag: ${fact('code')}`,
  'future-time': ({ fact }) => `Scan dated in the future: ${fact('code')}`,
  silent: () => 'No news of the bag',
  'message-failed': ({ what, reason }) => `Message “${what}” not delivered${after(': ', reason)}`,
  'message-late': ({ what }) => `Message “${what}” not sent in time`,
  claim: ({ fact, what }) => `Claim ${fact('number')}: ${what}`,
  agent: ({ agent, fact }) =>
    `${agent}: the number is at the limit of the day, ${fact('sends')} codes sent, ${fact('wrong')} wrong codes. A new device has to be let in`,
  approval: ({ fact, what, sum }) =>
    `${fact('by')} asks for ${what}${fact('amount') === '0' ? '' : after(': ', sum)}`,
}

const whatOf = (reason: WorkReason): [names: Names<string>, fact: string] => {
  if (reason === 'approval') return [approvalActNames, 'act']
  return reason === 'claim' ? [claimKindNames, 'kind'] : [messageNames, 'about']
}

export function approvalText(data: Item['data'], language: LanguageCode): string {
  const { fact, sum } = factsIn(data, language)
  const what = nameIn(approvalActNames, fact('act'), language)
  return fact('amount') === '0' ? what : `${what}: ${sum('amount')}`
}

export function workText({ reason, data }: Pick<Item, 'reason' | 'data'>, language: LanguageCode): string {
  const { fact, sum, place, tries } = factsIn(data, language)
  const [names, what] = whatOf(reason)
  return { ar, en }[language][reason]({
    fact,
    tries,
    sum: sum('amount'),
    place: place('place'),
    agent: inLanguage(fact('name'), language),
    reason: reasonText(fact('reason'), language),
    what: nameIn(names, fact(what), language),
  })
}

import { after, factsIn, nameIn } from '#server/platform/fact-texts.ts'
import { auditActionNames } from '#shared/audit/audit.names.ts'
import type { revealReasons } from '#shared/audit/audit.schemas.ts'
import { claimKindNames, claimOutcomeNames } from '#shared/claims/claims.names.ts'
import { reasonText } from '#shared/desk/desk.names.ts'
import { overtakenBy } from '#shared/desk-actions/desk-actions.errors.ts'
import { approvalActNames } from '#shared/desk-actions/desk-actions.names.ts'
import type { TimelineKind } from '#shared/desk-orders/desk-orders.schemas.ts'
import { messageNames } from '#shared/messages/messages.names.ts'
import type { refusalReasons } from '#shared/orders/handovers.operations.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import type { EventKind, RefundReason } from '#shared/payments/payments.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import type { SendChannel } from '#shared/platform/code-channels.ts'
import type { LanguageCode, Names } from '#shared/platform/language.ts'
import { sumIn } from '#shared/platform/money.ts'
import type { Line } from './timeline.rules.ts'

/** What a text may name, each as the reader reads it; empty where it is not known. */
interface Words {
  readonly sum: string
  readonly expected: string
  readonly city: string
  readonly place: string
  readonly branch: string
  readonly reason: string
  readonly about: string
  readonly channel: string
  readonly type: string
  readonly outcome: string
  /** How often the airway bill was asked for. */
  readonly tries: string
  /** What a person did, and what needs a second one. */
  readonly action: string
  readonly act: string
  /** What overtook an approval. */
  readonly changed: string
  /** Of the courier or an agent. */
  readonly words: string
  /** As it is stored. */
  fact(name: string): string
}

type Texts = Readonly<Record<TimelineKind, (words: Words) => string>>

/** The words of a scan, or what it is where there are none, and where. */
const scanned = (words: string, otherwise: string, comma: string, place: string) =>
  `${words || otherwise}${after(comma, place)}`

const arabicPlural = new Intl.PluralRules('ar')
const hoursByPlural: Readonly<Record<string, string>> = { one: 'ساعة', two: 'ساعتان' }
function arabicHours(count: string): string {
  const plural = arabicPlural.select(Number(count))
  return hoursByPlural[plural] ?? `${count} ${plural === 'few' ? 'ساعات' : 'ساعة'}`
}

const ar: Texts = {
  'order-created': ({ type, city }) => `أُنشئ الطلب: ${type}${after(' إلى ', city)}`,
  'order-expired': () => 'انتهت مهلة الطلب',
  'order-cancelled': ({ reason }) => `أُلغي الطلب${after(': ', reason)}`,
  'code-sent': ({ channel }) => `أُرسل رمز الدخول (${channel})`,
  'code-refused': ({ outcome }) => `رُفض إرسال الرمز: ${outcome}`,
  locked: ({ fact }) => `قُفل الدخول بعد ${fact('count')} رمزًا خاطئًا`,
  unlocked: () => 'فُتح الدخول',
  'payment-opened': ({ sum }) => `فُتح الدفع، ${sum}`,
  'payment-declined': ({ reason }) => `رُفضت البطاقة${after(': ', reason)}`,
  'payment-pending': () => 'الدفع معلّق لدى المصرف',
  'payment-succeeded': ({ sum }) => `دُفع ${sum}`,
  'payment-second': ({ sum }) => `دُفع مرة ثانية ${sum}`,
  'payment-wrong-amount': ({ sum, expected }) => `دُفع ${sum} بدل ${expected}`,
  'payment-hidden': ({ sum }) => `لدى المزوّد دفعة لم تصلنا، ${sum}`,
  callback: ({ fact, outcome }) => `إشعار عن ${fact('transaction')}: ${outcome}`,
  inquiry: ({ fact, outcome }) => `استعلام عن ${fact('transaction')}: ${outcome}`,
  'label-issued': ({ fact }) => `صدرت بوليصة الشحن ${fact('awb')}`,
  'label-stopped': ({ tries }) => `توقف إصدار البوليصة بعد ${tries}، ويحتاج إلى قرار`,
  'label-failed': ({ reason }) => `تعذّر إصدار البوليصة${after(': ', reason)}`,
  'label-reissued': ({ reason }) => `أُذن بإصدار البوليصة من جديد${after(': ', reason)}`,
  'handed-over': ({ place }) => `سُلّمت للوكيل${after(': ', place)}`,
  'handed-over-undone': () => 'تراجع الوكيل عن التسليم',
  'not-accepted': ({ reason, words }) => `لم يقبلها الوكيل: ${reason}${after('، ', words)}`,
  'picked-up': ({ place }) => `أخذها شريك الشحن من الوكيل${after('، ', place)}`,
  'in-transit': ({ words, place }) => scanned(words, 'في الطريق', '، ', place),
  'at-branch': ({ branch }) => `وصلت إلى فرع ${branch}`,
  collected: ({ place }) => `استلمها صاحبها${after('، ', place)}`,
  exception: ({ words, place }) => scanned(words, 'تعثّر النقل', '، ', place),
  returning: ({ place }) => `راجعة إلى المرسل${after('، ', place)}`,
  unknown: ({ fact, words }) => `مسح غير معروف: ${words || fact('code')}`,
  contradiction: ({ fact, words }) => `حالة متعارضة: ${words || fact('code')}`,
  'not-of-this-bag': ({ fact }) =>
    `مسح لا يخص هذه الحقيبة: ${fact('code')}، بتاريخ \u2066${fact('words')}\u2069. لم يتغيّر شيء`,
  'future-time': ({ fact }) => `مسح بتاريخ لم يأتِ بعد: ${fact('code')}، بتاريخ \u2066${fact('words')}\u2069`,
  silent: ({ fact }) => `مضت ${arabicHours(fact('hours'))} بلا خبر`,
  'message-sent': ({ about, channel }) => `أُرسلت رسالة «${about}» (${channel})`,
  'message-delivered': ({ about }) => `وصلت رسالة «${about}»`,
  'message-failed': ({ about, reason }) => `لم تصل رسالة «${about}»${after(': ', reason)}`,
  'message-dropped': ({ about, reason }) => `لم تُرسل رسالة «${about}»${after(': ', reason)}`,
  'refund-asked': ({ sum, reason }) => `طلب إعادة ${sum}: ${reason}`,
  'refund-approved': ({ sum }) => `الموافقة على إعادة ${sum}`,
  'refund-refused': ({ reason }) => `رفض الإعادة: ${reason}`,
  'refund-overtaken': ({ changed }) => `لم تعد الموافقة على الإعادة ممكنة: ${changed}`,
  'refund-expired': () => 'انقضت مهلة الموافقة على الإعادة',
  'approval-asked': ({ act, reason }) => `طلب موافقة، ${act}: ${reason}`,
  'approval-approved': ({ act }) => `الموافقة، ${act}`,
  'approval-refused': ({ act, reason }) => `رفض الطلب، ${act}: ${reason}`,
  'approval-overtaken': ({ act, changed }) => `لم تعد الموافقة ممكنة، ${act}: ${changed}`,
  'approval-expired': ({ act }) => `انقضت مهلة الموافقة، ${act}`,
  'refund-ordered': ({ sum, reason, fact }) =>
    `تقررت إعادة ${sum}: ${reason}${after('. السبب: ', fact('words'))}`,
  'refund-requested': ({ sum }) => `طُلبت إعادة ${sum} من مزوّد الدفع`,
  'refund-doubtful': () => 'لم يتضح رد مزوّد الدفع على الإعادة، ونستعلم',
  'refund-done': ({ sum }) => `أُعيد ${sum}`,
  'refund-written-off': ({ sum }) => `شُطبت إعادة ${sum} لدى مزوّد الدفع`,
  'refund-overdue': ({ sum, fact }) => `مضت ${arabicHours(fact('hours'))} ولم تتم إعادة ${sum}`,
  invoice: ({ fact }) => `صدرت الفاتورة ${fact('number')}`,
  'credit-note': ({ fact }) => `صدر إشعار دائن ${fact('number')}`,
  'claim-opened': ({ fact, about }) => `بلاغ ${fact('number')}: ${about}`,
  'claim-message': ({ fact }) => `رسالة من صاحب الطلب في البلاغ ${fact('number')}`,
  'claim-answered': ({ fact }) => `رددنا على البلاغ ${fact('number')}`,
  'claim-question': ({ fact }) => `سألنا صاحب الطلب في البلاغ ${fact('number')}`,
  'claim-passed-on': ({ fact }) =>
    `رُفع البلاغ ${fact('number')} إلى شريك الشحن${after(' برقم ', fact('case'))}`,
  'claim-partner-answered': ({ fact }) => `رد شريك الشحن على البلاغ ${fact('number')}`,
  'claim-late': ({ fact }) => `فات موعد الرد على البلاغ ${fact('number')}`,
  'claim-closed': ({ fact, outcome }) => `أُغلق البلاغ ${fact('number')}${after(': ', outcome)}`,
  taken: ({ fact }) => `أُسند إلى ${fact('has')}`,
  released: ({ reason }) => `أُعيد إلى القائمة${reason === 'the session ended' ? '، انتهت الجلسة' : ''}`,
  handed: ({ fact, reason }) => `حُوّل إلى ${fact('has')}${after(': ', reason)}`,
  settled: ({ reason }) => `لم يبق ما يُعمل${after(': ', reason)}`,
  checked: ({ reason }) => `روجعت الحقيبة${after(': ', reason)}`,
  note: ({ fact }) => `ملاحظة: ${fact('words')}`,
  receiver: ({ reason }) => `عُدّل المستلم${after(': ', reason)}`,
  renamed: () => 'عُدّل الاسم',
  revealed: ({ reason }) => `اطلاع على الاسم والجوال. السبب: ${reason}`,
  shared: () => 'أُنشئ رابط متابعة',
  deleted: () => 'حُذف الحساب',
  action: ({ action, reason }) => `إجراء: ${action}${after('. السبب: ', reason)}`,
}

const en: Texts = {
  'order-created': ({ type, city }) => `Order created: ${type}${after(' to ', city)}`,
  'order-expired': () => 'Expired',
  'order-cancelled': ({ reason }) => `Cancelled${after(': ', reason)}`,
  'code-sent': ({ channel }) => `Sign-in code sent (${channel})`,
  'code-refused': ({ outcome }) => `Sign-in code not sent: ${outcome}`,
  locked: ({ fact }) => `Locked after ${fact('count')} wrong codes`,
  unlocked: () => 'Unlocked',
  'payment-opened': ({ sum }) => `Payment opened, ${sum}`,
  'payment-declined': ({ reason }) => `Card declined${after(': ', reason)}`,
  'payment-pending': () => 'Pending at the bank',
  'payment-succeeded': ({ sum }) => `Paid ${sum}`,
  'payment-second': ({ sum }) => `Paid a second time ${sum}`,
  'payment-wrong-amount': ({ sum, expected }) => `${sum} paid instead of ${expected}`,
  'payment-hidden': ({ sum }) => `The provider counts a payment we do not have, ${sum}`,
  callback: ({ fact, outcome }) => `Callback about ${fact('transaction')}: ${outcome}`,
  inquiry: ({ fact, outcome }) => `Inquiry about ${fact('transaction')}: ${outcome}`,
  'label-issued': ({ fact }) => `Airway bill ${fact('awb')} issued`,
  'label-stopped': ({ tries }) => `Airway bill stopped after ${tries}, needs a person`,
  'label-failed': ({ reason }) => `The airway bill failed${after(': ', reason)}`,
  'label-reissued': ({ reason }) => `Airway bill allowed once more${after(': ', reason)}`,
  'handed-over': ({ place }) => `Handed over${after(': ', place)}`,
  'handed-over-undone': () => 'Agent undid the hand-over',
  'not-accepted': ({ reason, words }) => `Not accepted by the agent: ${reason}${after(', ', words)}`,
  'picked-up': ({ place }) => `Picked up from the agent${after(', ', place)}`,
  'in-transit': ({ words, place }) => scanned(words, 'On the way', ', ', place),
  'at-branch': ({ branch }) => `At branch ${branch}`,
  collected: ({ place }) => `Collected${after(', ', place)}`,
  exception: ({ words, place }) => scanned(words, 'Held up', ', ', place),
  returning: ({ place }) => `Returning to the sender${after(', ', place)}`,
  unknown: ({ fact, words }) => `Unknown scan: ${words || fact('code')}`,
  contradiction: ({ fact, words }) => `Contradiction: ${words || fact('code')}`,
  'not-of-this-bag': ({ fact }) =>
    `Scan of another bag: ${fact('code')}, dated ${fact('words')}. Nothing changed`,
  'future-time': ({ fact }) => `Scan dated in the future: ${fact('code')}, dated ${fact('words')}`,
  silent: ({ fact }) => `No news for ${fact('hours')} hours`,
  'message-sent': ({ about, channel }) => `Message “${about}” sent (${channel})`,
  'message-delivered': ({ about }) => `Message “${about}” delivered`,
  'message-failed': ({ about, reason }) => `Message “${about}” not delivered${after(': ', reason)}`,
  'message-dropped': ({ about, reason }) => `Message “${about}” not sent${after(': ', reason)}`,
  'refund-asked': ({ sum, reason }) => `${sum} back was asked for: ${reason}`,
  'refund-approved': ({ sum }) => `${sum} back was approved`,
  'refund-refused': ({ reason }) => `The refund was refused: ${reason}`,
  'refund-overtaken': ({ changed }) => `The refund was overtaken: ${changed}`,
  'refund-expired': () => 'The approval of the refund expired',
  'approval-asked': ({ act, reason }) => `Approval asked for, ${act}: ${reason}`,
  'approval-approved': ({ act }) => `Approved, ${act}`,
  'approval-refused': ({ act, reason }) => `Refused, ${act}: ${reason}`,
  'approval-overtaken': ({ act, changed }) => `Overtaken, ${act}: ${changed}`,
  'approval-expired': ({ act }) => `Approval expired, ${act}`,
  'refund-ordered': ({ sum, reason, fact }) =>
    `${sum} to go back: ${reason}${after('. Reason: ', fact('words'))}`,
  'refund-requested': ({ sum }) => `${sum} asked back from the provider`,
  'refund-doubtful': () => 'The answer to the refund is unclear, asking again',
  'refund-done': ({ sum }) => `${sum} is back`,
  'refund-written-off': ({ sum }) => `${sum} written off at the provider`,
  'refund-overdue': ({ sum, fact }) => `${sum} not back for ${fact('hours')} hours`,
  invoice: ({ fact }) => `Invoice ${fact('number')}`,
  'credit-note': ({ fact }) => `Credit note ${fact('number')}`,
  'claim-opened': ({ fact, about }) => `Claim ${fact('number')}: ${about}`,
  'claim-message': ({ fact }) => `Claim ${fact('number')}: message from the owner`,
  'claim-answered': ({ fact }) => `Claim ${fact('number')} answered`,
  'claim-question': ({ fact }) => `Claim ${fact('number')}: the owner was asked`,
  'claim-passed-on': ({ fact }) =>
    `Claim ${fact('number')} passed to the partner${after(', case ', fact('case'))}`,
  'claim-partner-answered': ({ fact }) => `Claim ${fact('number')}: the partner answered`,
  'claim-late': ({ fact }) => `Claim ${fact('number')}: answer overdue`,
  'claim-closed': ({ fact, outcome }) => `Claim ${fact('number')} closed${after(': ', outcome)}`,
  taken: ({ fact }) => `Taken by ${fact('has')}`,
  released: ({ reason }) => `Released${reason === 'the session ended' ? ', the session ended' : ''}`,
  handed: ({ fact, reason }) => `Handed to ${fact('has')}${after(': ', reason)}`,
  settled: ({ reason }) => `Nothing left to do${after(': ', reason)}`,
  checked: ({ reason }) => `Bag checked${after(': ', reason)}`,
  note: ({ fact }) => `Note: ${fact('words')}`,
  receiver: ({ reason }) => `Receiver changed${after(': ', reason)}`,
  renamed: () => 'Renamed',
  revealed: ({ reason }) => `Looked at name and phone. Reason: ${reason}`,
  shared: () => 'Share link made',
  deleted: () => 'Account deleted',
  action: ({ action, reason }) => `Action: ${action}${after('. Reason: ', reason)}`,
}

const types: Names<BookingType> = {
  FROM_MINA: { ar: 'من مكة ومنى', en: 'from Makkah and Mina' },
  TO_MINA: { ar: 'إلى مكة ومنى', en: 'to Makkah and Mina' },
  TO_AND_FROM_MINA: { ar: 'ذهابًا وعودة', en: 'both ways' },
}

const channels: Names<SendChannel | 'push'> = {
  sms: { ar: 'رسالة نصية', en: 'SMS' },
  whatsapp: { ar: 'واتساب', en: 'WhatsApp' },
  call: { ar: 'مكالمة', en: 'call' },
  push: { ar: 'إشعار التطبيق', en: 'push' },
  email: { ar: 'بريد', en: 'e-mail' },
}

const refunds: Names<RefundReason> = {
  'wrong-amount': { ar: 'مبلغ غير مطابق', en: 'wrong amount' },
  'second-payment': { ar: 'دفعة ثانية', en: 'second payment' },
  'owner-deleted': { ar: 'حُذف الحساب', en: 'account deleted' },
  cancelled: { ar: 'أُلغي الطلب', en: 'the order was cancelled' },
  operator: { ar: 'قرار من المكتب', en: 'decided by the desk' },
}

const refusals: Names<(typeof refusalReasons)[number]> = {
  'too-heavy': { ar: 'أثقل من المسموح', en: 'too heavy' },
  forbidden: { ar: 'محتوى ممنوع', en: 'forbidden contents' },
  absent: { ar: 'لم يحضر صاحبها', en: 'owner absent' },
  damaged: { ar: 'تالفة', en: 'damaged' },
  other: { ar: 'سبب آخر', en: 'another reason' },
}

const looks: Names<(typeof revealReasons)[number]> = {
  'call-back': { ar: 'معاودة الاتصال', en: 'call back' },
  identity: { ar: 'مطابقة الهوية', en: 'identity check' },
  name: { ar: 'تصحيح الاسم', en: 'name correction' },
  partner: { ar: 'طلب من شريك الشحن', en: 'asked by the shipping partner' },
  authority: { ar: 'جهة رسمية', en: 'an authority' },
  other: { ar: 'سبب آخر', en: 'another reason' },
}

const reports: Names<EventKind> = {
  pending: { ar: 'معلّقة', en: 'pending' },
  succeeded: { ar: 'ناجحة', en: 'succeeded' },
  failed: { ar: 'مرفوضة', en: 'declined' },
  refunded: { ar: 'مُعادة', en: 'returned' },
  voided: { ar: 'ملغاة', en: 'voided' },
  captured: { ar: 'محصّلة', en: 'captured' },
}

const codeOutcomes: Names<'refused' | 'blocked' | 'failed'> = {
  refused: { ar: 'رفضته الخدمة بهذه القناة', en: 'refused by this channel' },
  blocked: { ar: 'رفضت الخدمة الرقم', en: 'the service refuses the number' },
  failed: { ar: 'تعذّر الإرسال', en: 'the service failed' },
}

/** Why, as stored: a word of ours where the kind has some, else as it was written. */
function reasonOf(kind: TimelineKind, reason: string, code: string, language: LanguageCode): string {
  if (kind === 'not-accepted') return nameIn(refusals, code, language)
  if (kind === 'refund-ordered') return nameIn(refunds, reason, language)
  if (kind === 'message-failed' || kind === 'message-dropped' || kind === 'label-failed')
    return reasonText(reason, language)
  if (kind !== 'revealed') return reason
  const [word = '', ...text] = reason.split(': ')
  return [nameIn(looks, word, language), ...text].join(': ')
}

/** A line in a language, from its facts: the same facts give the same text. */
export function timelineText({ kind, data }: Line, language: LanguageCode): string {
  const { fact, sum, place, tries } = factsIn(data, language)
  const branch = inLanguage(fact(language === 'ar' ? 'branchAr' : 'branchEn'), language)
  const isClaim = kind.startsWith('claim-')
  const outcomes = isClaim ? claimOutcomeNames : codeOutcomes
  const outcome =
    isClaim || kind === 'code-refused'
      ? nameIn(outcomes, fact('outcome'), language)
      : nameIn(reports, fact('reported'), language)
  return { ar, en }[language][kind]({
    fact,
    outcome,
    tries,
    branch: branch || place('place') || place('city'),
    sum: sum('amount'),
    expected: sumIn(language, Number(data.expected ?? 0)),
    city: place('city'),
    place: place('place'),
    reason: reasonOf(kind, fact('reason'), fact('code'), language),
    about: nameIn(isClaim ? claimKindNames : messageNames, fact('about'), language),
    action: nameIn(auditActionNames, fact('action'), language),
    act: nameIn(approvalActNames, fact('act'), language),
    changed: nameIn(overtakenBy, fact('changed'), language),
    channel: nameIn(channels, fact('channel'), language),
    type: nameIn(types, fact('type'), language),
    words: inLanguage(fact('words'), language),
  })
}

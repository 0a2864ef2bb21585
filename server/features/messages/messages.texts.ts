import { dateInWords, dayAndTime } from '#server/platform/times.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Opening } from '#shared/partner/hours.rules.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { brand } from '#shared/platform/brand.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { defaultLanguage, isLanguageCode, type LanguageCode, languages } from '#shared/platform/language.ts'
import { sumIn } from '#shared/platform/money.ts'
import { numberChangeRules } from '#shared/sessions/number-changes.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import type { AccountKind, NewsKind } from './messages.rules.ts'

/** Where something happened. A name may be in two languages; `city` is in English. */
interface Place {
  readonly name?: string | undefined
  /** Of a branch. */
  readonly addressAR?: string | undefined
  readonly addressEN?: string | undefined
  readonly city?: string | undefined
}

/** What a text may name. */
export interface MessageFacts {
  /** Of the bag, or of all bags of the order. */
  readonly awbs: readonly string[]
  /** Another one is still to be issued. */
  readonly awaitsAwb: boolean
  readonly place: Place | null
  readonly isPaid: boolean
  /** Of `wrong-amount`: what was returned, in minor units. */
  readonly returned: { readonly amount: number; readonly currency: string } | null
  /** Of the branch where the bag is, at the moment the text is made. */
  readonly opening?: Opening | undefined
  /** Whom the owner has named to collect the bag; null for the owner. */
  readonly receiver?: string | null
  /** The owner's name. */
  readonly owner?: string | undefined
  /** When the receiver was changed, in the message about it. */
  readonly at?: number | undefined
  /** Of a message about a claim. */
  readonly claim?: ClaimFacts | undefined
}

export interface ClaimFacts {
  /** `CL-118`. */
  readonly number: string
  /** The end of the day until which we answer. */
  readonly answerBy: number
  readonly outcome: ClaimOutcome | null
  /** When an earlier step of the claim had the same text, the moment of this one; else null. */
  readonly repeatedAt: number | null
}

interface Words {
  readonly order: string
  /** Airway bill of the bag; the order where there is none. */
  readonly bag: string
  readonly bags: readonly string[]
  readonly where: Where
  /** Until when the branch is open or when it opens; empty where that is not known. */
  readonly hours: string
  readonly money: string
  readonly isPaid: boolean
  /** Empty where the name says more than a name; null where the owner collects the bag. */
  readonly receiver: string | null
  /** Empty likewise. */
  readonly owner: string
  /** Day and time of a change in brackets; empty where it is not known. */
  readonly moment: string
  /** `CL-118`, and the day until which we answer; empty in a message about anything else. */
  readonly claim: string
  readonly answerBy: string
  readonly outcome: ClaimOutcome
}

/** Empty where it is not known, or may not stand in an SMS. */
interface Where {
  readonly agent: string
  readonly city: string
  /** Address and city of a branch, or name and city of an agent. */
  readonly full: string
}

/**
 * What follows the name of the product. With it each text fits into two parts of an SMS (67 characters each as soon as one
 * is Arabic), and names the order or the bag, so that no two messages to a phone are equal: a look-up compares them. No link and no phone number: operators of the
 * Kingdom block senders whose links are not registered (docs/wires/messages.md M9).
 */
const texts: Readonly<Record<LanguageCode, Readonly<Record<NewsKind, (words: Words) => string>>>> = {
  ar: {
    paid: ({ bags, bag, order, receiver }) =>
      `تم الدفع للطلب ${order}. ${bags.length > 1 ? `بوالص حقيبتك: ${bags.join('، ')}` : `رقم بوليصة حقيبتك ${bag}`}.${collector.ar(receiver)}`,
    'handed-over': ({ bag, where: { agent, city } }) =>
      agent === '' ? `سُلّمت حقيبتك ${bag}${after(' في ', city)}.` : `تسلّم ${agent} حقيبتك ${bag}.`,
    'at-branch': ({ bag, where, hours, receiver }) =>
      `حقيبتك ${bag} جاهزة للاستلام${fromArabic(where)}.${after(' ', hours)} ${receiver === null ? 'أحضر الباركود وهويتك' : `المستلم${receiver === '' ? ' كما سجّلته' : `: ${receiver}`}`}.`,
    collected: ({ bag, where: { city } }) => `سُلّمت الحقيبة ${bag}${after(' في ', city)}.`,
    refunded: ({ order }) => `أُعيد مبلغ الطلب ${order}، وقد يظهر في حسابك بعد أيام.`,
    exception: ({ bag }) => `تأخر نقل الحقيبة ${bag}. التفاصيل في التطبيق.`,
    cancelled: ({ order }) => `أُلغي الطلب ${order}.`,
    'wrong-amount': ({ order, money, isPaid }) =>
      `أُعيد إليك ${money}، ${isPaid ? `والطلب ${order} ما زال محجوزًا` : `ولم يُحجز الطلب ${order}`}.`,
    'receiver-changed': ({ order, receiver, moment }) =>
      `الطلب ${order}: ${newReceiver.ar(receiver)}${moment}. لم تطلب ذلك؟ تواصل معنا فورًا.`,
    'receiver-named': ({ bag, where: { city }, owner }) =>
      `اختير اسمك لاستلام الحقيبة ${bag}${after(' في ', city)}${after('، والمرسل ', owner)}. نراسلك عند وصولها.`,
    'receiver-at-branch': ({ bag, where, hours }) =>
      `الحقيبة ${bag} جاهزة للاستلام${fromArabic(where)}.${after(' ', hours)} أحضر هويتك ورقم الحقيبة.`,
    'claim-opened': ({ claim, order, answerBy }) =>
      `سجّلنا بلاغك ${claim} عن الطلب ${order}. نرد عليك قبل نهاية ${answerBy}.`,
    'claim-question': ({ claim, order }) => `لدينا سؤال عن بلاغك ${claim}. تجده في صفحة الطلب ${order}.`,
    'claim-answered': ({ claim, order }) => `رددنا على بلاغك ${claim}. تجد الرد في صفحة الطلب ${order}.`,
    'claim-late': ({ claim, answerBy }) => `تأخر ردنا على بلاغك ${claim}، ونعتذر. الموعد الجديد ${answerBy}.`,
    'claim-closed': ({ claim, order, outcome }) => closedTexts.ar[outcome](claim, order),
  },
  en: {
    paid: ({ bags, bag, order, receiver }) =>
      `order ${order} is paid. ${bags.length > 1 ? `Your bag's airway bills: ${bags.join(', ')}` : `Your bag's airway bill: ${bag}`}.${collector.en(receiver)}`,
    'handed-over': ({ bag, where: { agent, city } }) =>
      `bag ${bag} was received from you${after(' at ', agent) || after(' in ', city)}.`,
    'at-branch': ({ bag, where, hours, receiver }) =>
      `bag ${bag} is ready ${receiver === null ? 'for you' : `for ${receiver || 'its receiver'}`}${atEnglish(where)}.${after(' ', hours)}${receiver === null ? ' Bring the barcode and your ID.' : ''}`,
    collected: ({ bag, where: { city } }) => `bag ${bag} was collected${after(' in ', city)}.`,
    refunded: ({ order }) => `order ${order} was refunded. Your bank may take days to show it.`,
    exception: ({ bag }) => `bag ${bag} is delayed. Details are in the app.`,
    cancelled: ({ order }) => `order ${order} is cancelled.`,
    'wrong-amount': ({ order, money, isPaid }) =>
      `${money} was returned, ${isPaid ? `${order} stays booked` : `${order} is not booked`}.`,
    'receiver-changed': ({ order, receiver, moment }) =>
      `${order}: ${newReceiver.en(receiver)}${moment}. Not you? Contact us at once.`,
    'receiver-named': ({ bag, where: { city }, owner }) =>
      `${owner === '' ? 'you were named' : `${owner} named you`} to collect bag ${bag}${after(' in ', city)}. We text you when it is there.`,
    'receiver-at-branch': ({ bag, where, hours }) =>
      `bag ${bag} is ready for you to collect${atEnglish(where)}.${after(' ', hours)} Bring your ID and this number.`,
    'claim-opened': ({ claim, order, answerBy }) =>
      `claim ${claim} for order ${order} is registered. We answer by ${answerBy}.`,
    'claim-question': ({ claim, order }) =>
      `we have a question on claim ${claim}. It is on the page of order ${order}.`,
    'claim-answered': ({ claim, order }) =>
      `we answered claim ${claim}. It is on the page of order ${order}.`,
    'claim-late': ({ claim, answerBy }) =>
      `our answer on claim ${claim} is late, we are sorry. New date: ${answerBy}.`,
    'claim-closed': ({ claim, order, outcome }) => closedTexts.en[outcome](claim, order),
  },
}

/** Who collects a bag that is paid for. Staff may have named the receiver, too. */
export const collector: Readonly<Record<LanguageCode, (receiver: string | null) => string>> = {
  ar: (receiver) => {
    if (receiver === null) return ''
    return receiver === '' ? ' يستلمها شخص آخر.' : ` المستلم: ${receiver}.`
  },
  en: (receiver) => {
    if (receiver === null) return ''
    return receiver === '' ? ' Another person collects it.' : ` Collected by ${receiver}.`
  },
}

/** Who collects the bag after a change: null is the owner, an empty name cannot stand in a message. */
export const newReceiver: Readonly<Record<LanguageCode, (receiver: string | null) => string>> = {
  ar: (receiver) => {
    if (receiver === null) return 'أنت من يستلم حقيبتك الآن'
    return receiver === '' ? 'تغيّر مستلم حقيبتك' : `يستلم حقيبتك الآن ${receiver}`
  },
  en: (receiver) => {
    if (receiver === null) return 'you now collect your bag yourself'
    return receiver === '' ? 'your bag has another receiver' : `${receiver} now collects your bag`
  },
}

type ClosedText = (claim: string, order: string) => string

const closedTexts: Readonly<Record<LanguageCode, Readonly<Record<ClaimOutcome, ClosedText>>>> = {
  ar: {
    delivered: (claim) => `أُغلق البلاغ ${claim}: سُلّمت حقيبتك.`,
    found: (claim, order) => `عُثر على حقيبتك، وأُغلق البلاغ ${claim}. التفاصيل في صفحة الطلب ${order}.`,
    compensated: (claim, order) => `أُغلق البلاغ ${claim} بتعويضك. التفاصيل في صفحة الطلب ${order}.`,
    refused: (claim, order) => `أُغلق البلاغ ${claim} دون تعويض. السبب في صفحة الطلب ${order}.`,
    withdrawn: (claim) => `أُغلق البلاغ ${claim} بناءً على طلبك.`,
  },
  en: {
    delivered: (claim) => `claim ${claim} is closed: your bag was delivered.`,
    found: (claim, order) =>
      `your bag was found and claim ${claim} is closed. Details are on the page of order ${order}.`,
    compensated: (claim, order) =>
      `claim ${claim} is closed with compensation. Details are on the page of order ${order}.`,
    refused: (claim, order) =>
      `claim ${claim} is closed without compensation. The reason is on the page of order ${order}.`,
    withdrawn: (claim) => `claim ${claim} is closed at your request.`,
  },
}

const fromArabic = ({ agent, full }: Where) => after(agent === '' ? ' من فرع ' : ' من ', full)
const atEnglish = ({ agent, full }: Where) => after(agent === '' ? ' at the branch in ' : ' at ', full)

const after = (preposition: string, place: string) => (place === '' ? '' : `${preposition}${place}`)

/** With a longer place the text would need a third part. */
const longestPlace = 40
/** Beside the hours, which are worth more than the last words of an address. */
const longestPlaceWithHours = 36

/** A name as it may stand in an SMS; empty where it is too long or could be read as a link or a number. */
function fitting(name: string | undefined): string {
  const tidy = name?.replace(/\s+/g, ' ').trim() ?? ''
  const isUnfit = tidy.length > longestPlace || /https?:|www\.|\w\.\w{2,}|[\d٠-٩][\d٠-٩ -]{5,}/i.test(tidy)
  return isUnfit ? '' : tidy
}

/**
 * A person's name as it may stand in an SMS. People write their own, and that of a bag's owner goes to a number that its
 * holder has not proven: only letters, spaces, hyphens and apostrophes, which make no link, number or code.
 */
export function personName(name: string | null | undefined): string {
  const tidy = fitting(name ?? undefined)
  return /^[\p{L}\p{M} '’-]*$/u.test(tidy) ? tidy : ''
}

/** A place in words: of a long address, as many leading parts as fit before the city. */
function whereOf(place: Place | null, language: LanguageCode, longest = longestPlace): Where {
  const city = fitting(place?.city && cityName(place.city, language))
  const agent = fitting(place?.name && inLanguage(place.name, language))
  const address = language === 'ar' ? place?.addressAR : place?.addressEN
  const comma = language === 'ar' ? '، ' : ', '
  const joined = (parts: readonly string[]) => [...parts, city].filter(Boolean).join(comma)
  const parts: string[] = []
  for (const part of agent === '' ? (address ?? '').split(/\s*[،,]\s*|\s+-\s+/) : [agent]) {
    const fit = fitting(part)
    if (fit === '' || fit === city) break
    if (joined([...parts, fit]).length > longest) break
    parts.push(fit)
  }
  return { agent, city, full: joined(parts) }
}

type HoursText = (at: ReturnType<typeof dayAndTime>) => string

const hoursTexts: Readonly<Record<LanguageCode, Readonly<Record<'until' | 'today' | 'later', HoursText>>>> = {
  ar: {
    until: ({ time }) => `مفتوح حتى ${time}.`,
    today: ({ time }) => `يفتح اليوم ${time}.`,
    later: ({ day, time }) => `يفتح ${day} ${time}.`,
  },
  en: {
    until: ({ time }) => `Open until ${time}.`,
    today: ({ time }) => `Opens today at ${time}.`,
    later: ({ day, time }) => `Opens on ${day} at ${time}.`,
  },
}

function hoursText(opening: Opening | undefined, language: LanguageCode): string {
  const texts = hoursTexts[language]
  if (opening?.state === 'closed')
    return texts[opening.isToday ? 'today' : 'later'](dayAndTime(opening.opensAt, language))
  return opening?.state === 'open' && opening.until !== undefined
    ? texts.until(dayAndTime(opening.until, language))
    : ''
}

/** The text of a message; in the default language where the person's is not known. */
export function messageText(
  language: string | null,
  facts: MessageFacts & { readonly kind: NewsKind; readonly orderId: number },
): string {
  const order = orderNumber(facts.orderId)
  const code = isLanguageCode(language) ? language : defaultLanguage
  const words: Words = {
    order,
    bag: facts.awbs[0] ?? order,
    bags: facts.awbs,
    where: whereOf(facts.place, code),
    hours: '',
    money: facts.returned ? sumIn(code, facts.returned.amount, facts.returned.currency) : '',
    isPaid: facts.isPaid,
    receiver: facts.receiver ? personName(facts.receiver) : null,
    owner: personName(facts.owner),
    moment: facts.at === undefined ? '' : momentText(facts.at, code),
    ...claimWords(facts.claim, code),
  }
  const repeated = facts.claim?.repeatedAt == null ? '' : momentText(facts.claim.repeatedAt, code)
  const write = (change: Partial<Words>) =>
    `${beginning(code)}${texts[code][facts.kind]({ ...words, ...change })}${repeated}`
  const bare = withinTwoParts(write, words)
  const hours = hoursText(facts.opening, code)
  if (hours === '') return bare
  const whole = write({ hours, where: whereOf(facts.place, code, longestPlaceWithHours) })
  // The hours cost no further part.
  return segmentsOf(whole) > segmentsOf(bare) ? bare : whole
}

function claimWords(claim: ClaimFacts | undefined, language: LanguageCode) {
  return {
    claim: claim?.number ?? '',
    // The day ends then.
    answerBy: claim === undefined ? '' : dateInWords(claim.answerBy - 1, language),
    outcome: claim?.outcome ?? ('withdrawn' as const),
  }
}

/** So that no two messages to a phone are equal. */
function momentText(at: number, language: LanguageCode): string {
  const { day, time } = dayAndTime(at, language)
  return ` (${day} ${time})`
}

/** The moment, so that no two messages to a phone are equal. */
const accountTexts: Readonly<Record<LanguageCode, Readonly<Record<AccountKind, HoursText>>>> = {
  ar: {
    'number-changed': ({ day, time }) =>
      `نُقل حسابك إلى رقم آخر (${day} ${time})، ولا يُدخل إليه بهذا الرقم بعد الآن. لم تطلب ذلك؟ تواصل معنا فورًا.`,
    'email-changed': ({ day, time }) =>
      `أُضيف بريد إلكتروني إلى حسابك، ويمكنه فتح حسابك من ${day} ${time}. لم تطلب ذلك؟ سجّل الدخول وأزله.`,
    'number-waits': ({ day, time }) =>
      `طُلب منا نقل حسابك إلى رقم آخر، وسيفتح ذلك الرقم حسابك من ${day} ${time}. لم تطلب ذلك؟ سجّل الدخول بهذا الرقم قبلها ليُلغى الطلب.`,
  },
  en: {
    'number-changed': ({ day, time }) =>
      `your account was moved to another number (${day} ${time}). This one no longer opens it. Not you? Contact us at once.`,
    'email-changed': ({ day, time }) =>
      `an e-mail address was added and can open your account from ${day} ${time}. Not you? Sign in and remove it.`,
    'number-waits': ({ day, time }) =>
      `we were asked to move your account to another number, which can open it from ${day} ${time}. Not you? Log in with this number before then: that stops it.`,
  },
}

/** The moment that a message about an account names: that of its change, or from when on it opens the account. */
export function momentOf(kind: MessageKind, at: number): number {
  if (kind === 'number-waits' || kind === 'number-waits-letter') return at + numberChangeRules.waitMs
  return kind === 'email-changed' || kind === 'email-added-letter' ? at + emailWaitMs : at
}

/** The text of a message about an account, and of its change at `at`. */
export function accountText(language: string | null, kind: AccountKind, at: number): string {
  const code = isLanguageCode(language) ? language : defaultLanguage
  return `${beginning(code)}${accountTexts[code][kind](dayAndTime(momentOf(kind, at), code))}`
}

export const beginning = (code: LanguageCode) => `${brand.name[code]}: `
const nowhere: Where = { agent: '', city: '', full: '' }

/** Names of persons are as long as people make them: what is worth least is left out first. */
function withinTwoParts(write: (less: Partial<Words>) => string, { receiver }: Words): string {
  const unnamed = { receiver: receiver === null ? null : '' }
  const texts = [{}, unnamed, { where: nowhere }, { where: nowhere, owner: '' }].map(write)
  return texts.find((text) => segmentsOf(text) <= 2) ?? texts[0] ?? ''
}

/** The parts of a text of `messageText`: a notification shows the name of the product as its title. */
export function partsOf(text: string): {
  readonly language: LanguageCode
  readonly title: string
  readonly body: string
} {
  const codes = Object.keys(languages) as LanguageCode[]
  // A text of a build with another name stays whole.
  const known = codes.find((code) => text.startsWith(beginning(code)))
  const language = known ?? defaultLanguage
  const body = known ? text.slice(beginning(known).length) : text
  return { language, title: brand.name[language], body: body.charAt(0).toUpperCase() + body.slice(1) }
}

/** Latin letters and signs of the alphabet that needs seven bits each (GSM 03.38), as far as our texts use it. */
const sevenBits = /^[A-Za-z0-9 \r\n@£$¥!"#%&'()*+,\-./:;<=>?_]*$/

/** How many parts an SMS with this text has, each of which is paid for. */
export function segmentsOf(text: string): number {
  const [single, several] = sevenBits.test(text) ? [160, 153] : [70, 67]
  return text.length <= single ? 1 : Math.ceil(text.length / several)
}

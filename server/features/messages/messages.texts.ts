import { after } from '#server/platform/fact-texts.ts'
import { loadTexts, type TextKey, type Texts } from '#server/platform/texts.ts'
import { dateInWords, dayAndTime } from '#server/platform/times.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import type { MessageKind } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Opening } from '#shared/partner/hours.rules.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { brand } from '#shared/platform/brand.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { riyadhOffset } from '#shared/platform/instant.ts'
import { defaultLanguage, isLanguageCode, type LanguageCode, languages } from '#shared/platform/language.ts'
import { sumIn } from '#shared/platform/money.ts'
import type { Day, PromisedDays } from '#shared/platform/promises.rules.ts'
import type { DaySpan } from '#shared/platform/promises.schemas.ts'
import { numberChangeRules } from '#shared/sessions/number-changes.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import ar from './locales/ar.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }
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
  /** Days that the order keeps as promised. */
  readonly promised?: PromisedDays | undefined
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

interface Words extends PromiseWords {
  readonly order: string
  /** Airway bills of the bags, and whether another one is still to be issued. */
  readonly awbs: readonly string[]
  readonly awaitsAwb: boolean
  /** The first airway bill; the order where there is none. */
  readonly bag: string
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

/** Sentences about promised days, and the day on which a bag was due; empty where nothing is promised. */
interface PromiseWords {
  readonly usually: string
  readonly handIn: string
  readonly arrival: string
  readonly kept: string
  readonly due: string
}

/** Empty where it is not known, or may not stand in an SMS. */
interface Where {
  readonly agent: string
  readonly city: string
  /** Address and city of a branch, or name and city of an agent. */
  readonly full: string
}

const textsIn = loadTexts('messages', { ar, en })
type MessageTexts = Texts<typeof en>

/** The texts in the language of a person; in the default language where it is not known. */
export function textsFor(language: string | null): { readonly code: LanguageCode; readonly t: MessageTexts } {
  const code = isLanguageCode(language) ? language : defaultLanguage
  return { code, t: textsIn(code) }
}

/**
 * The text of an SMS after the name of the product. Both together fit into two parts (67 characters each as soon as one is
 * Arabic). The text names the order or the bag, so that no two messages to a phone are equal: a look-up compares them. It has
 * no link and no phone number: operators of the Kingdom block senders whose links are not registered
 * (docs/wires/messages.md M9).
 */
function bodyOf(t: MessageTexts, kind: NewsKind, words: Words): string {
  const { order, bag, where, hours, money, receiver, owner, moment, claim, answerBy } = words
  const { agent, city, full: place } = where
  return t(`sms.${keyOf(kind, words)}`, {
    order,
    bag,
    agent,
    money,
    owner,
    moment,
    claim,
    answerBy,
    bills: billsText(t, words),
    receiver: receiver ?? '',
    collector: after(' ', collectorText(t, receiver)),
    change: newReceiverText(t, receiver),
    in: city === '' ? '' : ` ${t('place.in', { city })}`,
    at: place === '' ? '' : ` ${t(agent === '' ? 'place.branch' : 'place.agent', { place })}`,
    hours: after(' ', hours),
    usually: after(' ', words.usually),
    handIn: after(' ', words.handIn),
    arrival: after(' ', words.arrival),
    kept: after(' ', words.kept),
    due: words.due,
  })
}

/** The airway bills of an order, and that others follow. */
function billsText(t: MessageTexts, { awbs, awaitsAwb }: Words): string {
  if (awbs.length === 0) return t('sms.bills-follow')
  const bills = t('sms.bills', { count: awbs.length, bills: awbs.join(t('comma')) })
  return awaitsAwb ? `${bills}${t('comma')}${t('sms.other-bills-follow')}` : bills
}

/** Some kinds have several texts: the facts choose one. */
function keyOf(
  kind: NewsKind,
  { where, receiver, owner, isPaid, outcome }: Words,
): TextKey<(typeof en)['sms']> {
  switch (kind) {
    case 'handed-over':
      return where.agent === '' ? 'handed-over.no-agent' : 'handed-over.agent'
    case 'at-branch':
      return `at-branch.${caseOf(receiver)}`
    case 'wrong-amount':
      return isPaid ? 'wrong-amount.booked' : 'wrong-amount.not-booked'
    case 'receiver-named':
      return owner === '' ? 'receiver-named.no-owner' : 'receiver-named.owner'
    case 'claim-closed':
      return `claim-closed.${outcome}`
    default:
      return kind
  }
}

/** Who collects a bag: null is the owner, an empty name cannot stand in a message. */
function caseOf(receiver: string | null): 'owner' | 'named' | 'unnamed' {
  if (receiver === null) return 'owner'
  return receiver === '' ? 'unnamed' : 'named'
}

/** The person who collects a bag that is paid for; empty for the owner. Staff may have named the receiver, too. */
export function collectorText(t: MessageTexts, receiver: string | null): string {
  if (receiver === null) return ''
  return receiver === '' ? t('collector.unnamed') : t('collector.named', { receiver })
}

/** The person who collects the bag after a change. */
export const newReceiverText = (t: MessageTexts, receiver: string | null): string =>
  t(`new-receiver.${caseOf(receiver)}`, { receiver: receiver ?? '' })

/** With a longer place the text would need a third part. */
const longestPlace = 40
/** Beside the hours, which are worth more than the last words of an address. */
const longestPlaceWithHours = 36
/** Follows the day until which a branch keeps a bag. */
const shorterPlaces = [36, 32, 28]

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
  const comma = textsIn(language)('comma')
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

function hoursText(t: MessageTexts, opening: Opening | undefined, language: LanguageCode): string {
  if (opening?.state === 'closed')
    return t(opening.isToday ? 'hours.today' : 'hours.later', dayAndTime(opening.opensAt, language))
  return opening?.state === 'open' && opening.until !== undefined
    ? t('hours.until', dayAndTime(opening.until, language))
    : ''
}

/** Days in words, such as `2 to 4 days`. In Arabic they follow «خلال». A dash would make an English SMS twice as long. */
export function spanText(t: MessageTexts, [least, most]: DaySpan): string {
  if (most === 0) return t('span.same-day')
  const days = t('span.days', { count: most })
  if (least === most) return days
  if (least === 0) return t('span.up-to', { days })
  if (least === 1 && most === 2) return t('span.one-or-two')
  return t('span.from-to', { least: t('span.least', { count: least }), days })
}

export const dayText = (day: Day, language: LanguageCode): string =>
  dateInWords(Date.parse(`${day}T00:00:00${riyadhOffset}`), language)

function arrivalText(
  t: MessageTexts,
  [first, last]: NonNullable<PromisedDays['arrival']>,
  code: LanguageCode,
): string {
  const days = { first: dayText(first, code), last: dayText(last, code) }
  return first === last ? t('promise.arrival-day', days) : t('promise.arrival', days)
}

function promiseWords(
  t: MessageTexts,
  { transit, handInUntil, arrival, keptUntil, dueOn }: Partial<PromisedDays>,
  code: LanguageCode,
): PromiseWords {
  return {
    usually: transit ? t('promise.usually', { days: spanText(t, transit) }) : '',
    handIn: handInUntil ? t('promise.hand-in', { day: dayText(handInUntil, code) }) : '',
    arrival: arrival ? arrivalText(t, arrival, code) : '',
    kept: keptUntil ? t('promise.kept', { day: dayText(keptUntil, code) }) : '',
    due: dueOn ? dayText(dueOn, code) : '',
  }
}

/** The text of a message; in the default language where the person's is not known. */
export function messageText(
  language: string | null,
  facts: MessageFacts & { readonly kind: NewsKind; readonly orderId: number },
): string {
  const order = orderNumber(facts.orderId)
  const { code, t } = textsFor(language)
  const words: Words = {
    order,
    bag: facts.awbs[0] ?? order,
    awbs: facts.awbs,
    awaitsAwb: facts.awaitsAwb,
    where: whereOf(facts.place, code),
    hours: '',
    money: facts.returned ? sumIn(code, facts.returned.amount, facts.returned.currency) : '',
    isPaid: facts.isPaid,
    receiver: facts.receiver ? personName(facts.receiver) : null,
    owner: personName(facts.owner),
    moment: facts.at === undefined ? '' : momentText(facts.at, code),
    ...claimWords(facts.claim, code),
    ...promiseWords(t, facts.promised ?? {}, code),
  }
  const repeated = facts.claim?.repeatedAt == null ? '' : momentText(facts.claim.repeatedAt, code)
  const write = (change: Partial<Words>) =>
    `${beginning(code)}${bodyOf(t, facts.kind, { ...words, ...change })}${repeated}`
  const bare = withinTwoParts(write, words, (longest) => whereOf(facts.place, code, longest))
  const hours = hoursText(t, facts.opening, code)
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

/** The moment that a message about an account names: that of its change, or from when on it opens the account. */
export function momentOf(kind: MessageKind, at: number): number {
  if (kind === 'number-waits' || kind === 'number-waits-letter') return at + numberChangeRules.waitMs
  return kind === 'email-changed' || kind === 'email-added-letter' ? at + emailWaitMs : at
}

/** The text of a message about an account, and of its change at `at`. */
export function accountText(language: string | null, kind: AccountKind, at: number): string {
  const { code, t } = textsFor(language)
  // The moment is named so that no two messages to a phone are equal.
  return `${beginning(code)}${t(`sms.${kind}`, dayAndTime(momentOf(kind, at), code))}`
}

export const beginning = (code: LanguageCode) => `${brand.name[code]}: `
const nowhere: Where = { agent: '', city: '', full: '' }

/**
 * The longest text of two parts, since names of persons are as long as people make them. What is worth least is left out
 * first: how long it usually takes (it was shown before paying), the last words of an address beside the day until which the
 * branch keeps the bag, the last day for handing it in, the receiver's name, the other promised days, the place, the owner's
 * name. The numbers of bags and order, and what the receiver of the message has to do, always stay.
 */
function withinTwoParts(
  write: (less: Partial<Words>) => string,
  { receiver, kept }: Words,
  placeWithin: (longest: number) => Where,
): string {
  const unnamed: Partial<Words> = { receiver: receiver === null ? null : '' }
  const brief: Partial<Words> = { usually: '' }
  const shorter: Partial<Words>[] =
    kept === '' ? [] : shorterPlaces.map((longest) => ({ where: placeWithin(longest) }))
  const unpromised: Partial<Words> = { usually: '', handIn: '', arrival: '', kept: '' }
  const reductions: Partial<Words>[] = [
    {},
    brief,
    ...shorter,
    { ...brief, ...shorter.at(-1), handIn: '' },
    { ...brief, ...shorter.at(-1), ...unnamed },
    unpromised,
    { ...unpromised, ...unnamed },
    { ...unpromised, where: nowhere },
    { ...unpromised, where: nowhere, owner: '' },
  ]
  const texts = reductions.map(write)
  return texts.find((text) => segmentsOf(text) <= 2) ?? texts.at(-1) ?? ''
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

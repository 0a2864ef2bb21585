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

/** Where something happened, or where a bag is brought. A name and its address may be in two languages; `city` is in English. */
interface Place {
  readonly name?: string | undefined
  /** Of an agent. */
  readonly address?: string | undefined
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
  /** When an earlier message about the same bag, or claim, had the same text, the moment of this one; else null. */
  readonly repeatedAt?: number | null | undefined
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

/** Sentences about promised days, the last one for handing a bag in, and the one when it was due; empty where nothing is promised. */
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
  /** Parts of the address of a branch, or name and parts of the address of an agent, and the city. */
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
 * The text of an SMS after the name of the product. The text names the order or the bag, so that no two messages to a phone are equal: a look-up compares them. It has
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
    bring: after(' ', bringText(t, words)),
    arrival: after(' ', words.arrival),
    kept: after(' ', words.kept),
    due: words.due,
  })
}

/** Where to bring a bag, and until when; empty where neither is known. */
function bringText(t: MessageTexts, { where: { agent, full: place }, handIn: day }: Words): string {
  if (place === '') return day === '' ? '' : t('promise.hand-in', { day })
  return t(`bring.${agent === '' ? 'branch' : 'agent'}${day === '' ? '' : '-day'}`, { place, day })
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
    case 'collected':
      return receiver === null ? 'collected.owner' : 'collected.other'
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

/** A name as it may stand in an SMS; empty where it could be read as a link or a number. */
function fitting(name: string | undefined): string {
  const tidy = name?.replace(/\s+/g, ' ').trim() ?? ''
  return /https?:|www\.|\w\.\w{2,}|[\d٠-٩][\d٠-٩ -]{5,}/i.test(tidy) ? '' : tidy
}

const longestPersonName = 40

/**
 * A person's name as it may stand in an SMS. People write their own, and that of a bag's owner goes to a number that its
 * holder has not proven: only letters, spaces, hyphens and apostrophes, which make no link, number or code.
 */
export function personName(name: string | null | undefined): string {
  const tidy = fitting(name ?? undefined)
  return tidy.length <= longestPersonName && /^[\p{L}\p{M} '’-]*$/u.test(tidy) ? tidy : ''
}

/** A place in words, the shortest first: each has one part of the address more than the one before. */
function placesOf(place: Place | null, language: LanguageCode): readonly Where[] {
  const city = fitting(place?.city && cityName(place.city, language))
  const agent = fitting(place?.name && inLanguage(place.name, language))
  const ofBranch = language === 'ar' ? place?.addressAR : place?.addressEN
  const address = agent === '' ? ofBranch : place?.address && inLanguage(place.address, language)
  const whereWith = (parts: readonly string[]): Where => ({
    agent,
    city,
    full: [agent, ...parts, city].filter(Boolean).join(textsIn(language)('comma')),
  })
  const parts: string[] = []
  const places = agent === '' ? [whereWith([])] : [{ agent, city: '', full: agent }, whereWith([])]
  for (const part of (address ?? '').split(/\s*[،,]\s*|\s+-\s+/)) {
    const fit = fitting(part)
    if (fit === '' || fit === city) break
    parts.push(fit)
    places.push(whereWith(parts))
  }
  return places
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
    handIn: handInUntil ? dayText(handInUntil, code) : '',
    arrival: arrival ? arrivalText(t, arrival, code) : '',
    kept: keptUntil ? t('promise.kept', { day: dayText(keptUntil, code) }) : '',
    due: dueOn ? dayText(dueOn, code) : '',
  }
}

/**
 * The text of a message, of two parts at most; in the default language where the person's is not known. The numbers of bags and
 * order, and what the receiver of the message has to do, always stay. The rest stands in it as far as there is room, the most
 * valuable first: names of persons and places are as long as people make them. The last words of an address and the hours cost
 * no further part.
 */
export function messageText(
  language: string | null,
  facts: MessageFacts & { readonly kind: NewsKind; readonly orderId: number },
): string {
  const order = orderNumber(facts.orderId)
  const { code, t } = textsFor(language)
  const { usually, handIn, arrival, kept, due } = promiseWords(t, facts.promised ?? {}, code)
  const least: Words = {
    order,
    bag: facts.awbs[0] ?? order,
    awbs: facts.awbs,
    awaitsAwb: facts.awaitsAwb,
    where: nowhere,
    hours: '',
    money: facts.returned ? sumIn(code, facts.returned.amount, facts.returned.currency) : '',
    isPaid: facts.isPaid,
    receiver: facts.receiver ? '' : null,
    owner: '',
    moment: facts.at === undefined ? '' : momentText(facts.at, code),
    ...claimWords(facts.claim, code),
    ...nothingPromised,
    due,
  }
  const repeatedAt = facts.claim?.repeatedAt ?? facts.repeatedAt
  const repeated = repeatedAt == null ? '' : momentText(repeatedAt, code)
  const write = (words: Words) => `${beginning(code)}${bodyOf(t, facts.kind, words)}${repeated}`
  const fill = (words: Words, pieces: readonly Partial<Words>[], mostParts: number): Words => {
    let filled = words
    for (const piece of pieces) {
      const more = { ...filled, ...piece }
      if (segmentsOf(write(more)) <= mostParts) filled = more
    }
    return filled
  }

  const [shortest = nowhere, short = shortest, ...longer] = placesOf(facts.place, code)
  const receiver = facts.receiver ? personName(facts.receiver) : null
  const pieces = [
    { owner: personName(facts.owner) },
    { where: shortest },
    { arrival },
    { kept },
    { where: short },
    { receiver },
    { handIn },
    // It was shown before paying.
    { usually },
  ]
  const words = fill(least, pieces, 2)
  const rest = [{ hours: hoursText(t, facts.opening, code) }, ...longer.map((where) => ({ where }))]
  return write(fill(words, rest, segmentsOf(write(words))))
}

/** Stands for words that may differ. */
const anything = '\u0000'

/**
 * Whether a text may report the same as these facts, in any language: its order, bag, claim and moments are the same. Its other words
 * may be those of an earlier time.
 */
export function isTextOf(
  text: string,
  { kind, ...facts }: MessageFacts & { readonly kind: NewsKind; readonly orderId: number },
): boolean {
  const order = orderNumber(facts.orderId)
  const repeatedAt = facts.claim?.repeatedAt ?? facts.repeatedAt
  return (Object.keys(languages) as LanguageCode[]).some((code) => {
    const { t } = textsFor(code)
    const words = {
      order,
      bag: facts.awbs[0] ?? anything,
      claim: facts.claim?.number ?? '',
      moment: facts.at === undefined ? '' : momentText(facts.at, code),
      ...anyWords,
    }
    const ending = repeatedAt == null ? '' : momentText(repeatedAt, code)
    return keysOf(kind).some((key) => {
      const parts = `${beginning(code)}${t(`sms.${key}`, words)}${ending}`.split(anything)
      const pattern = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')
      return new RegExp(`^${pattern}$`, 'su').test(text)
    })
  })
}

/** Keys of all texts of a kind. */
function keysOf(kind: NewsKind): TextKey<(typeof en)['sms']>[] {
  const texts: string | object = en.sms[kind]
  const keys = typeof texts === 'string' ? [kind] : Object.keys(texts).map((key) => `${kind}.${key}`)
  return keys as TextKey<(typeof en)['sms']>[]
}

const anyWords = {
  agent: anything,
  money: anything,
  owner: anything,
  answerBy: anything,
  bills: anything,
  receiver: anything,
  collector: anything,
  change: anything,
  in: anything,
  at: anything,
  hours: anything,
  usually: anything,
  bring: anything,
  arrival: anything,
  kept: anything,
  due: anything,
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
const nothingPromised: PromiseWords = { usually: '', handIn: '', arrival: '', kept: '', due: '' }

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

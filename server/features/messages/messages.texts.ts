import { after } from '#server/platform/fact-texts.ts'
import { loadTexts, type TextKey, type Texts } from '#server/platform/texts.ts'
import { dateInWords, datesInWords, dayAndTime } from '#server/platform/times.ts'
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
import type { AccountKind, OrderKind } from './messages.rules.ts'

/** `name` and `address` can contain two languages; `city` is in English. */
interface Place {
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly addressAR?: string | undefined
  readonly addressEN?: string | undefined
  readonly city?: string | undefined
}

export interface MessageFacts {
  readonly awbs: readonly string[]
  readonly awaitsAwb: boolean
  readonly place: Place | null
  readonly isPaid: boolean
  readonly returned: { readonly amount: number; readonly currency: string } | null
  readonly opening?: Opening | undefined
  readonly receiver?: string | null
  readonly owner?: string | undefined
  /** When an earlier message has the same text, this time is added to make the texts differ. */
  readonly repeatedAt?: number | null | undefined
  readonly at?: number | undefined
  readonly claim?: ClaimFacts | undefined
  readonly promised?: PromisedDays | undefined
}

export interface ClaimFacts {
  readonly number: string
  readonly answerBy: number
  readonly outcome: ClaimOutcome | null
  readonly repeatedAt: number | null
}

interface Words extends PromiseWords {
  readonly order: string
  readonly awbs: readonly string[]
  readonly awaitsAwb: boolean
  readonly bag: string
  readonly where: Where
  readonly hours: string
  readonly money: string
  readonly isPaid: boolean
  /** Null: the owner collects the bag. Empty: the receiver's name is unsafe in an SMS. */
  readonly receiver: string | null
  readonly owner: string
  readonly moment: string
  readonly claim: string
  readonly answerBy: string
  readonly outcome: ClaimOutcome
}

interface PromiseWords {
  readonly usually: string
  readonly handIn: string
  readonly arrival: string
  readonly kept: string
  readonly due: string
}

/** A name is empty when it is unknown or unsafe in an SMS. */
interface Where {
  readonly agent: string
  readonly city: string
  readonly full: string
}

const textsIn = loadTexts('messages', { ar, en })
export type MessageTexts = Texts<typeof en>

export function textsFor(language: string | null): { readonly code: LanguageCode; readonly t: MessageTexts } {
  const code = isLanguageCode(language) ? language : defaultLanguage
  return { code, t: textsIn(code) }
}

/**
 * All messages to a phone number must differ, because look-ups compare texts. A text has no link and no phone number,
 * because Saudi operators block senders of unregistered links (docs/wires/messages.md M9).
 */
function bodyOf(t: MessageTexts, kind: OrderKind, words: Words) {
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

function bringText(t: MessageTexts, { where: { agent, full: place }, handIn: day }: Words) {
  if (place === '') return day === '' ? '' : t('promise.hand-in', { day })
  return t(`bring.${agent === '' ? 'branch' : 'agent'}${day === '' ? '' : '-day'}`, { place, day })
}

function billsText(t: MessageTexts, { awbs, awaitsAwb }: Words) {
  if (awbs.length === 0) return t('sms.bills-follow')
  const bills = t('sms.bills', { count: awbs.length, bills: awbs.join(t('comma')) })
  return awaitsAwb ? `${bills}${t('comma')}${t('sms.other-bills-follow')}` : bills
}

function keyOf(
  kind: OrderKind,
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

function caseOf(receiver: string | null): 'owner' | 'named' | 'unnamed' {
  if (receiver === null) return 'owner'
  return receiver === '' ? 'unnamed' : 'named'
}

function collectorText(t: MessageTexts, receiver: string | null): string {
  if (receiver === null) return ''
  return receiver === '' ? t('collector.unnamed') : t('collector.named', { receiver })
}

export const newReceiverText = (t: MessageTexts, receiver: string | null): string =>
  t(`new-receiver.${caseOf(receiver)}`, { receiver: receiver ?? '' })

export function fitting(name: string | undefined) {
  const tidy = name?.replace(/\s+/g, ' ').trim() ?? ''
  return /https?:|www\.|\w\.\w{2,}|[\d٠-٩][\d٠-٩ -]{5,}/i.test(tidy) ? '' : tidy
}

const longestPersonName = 40

/** An owner's name goes to an unproven phone number, so a name that could form a link, number or code becomes empty. */
export function personName(name: string | null | undefined): string {
  const tidy = fitting(name ?? undefined)
  return tidy.length <= longestPersonName && /^[\p{L}\p{M} '’-]*$/u.test(tidy) ? tidy : ''
}

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

function hoursText(t: MessageTexts, opening: Opening | undefined, language: LanguageCode) {
  if (opening?.state === 'closed')
    return t(opening.isToday ? 'hours.today' : 'hours.later', dayAndTime(opening.opensAt, language))
  return opening?.state === 'open' && opening.until !== undefined
    ? t('hours.until', dayAndTime(opening.until, language))
    : ''
}

/** A dash, as in `2–4 days`, doubles the length of an English SMS. */
export function spanText(t: MessageTexts, [least, most]: DaySpan): string {
  if (most === 0) return t('span.same-day')
  const days = t('span.days', { count: most })
  if (least === most) return days
  if (least === 0) return t('span.up-to', { days })
  if (least === 1 && most === 2) return t('span.one-or-two')
  return t('span.from-to', { least: t('span.least', { count: least }), days })
}

const startOf = (day: Day) => Date.parse(`${day}T00:00:00${riyadhOffset}`)

const dayText = (day: Day, language: LanguageCode) => dateInWords(startOf(day), language)

export const datesText = (day: Day, language: LanguageCode): string => datesInWords(startOf(day), language)

function arrivalText(
  t: MessageTexts,
  [first, last]: NonNullable<PromisedDays['arrival']>,
  code: LanguageCode,
) {
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
 * An SMS has at most two segments: the order, the bags and the next step, then other facts while they fit, the most
 * valuable first.
 */
export function messageText(
  language: string | null,
  facts: MessageFacts & { readonly kind: OrderKind; readonly orderId: number },
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
    { usually },
  ]
  const words = fill(least, pieces, 2)
  const rest = [{ hours: hoursText(t, facts.opening, code) }, ...longer.map((where) => ({ where }))]
  return write(fill(words, rest, segmentsOf(write(words))))
}

const anything = '\u0000'

/** True when `text`, in any language, has the order, bag, claim and times of these facts. */
export function isTextOf(
  text: string,
  { kind, ...facts }: MessageFacts & { readonly kind: OrderKind; readonly orderId: number },
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

function keysOf(kind: OrderKind): TextKey<(typeof en)['sms']>[] {
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
    answerBy: claim === undefined ? '' : dateInWords(claim.answerBy - 1, language),
    outcome: claim?.outcome ?? ('withdrawn' as const),
  }
}

function momentText(at: number, language: LanguageCode) {
  const { day, time } = dayAndTime(at, language)
  return ` (${day} ${time})`
}

export function momentOf(kind: MessageKind, at: number): number {
  if (kind === 'number-waits' || kind === 'number-waits-letter') return at + numberChangeRules.waitMs
  return kind === 'email-changed' || kind === 'email-added-letter' ? at + emailWaitMs : at
}

export function accountText(language: string | null, kind: AccountKind, at: number): string {
  const { code, t } = textsFor(language)
  return `${beginning(code)}${t(`sms.${kind}`, dayAndTime(momentOf(kind, at), code))}`
}

export const beginning = (code: LanguageCode) => `${brand.name[code]}: `
const nowhere: Where = { agent: '', city: '', full: '' }
const nothingPromised: PromiseWords = { usually: '', handIn: '', arrival: '', kept: '', due: '' }

/** The title of a notification is the product's name, so the body must not repeat it. */
export function partsOf(text: string): {
  readonly language: LanguageCode
  readonly title: string
  readonly body: string
} {
  const codes = Object.keys(languages) as LanguageCode[]
  const known = codes.find((code) => text.startsWith(beginning(code)))
  const language = known ?? defaultLanguage
  const body = known ? text.slice(beginning(known).length) : text
  return { language, title: brand.name[language], body: body.charAt(0).toUpperCase() + body.slice(1) }
}

const sevenBits = /^[A-Za-z0-9 \r\n@£$¥!"#%&'()*+,\-./:;<=>?_]*$/

export function segmentsOf(text: string): number {
  const [single, several] = sevenBits.test(text) ? [160, 153] : [70, 67]
  return text.length <= single ? 1 : Math.ceil(text.length / several)
}

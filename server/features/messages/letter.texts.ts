import { plainText } from '#pdf/text.ts'
import { emailCodeLifeMs } from '#server/features/otp/otp.rules.ts'
import { cityColour } from '#server/features/receipts/receipts.colours.ts'
import { dayAndTime } from '#server/platform/times.ts'
import { maxWeightKg } from '#shared/checkout/checkout.operations.ts'
import type { MailKind } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { brand } from '#shared/platform/brand.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { PromisedDays } from '#shared/platform/promises.rules.ts'
import { isolated, type Letter, type LetterPart, type LetterPlace, plainLetter } from './letter.ts'
import {
  datesText,
  fitting,
  type MessageTexts,
  momentOf,
  newReceiverText,
  personName,
  spanText,
  textsFor,
} from './messages.texts.ts'

const { phone, email } = brand.contact

export interface LetterBag {
  readonly awb: string | null
  readonly hasLabel: boolean
  readonly origin: Location
  readonly destination: Location
  readonly endsAtBranch: boolean
  /** The person who collects the bag. Null means the owner. */
  readonly receiver: string | null
  readonly promised: Partial<PromisedDays> | undefined
}

interface DocumentsFacts {
  readonly orderId: number
  readonly owner: string | null
  readonly bags: readonly LetterBag[]
  readonly url: string
}

export function documentsLetter(
  language: string | null,
  { orderId, owner, bags, url }: DocumentsFacts,
): Letter {
  const { code, t } = textsFor(language)
  const order = orderNumber(orderId)
  const ways = bags.map((bag) => wayText(t, code, bag))
  const [first] = bags
  const hasBarcode = bags.some(({ awb }) => awb !== null)
  const giver = first?.endsAtBranch === false ? 'give-branch' : 'give-agent'
  const title: LetterPart = { kind: 'title', text: t(`letters.documents.${hasBarcode ? giver : 'follows'}`) }
  const label = t('letters.files.barcode')
  return {
    language: code,
    subject: t(`letters.documents.${subjectOf(bags)}`, {
      order,
      city: ways[0]?.destination.city ?? '',
    }),
    preview: ways.flatMap(({ places }) => places.map((place) => `${place.label}: ${place.name}`)).join(' · '),
    parts: [
      ...bags.flatMap((bag, index): LetterPart[] => {
        const way = ways[index]
        if (!way) return []
        const places: LetterPart = { kind: 'places', places: way.places }
        const tag = tagOf(t, bag, way, order, owner)
        return index === 0 ? [tag, title, places] : [tag, places]
      }),
      { kind: 'link', label: t('letters.open'), url },
      { kind: 'done', text: t('letters.documents.paid', { order }) },
      {
        kind: 'files',
        label: t('letters.files.attached'),
        files: [
          ...bags.flatMap(({ awb, hasLabel }) =>
            awb !== null && hasLabel ? [{ label, name: `${awb}.pdf` }] : [],
          ),
          { label: t('letters.files.receipt'), name: `${order}.pdf` },
        ],
      },
      { kind: 'contact', label: t('letters.help'), phone, email },
      { kind: 'quiet', text: t('letters.documents.reason') },
    ],
  }
}

function subjectOf(bags: readonly LetterBag[]) {
  const [first, second] = bags
  if (bags.every(({ awb }) => awb === null)) return 'subject-receipt'
  return second === undefined && first?.destination.city ? 'subject-to' : 'subject'
}

interface PlaceText {
  readonly name: string
  readonly short: string
  readonly city: string
  readonly lines: readonly string[]
}

interface Way {
  readonly origin: PlaceText
  readonly destination: PlaceText
  readonly places: readonly LetterPlace[]
}

function wayText(
  t: MessageTexts,
  code: LanguageCode,
  { origin: from, destination: to, promised = {} }: LetterBag,
): Way {
  const { transit, handInUntil, storageDays } = promised
  const [origin, destination] = [placeText(t, code, from), placeText(t, code, to)]
  return {
    origin,
    destination,
    places: [
      {
        isEnd: false,
        label: t('letters.place.hand-in'),
        name: origin.name,
        lines: origin.lines,
        deadline: handInUntil ? t('letters.place.until', { day: datesText(handInUntil, code) }) : '',
        storage: '',
      },
      {
        isEnd: true,
        label: t('letters.place.collect'),
        name: destination.name,
        lines: [
          ...destination.lines,
          ...(transit ? [t('letters.place.usually', { days: spanText(t, transit) })] : []),
        ],
        deadline: '',
        storage: storageDays ? t('letters.place.kept', { count: storageDays }) : '',
      },
    ],
  }
}

/**
 * The partner wrote the text: invisible marks are removed, and what looks like a link or phone number becomes empty.
 */
const safe = (text: string | undefined) => plainText(fitting(text))

function placeText(t: MessageTexts, code: LanguageCode, place: Location): PlaceText {
  const comma = t('comma')
  const city = safe(place.city && cityName(place.city, code))
  const agent = safe(place.name && inLanguage(place.name, code))
  const ofBranch = code === 'ar' ? place.addressAR : place.addressEN
  const address = agent === '' ? ofBranch : place.address && inLanguage(place.address, code)
  const parts = (address ?? '')
    .split(/\s*[،,]\s*|\s+-\s+/)
    .map(safe)
    .filter((part) => part !== '' && part !== city)
  const lineOf = (more: readonly string[]) => (more.length > 0 ? [isolated(more.join(comma))] : [])
  if (agent !== '')
    return {
      name: isolated(agent),
      short: isolated(agent),
      city,
      lines: lineOf(city === '' ? parts : [...parts, city]),
    }
  const [district, ...rest] = parts
  const branch = (...words: readonly (string | undefined)[]) => {
    const place = isolated(words.filter(Boolean).join(comma))
    return place === '' ? '' : t('letters.place.branch', { place })
  }
  return {
    name: branch(district, city),
    short: branch(district),
    city,
    lines: lineOf(rest),
  }
}

function tagOf(
  t: MessageTexts,
  { awb, hasLabel, endsAtBranch, destination: { city }, receiver }: LetterBag,
  { destination }: Way,
  order: string,
  owner: string | null,
): LetterPart {
  const letters = cityCode(city) ?? null
  const collector = isolated(personName(receiver ?? owner))
  const name = collector === '' && receiver !== null ? t('letters.tag.someone') : collector
  const alt = awb === null ? '' : t('letters.tag.alt', { awb })
  return {
    kind: 'tag',
    order,
    weight: t('letters.tag.weight', { kg: maxWeightKg }),
    to: t('letters.tag.to'),
    city: isolated(destination.city) || destination.name,
    at: destination.city === '' ? '' : destination.short,
    letters,
    colour: cityColour(letters),
    receiver: name === '' ? null : { label: t('letters.tag.receiver'), name },
    bars:
      awb === null
        ? null
        : {
            awb,
            label: t('letters.tag.bill'),
            alt: hasLabel ? `${alt} ${t('letters.tag.no-picture')}` : alt,
          },
    hint: t(`letters.tag.${awb === null ? 'follows' : endsAtBranch ? 'show-agent' : 'show-branch'}`),
  }
}

interface ReceiverChange {
  readonly orderId: number
  readonly receiver: string | null
  readonly at: number
  readonly url: string
}

export function receiverLetter(
  language: string | null,
  { orderId, receiver, at, url }: ReceiverChange,
): Letter {
  const { code, t } = textsFor(language)
  const order = orderNumber(orderId)
  const change = newReceiverText(t, receiver === null ? null : isolated(personName(receiver)))
  return {
    language: code,
    subject: t('letters.receiver-changed-letter.subject', { order }),
    preview: '',
    parts: [
      { kind: 'title', text: t('letters.receiver-changed-letter.title') },
      {
        kind: 'text',
        text: t('letters.receiver-changed-letter.text', { order, change, ...dayAndTime(at, code) }),
      },
      { kind: 'link', label: t('letters.open'), url },
      { kind: 'contact', label: t('letters.contact'), phone, email },
    ],
  }
}

export type AccountLetter = Exclude<MailKind, 'documents' | 'receiver-changed-letter'>

/**
 * At `stopUrl`, the owner of a new e-mail address can refuse the account, until the address can recover it
 * (`emailWaitMs`).
 */
export function accountLetter(
  language: string | null,
  kind: AccountLetter,
  at: number,
  stopUrl: string | null = null,
): Letter {
  const { code, t } = textsFor(language)
  const subject = t(`letters.${kind}.subject`)
  const hasStop = kind === 'number-waits-letter' || kind === 'email-added-letter'
  return {
    language: code,
    subject,
    preview: '',
    parts: [
      { kind: 'title', text: subject },
      { kind: 'text', text: t(`letters.${kind}.text`, dayAndTime(momentOf(kind, at), code)) },
      ...(hasStop ? [{ kind: 'strong' as const, text: t(`letters.${kind}.stop`) }] : []),
      ...(stopUrl === null
        ? []
        : [{ kind: 'link' as const, label: t('letters.email-added-letter.link'), url: stopUrl }]),
      { kind: 'contact', label: t(hasStop ? 'letters.help' : 'letters.contact'), phone, email },
    ],
  }
}

/** @param shown the code, or the placeholder that the provider replaces by the code */
export function codeLetter(language: LanguageCode, shown: string): Letter {
  const { t } = textsFor(language)
  const name = brand.name[language]
  const valid = t('letters.code.valid', { count: emailCodeLifeMs / 60_000 })
  return {
    language,
    subject: `${t('letters.code.subject')}: ${shown}`,
    preview: valid,
    parts: [
      { kind: 'title', text: t('letters.code.title', { name }) },
      { kind: 'code', code: shown, text: `${t('letters.code.where')}\n${valid}` },
      { kind: 'strong', text: t('letters.code.secret', { name }) },
      { kind: 'quiet', text: t('letters.code.not-asked') },
      { kind: 'contact', label: t('letters.help'), phone, email },
    ],
  }
}

export const storedText = (letter: Letter): string => `${letter.subject}\n\n${plainLetter(letter)}`

import { dayAndTime } from '#server/platform/times.ts'
import type { MailKind } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { brand } from '#shared/platform/brand.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import type { PromisedDays } from '#shared/platform/promises.rules.ts'
import {
  collectorText,
  dayText,
  momentOf,
  newReceiverText,
  partsOf,
  personName,
  spanText,
  textsFor,
} from './messages.texts.ts'

const { phone, email } = brand.contact
const contact = { phone, email }

interface MailFacts {
  readonly orderId: number
  readonly awbs: readonly string[]
  readonly hasBarcode: boolean
  readonly url: string
  readonly receiver: string | null
  readonly promised?: PromisedDays | undefined
}

function promisesText(language: string | null, promised: Partial<PromisedDays>) {
  const { code, t } = textsFor(language)
  const { transit, handInUntil, storageDays } = promised
  const sentences = [
    transit ? t('letters.documents.usually', { days: spanText(t, transit) }) : '',
    handInUntil ? t('promise.hand-in', { day: dayText(handInUntil, code) }) : '',
    storageDays ? t('letters.documents.kept', { count: storageDays }) : '',
  ]
  return sentences.filter(Boolean).join(' ')
}

/** An e-mail is stored as its subject and its paragraphs, with empty lines between them. */
export function mailText(
  language: string | null,
  { orderId, awbs, hasBarcode, url, receiver, promised }: MailFacts,
): string {
  const { code, t } = textsFor(language)
  const order = orderNumber(orderId)
  const files = hasBarcode ? 'with-barcode' : 'receipt-only'
  const bills = { count: awbs.length, bills: awbs.join(t('comma')) }
  return storedText(code, t(`letters.documents.${files}.subject`, { order }), [
    t('letters.documents.paid', { order }),
    awbs.length > 0 ? t('letters.documents.bills', bills) : '',
    collectorText(t, receiver === null ? null : personName(receiver)),
    t(`letters.documents.${files}.text`),
    promisesText(language, promised ?? {}),
    t('letters.page', { url }),
    t('letters.help', contact),
    t('letters.documents.reason'),
  ])
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
): string {
  const { code, t } = textsFor(language)
  const order = orderNumber(orderId)
  const change = newReceiverText(t, receiver === null ? null : personName(receiver))
  return storedText(code, t('letters.receiver-changed-letter.subject', { order }), [
    t('letters.receiver-changed-letter.text', { order, change, ...dayAndTime(at, code) }),
    t('letters.page', { url }),
    t('letters.contact', contact),
  ])
}

const storedText = (code: LanguageCode, subject: string, paragraphs: readonly string[]) =>
  [`${brand.name[code]}: ${subject}`, ...paragraphs.filter(Boolean)].join('\n\n')

type AccountLetter = Exclude<MailKind, 'documents' | 'receiver-changed-letter'>

const endings = {
  'number-changed-letter': ['contact'],
  'number-waits-letter': ['number-waits-letter.stop', 'help'],
  'email-changed-letter': ['contact'],
  'email-added-letter': ['email-added-letter.stop', 'help'],
} as const satisfies Record<AccountLetter, readonly string[]>

/** A new address can recover the account after `emailWaitMs`. Until then its owner can refuse it at `stopUrl`. */
export function accountLetter(
  language: string | null,
  kind: AccountLetter,
  at: number,
  stopUrl = '',
): string {
  const { code, t } = textsFor(language)
  const values = { ...contact, stopUrl }
  return storedText(code, t(`letters.${kind}.subject`), [
    t(`letters.${kind}.text`, dayAndTime(momentOf(kind, at), code)),
    ...endings[kind].map((ending) => t(`letters.${ending}`, values)),
  ])
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Splits a stored e-mail into its parts. The HTML does not track whether it is read. */
export function letterOf(stored: string): { subject: string; text: string; html: string } {
  const [subject = '', ...paragraphs] = stored.split('\n\n')
  const { language } = partsOf(stored)
  const { direction } = languages[language]
  const body = paragraphs.map((paragraph) => {
    const lines = escaped(paragraph).replace(
      /https?:\/\/\S+/g,
      (url) => `<a href="${url}" dir="ltr">${url}</a>`,
    )
    return `<p>${lines.replaceAll('\n', '<br>')}</p>`
  })
  const style = 'max-width:36em;margin:0 auto;padding:1em;font:1.1em/1.7 sans-serif'
  const html = `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8"><title>${escaped(subject)}</title><body style="${style}">${body.join('')}</body></html>`
  return { subject, text: paragraphs.join('\n\n'), html }
}

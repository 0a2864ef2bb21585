import { dayAndTime } from '#server/platform/times.ts'
import type { MailKind } from '#shared/messages/messages.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { brand } from '#shared/platform/brand.ts'
import { defaultLanguage, isLanguageCode, type LanguageCode, languages } from '#shared/platform/language.ts'
import { collector, momentOf, newReceiver, partsOf, personName } from './messages.texts.ts'

interface MailFacts {
  readonly orderId: number
  readonly awbs: readonly string[]
  /** The barcode goes along. */
  readonly hasBarcode: boolean
  /** Of the order's page. */
  readonly url: string
  /** Who collects the bag; null for the owner. */
  readonly receiver: string | null
}

interface MailWords {
  readonly subject: string
  readonly paragraphs: readonly string[]
}

const texts: Readonly<Record<LanguageCode, (facts: MailFacts & { readonly order: string }) => MailWords>> = {
  ar: ({ order, awbs, hasBarcode, url, receiver }) => ({
    subject: hasBarcode ? `إيصالك وباركود حقيبتك، الطلب ${order}` : `إيصال الطلب ${order}`,
    paragraphs: [
      `تم الدفع للطلب ${order}.`,
      awbs.length > 0 ? `${awbs.length > 1 ? 'بوالص الشحن' : 'رقم بوليصة الشحن'}: ${awbs.join('، ')}` : '',
      collector.ar(receiver).trim(),
      hasBarcode
        ? 'تجد مع هذه الرسالة الإيصال وملف الباركود. اعرض الباركود على الوكيل عند تسليم حقيبتك، ثم استلمها من الفرع بالباركود نفسه وبهويتك.'
        : 'تجد مع هذه الرسالة الإيصال. سيظهر باركود حقيبتك في صفحة طلبك.',
      `صفحة طلبك:\n${url}`,
      `للمساعدة: ${brand.contact.phone}، ${brand.contact.email}`,
      'وصلتك هذه الرسالة لأنك أضفت هذا البريد إلى حسابك، ويمكنك إزالته من صفحة «حسابي».',
    ],
  }),
  en: ({ order, awbs, hasBarcode, url, receiver }) => ({
    subject: hasBarcode
      ? `your receipt and your bag's barcode, order ${order}`
      : `your receipt, order ${order}`,
    paragraphs: [
      `Order ${order} is paid.`,
      awbs.length > 0 ? `${awbs.length > 1 ? 'Airway bills' : 'Airway bill'}: ${awbs.join(', ')}` : '',
      collector.en(receiver).trim(),
      hasBarcode
        ? 'The receipt and the barcode are attached. Show the barcode to the agent when you hand over your bag, and collect the bag at the branch with the same barcode and your ID.'
        : 'The receipt is attached. The barcode of your bag will be on the page of your order.',
      `The page of your order:\n${url}`,
      `Help: ${brand.contact.phone}, ${brand.contact.email}`,
      'You get this because you added this address to your account. You can remove it in My account.',
    ],
  }),
}

/** The text of an e-mail as it is stored: the subject, an empty line, the paragraphs. */
export function mailText(language: string | null, facts: MailFacts): string {
  const code = isLanguageCode(language) ? language : defaultLanguage
  const receiver = facts.receiver === null ? null : personName(facts.receiver)
  return storedText(code, texts[code]({ ...facts, receiver, order: orderNumber(facts.orderId) }))
}

interface ReceiverChange {
  readonly orderId: number
  /** Who collects the bag now; null for the owner. */
  readonly receiver: string | null
  /** When it was changed. */
  readonly at: number
  /** Address of the order's page. */
  readonly url: string
}

/** A letter about another receiver, as it is stored; see `mailText`. */
export function receiverLetter(
  language: string | null,
  { orderId, receiver, at, url }: ReceiverChange,
): string {
  const code = isLanguageCode(language) ? language : defaultLanguage
  const { day, time } = dayAndTime(at, code)
  const change = newReceiver[code](receiver === null ? null : personName(receiver))
  const order = orderNumber(orderId)
  const help = `${brand.contact.phone}${code === 'ar' ? '،' : ','} ${brand.contact.email}`
  const words: Readonly<Record<LanguageCode, MailWords>> = {
    ar: {
      subject: `تغيّر مستلم حقيبتك، الطلب ${order}`,
      paragraphs: [
        `الطلب ${order}: ${change} (${day} ${time}).`,
        `صفحة طلبك:\n${url}`,
        `لم تطلب ذلك؟ تواصل معنا فورًا: ${help}`,
      ],
    },
    en: {
      subject: `the receiver of your bag was changed, order ${order}`,
      paragraphs: [
        `Order ${order}: ${change} (${day} ${time}).`,
        `The page of your order:\n${url}`,
        `Not you? Contact us at once: ${help}`,
      ],
    },
  }
  return storedText(code, words[code])
}

const storedText = (code: LanguageCode, { subject, paragraphs }: MailWords) =>
  [`${brand.name[code]}: ${subject}`, ...paragraphs.filter(Boolean)].join('\n\n')

type AccountLetter = Exclude<MailKind, 'documents' | 'receiver-changed-letter'>
/** `stopUrl`: of the letter to a new address. */
type LetterFacts = Moment & { readonly stopUrl: string }
type Moment = ReturnType<typeof dayAndTime>

const accountTexts: Readonly<
  Record<LanguageCode, Readonly<Record<AccountLetter, (facts: LetterFacts) => MailWords>>>
> = {
  ar: {
    'number-changed-letter': ({ day, time }) => ({
      subject: 'نُقل حسابك إلى رقم جوال آخر',
      paragraphs: [
        `نُقل حسابك إلى رقم جوال آخر (${day} ${time})، وانتهت كل الجلسات المفتوحة.`,
        `لم تطلب ذلك؟ تواصل معنا فورًا: ${brand.contact.phone}، ${brand.contact.email}`,
      ],
    }),
    'number-waits-letter': ({ day, time }) => ({
      subject: 'طُلب نقل حسابك إلى رقم جوال آخر',
      paragraphs: [
        `طُلب منا نقل حسابك إلى رقم جوال آخر، وسيفتح ذلك الرقم حسابك من ${day} ${time}.`,
        'لم تطلب ذلك؟ سجّل الدخول برقم جوالك الحالي قبلها ليُلغى الطلب.',
        `للمساعدة: ${brand.contact.phone}، ${brand.contact.email}`,
      ],
    }),
    'email-changed-letter': ({ day, time }) => ({
      subject: 'لم يعد هذا البريد مرتبطًا بحسابك',
      paragraphs: [
        `أُزيل هذا البريد من حسابك، أو حلّ محله بريد آخر (${day} ${time}).`,
        `لم تطلب ذلك؟ تواصل معنا فورًا: ${brand.contact.phone}، ${brand.contact.email}`,
      ],
    }),
    'email-added-letter': ({ day, time, stopUrl }) => ({
      subject: 'أُضيف هذا البريد إلى حساب',
      paragraphs: [
        `أُضيف هذا البريد إلى حساب لدينا، ويمكن بعد ${day} ${time} نقل الحساب به إلى رقم جوال آخر.`,
        `لم تطلب ذلك؟ افتح هذا الرابط خلال 24 ساعة واضغط الزر: يُزال البريد من الحساب وتنتهي كل جلساته.\n${stopUrl}`,
        `للمساعدة: ${brand.contact.phone}، ${brand.contact.email}`,
      ],
    }),
  },
  en: {
    'number-changed-letter': ({ day, time }) => ({
      subject: 'your account has another mobile number',
      paragraphs: [
        `Your account was moved to another mobile number (${day} ${time}), and every open session was ended.`,
        `Not you? Contact us at once: ${brand.contact.phone}, ${brand.contact.email}`,
      ],
    }),
    'number-waits-letter': ({ day, time }) => ({
      subject: 'we were asked to move your account to another mobile number',
      paragraphs: [
        `We were asked to move your account to another mobile number, which can open it from ${day} ${time}.`,
        'Not you? Log in with your present number before then: that stops it.',
        `Help: ${brand.contact.phone}, ${brand.contact.email}`,
      ],
    }),
    'email-changed-letter': ({ day, time }) => ({
      subject: 'this address is no longer in your account',
      paragraphs: [
        `This e-mail address was removed from your account, or another one took its place (${day} ${time}).`,
        `Not you? Contact us at once: ${brand.contact.phone}, ${brand.contact.email}`,
      ],
    }),
    'email-added-letter': ({ day, time, stopUrl }) => ({
      subject: 'this address was added to an account',
      paragraphs: [
        `This e-mail address was added to an account with us. From ${day} ${time} it can move the account to another mobile number.`,
        `Not you? Open this link within 24 hours and press the button: the address is removed from the account, and all its sessions end.\n${stopUrl}`,
        `Help: ${brand.contact.phone}, ${brand.contact.email}`,
      ],
    }),
  },
}

/**
 * A letter about an account and its change at `at`, as it is stored; see `mailText`. A new address opens the account
 * `emailWaitMs` later, and `stopUrl` refuses it.
 */
export function accountLetter(
  language: string | null,
  kind: AccountLetter,
  at: number,
  stopUrl = '',
): string {
  const code = isLanguageCode(language) ? language : defaultLanguage
  return storedText(code, accountTexts[code][kind]({ ...dayAndTime(momentOf(kind, at), code), stopUrl }))
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The parts of a text of `mailText`. No picture, no style sheet, nothing that would report that it was read. */
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

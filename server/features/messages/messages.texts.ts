import { orderNumber } from '#shared/orders/order-number.ts'
import { defaultLanguage, isLanguageCode, type LanguageCode } from '#shared/platform/language.ts'
import type { MessageKind } from './messages.rules.ts'

/** What a text may name. */
export interface MessageFacts {
  readonly kind: MessageKind
  readonly orderId: number
  readonly awb: string | null
  /** Where it happened, in one language or two. */
  readonly place: string | null
}

type Text = (facts: { readonly bag: string; readonly order: string; readonly place: string }) => string

/**
 * Each text fits into two parts of an SMS (67 characters each as soon as one is Arabic), and names the order or the bag,
 * so that no two messages to a phone are equal: a look-up compares them. No link and no phone number: operators of the
 * Kingdom block senders whose links are not registered (docs/wires/messages.md M9).
 */
const texts: Readonly<Record<LanguageCode, Readonly<Record<MessageKind, Text>>>> = {
  ar: {
    paid: ({ bag, order }) => `أمتعتي: تم الدفع للطلب ${order}. رقم بوليصة حقيبتك ${bag}.`,
    'handed-over': ({ bag, place }) => `أمتعتي: استُلمت منك الحقيبة ${bag}${at(' لدى ', place)}.`,
    'at-branch': ({ bag, place }) => `أمتعتي: حقيبتك ${bag} جاهزة للاستلام${at(' في ', place)}.`,
    collected: ({ bag, place }) => `أمتعتي: سُلّمت الحقيبة ${bag}${at(' في ', place)}.`,
    refunded: ({ order }) => `أمتعتي: أُعيد مبلغ الطلب ${order}، وقد يظهر في حسابك بعد أيام.`,
    exception: ({ bag }) => `أمتعتي: تأخر نقل الحقيبة ${bag}. التفاصيل في التطبيق.`,
    cancelled: ({ order }) => `أمتعتي: أُلغي الطلب ${order}.`,
  },
  en: {
    paid: ({ bag, order }) => `Amtiati: order ${order} is paid. Your bag's airway bill: ${bag}.`,
    'handed-over': ({ bag, place }) => `Amtiati: bag ${bag} was received from you${at(' at ', place)}.`,
    'at-branch': ({ bag, place }) => `Amtiati: bag ${bag} is ready for you${at(' at ', place)}.`,
    collected: ({ bag, place }) => `Amtiati: bag ${bag} was collected${at(' at ', place)}.`,
    refunded: ({ order }) => `Amtiati: order ${order} was refunded. Your bank may take days to show it.`,
    exception: ({ bag }) => `Amtiati: bag ${bag} is delayed. Details are in the app.`,
    cancelled: ({ order }) => `Amtiati: order ${order} is cancelled.`,
  },
}

const at = (preposition: string, place: string) => (place === '' ? '' : `${preposition}${place}`)

/** Longer names are left out: the text would need a third part. */
const longestPlace = 40

/** A place as it may stand in an SMS; empty where its name is too long or could be read as a link or a number. */
function placeText(place: string | null): string {
  const tidy = place?.replace(/\s+/g, ' ').trim() ?? ''
  const isUnfit = tidy.length > longestPlace || /https?:|www\.|\w\.\w{2,}|[\d٠-٩][\d٠-٩ -]{5,}/i.test(tidy)
  return isUnfit ? '' : tidy
}

/** The text of a message; in the default language where the person's is not known. */
export function messageText(language: string | null, { kind, orderId, awb, place }: MessageFacts): string {
  const order = orderNumber(orderId)
  const code = isLanguageCode(language) ? language : defaultLanguage
  return texts[code][kind]({ order, bag: awb ?? order, place: placeText(place) })
}

/** Latin letters and signs of the alphabet that needs seven bits each (GSM 03.38), as far as our texts use it. */
const sevenBits = /^[A-Za-z0-9 \r\n@£$¥!"#%&'()*+,\-./:;<=>?_]*$/

/** How many parts an SMS with this text has, each of which is paid for. */
export function segmentsOf(text: string): number {
  const [single, several] = sevenBits.test(text) ? [160, 153] : [70, 67]
  return text.length <= single ? 1 : Math.ceil(text.length / several)
}

import { codeLength } from '#shared/platform/code-length.ts'
import { otpErrorCodes } from '#shared/wire/otp/otp.wire.ts'

/** The answer to a send to a magic number. */
type MagicPhone =
  | { kind: 'refuse'; status: number; code: number; message: string }
  | { kind: 'break' }
  | { kind: 'hang' }

const refuse = (status: number, code: number, message: string) =>
  ({ kind: 'refuse', status, code, message }) satisfies MagicPhone

/**
 * Valid Saudi mobile numbers; their last digits name the error.
 * The HTTP status of 60410 is not published (docs/wires/otp.md O14); 403 is ours.
 */
export const magicPhones: Readonly<Record<string, MagicPhone>> = {
  '+966500060200': refuse(400, otpErrorCodes.invalidParameter, 'Invalid parameter `To`'),
  '+966500060203': refuse(429, otpErrorCodes.maxSends, 'Max send attempts reached'),
  '+966500060205': refuse(403, otpErrorCodes.landline, 'SMS is not supported by landline phone number'),
  '+966500060212': refuse(
    429,
    otpErrorCodes.tooManyConcurrent,
    'Too many concurrent requests for phone number',
  ),
  '+966500060238': refuse(403, otpErrorCodes.blockedByProvider, 'Verification creation blocked'),
  '+966500060410': refuse(
    403,
    otpErrorCodes.prefixBlocked,
    'The destination phone number has been temporarily blocked due to fraudulent activities',
  ),
  '+966500060605': refuse(403, otpErrorCodes.countryBlocked, 'Country or region is blocked'),
  '+966500020429': refuse(429, otpErrorCodes.tooManyRequests, 'Too many requests'),
  '+966500000500': { kind: 'break' },
  '+966500000408': { kind: 'hang' },
}

/**
 * Valid answers in an unusual form, none of them documented. `loose`: the other success status, numbers for strings,
 * nulls, new fields; `bare`: nothing that a client can do without.
 */
export const magicForms: Readonly<Record<string, 'loose' | 'bare'>> = {
  '+966500060201': 'loose',
  '+966500060204': 'bare',
}

/** The body of a verification or of a check in that form. */
export function inForm(
  form: 'loose' | 'bare',
  { sid, status, ...rest }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (form === 'bare') return { sid, status }
  const seconds = (time: unknown) => Date.parse(String(time)) / 1000
  return {
    ...rest,
    sid,
    status,
    valid: String(rest.valid),
    to: Number(String(rest.to).slice(1)),
    account_sid: null,
    channel: [rest.channel],
    amount: 0,
    lookup: null,
    send_code_attempts: null,
    date_created: seconds(rest.date_created),
    date_updated: seconds(rest.date_updated),
    risk_check: { score: 1 },
  }
}

/** Beginnings of phones that some channels do not reach. The service accepts the code, which never arrives. */
const unreached: Readonly<Record<string, readonly string[]>> = {
  '+96650071': ['sms'],
  '+96650072': ['whatsapp'],
  '+96650073': ['call'],
  '+96650074': ['sms', 'whatsapp'],
}

const refusingWhatsApp = '+96650075'

/** A channel that sends nothing to this phone, which the service says. */
export const refusalOfChannel = (phone: string, channel: string) =>
  channel === 'whatsapp' && phone.startsWith(refusingWhatsApp)
    ? refuse(400, otpErrorCodes.whatsAppTemplate, 'WhatsApp template is not approved')
    : undefined

/** Whether a code for the phone is lost on this channel. */
export const isLostOn = (phone: string, channel: string): boolean =>
  unreached[phone.slice(0, '+96650071'.length)]?.includes(channel) ?? false

/** The beginning of test phones with a fixed code: a test signs in without reading the inbox. */
const fixedCodePrefix = '+9665009'

/** The last digits of such a phone; undefined for others. */
export const fixedCodeOf = (phone: string): string | undefined =>
  phone.startsWith(fixedCodePrefix) ? phone.slice(-codeLength) : undefined

/** Languages of the service's texts (docs/wires/otp.md O7). */
export const supportedLocales: ReadonlySet<string> = new Set(
  (
    'af ar ca zh zh-CN zh-HK hr cs da nl en en-GB et fi fr de el he hi hu id it ja kn ko lt ms mr nb pl pt pt-BR ' +
    'ro ru sk es sv tl te th tr uk vi'
  ).split(' '),
)

/** The language of a phone without a `Locale`; the real service has many more (docs/wires/otp.md O7). */
export const localeOf = (phone: string): string => (phone.startsWith('+966') ? 'ar' : 'en')

/** The simulator has texts in two languages. A call says the digits one by one, twice. */
export function messageText(locale: string, channel: string, code: string): string {
  const isArabic = locale === 'ar'
  if (channel === 'call') {
    const digits = [...code].join(isArabic ? '، ' : ', ')
    return isArabic
      ? `مرحبًا. رمز التحقق الخاص بك هو: ${digits}. أكرر: ${digits}.`
      : `Hello. Your verification code is: ${digits}. Once again: ${digits}.`
  }
  return isArabic
    ? `رمز التحقق الخاص بك هو: ${code}. لا تشارك هذا الرمز مع أحد.`
    : `Your verification code is: ${code}. Do not share this code with anyone.`
}

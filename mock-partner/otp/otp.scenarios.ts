import { otpErrorCodes } from '#shared/wire/otp/otp.wire.ts'

/** What a magic number does to a send. */
export type MagicPhone =
  | { kind: 'refuse'; status: number; code: number; message: string }
  | { kind: 'break' }
  | { kind: 'hang' }

const refuse = (status: number, code: number, message: string): MagicPhone => ({
  kind: 'refuse',
  status,
  code,
  message,
})

/**
 * Saudi mobile numbers that pass any phone check; their last digits name the error.
 * The HTTP status of 60410 is not published; 403 is ours.
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

/** Languages the service has texts for (twilio.com/docs/verify/supported-languages). */
export const supportedLocales: ReadonlySet<string> = new Set(
  (
    'af ar ca zh zh-CN zh-HK hr cs da nl en en-GB et fi fr de el he hi hu id it ja kn ko lt ms mr nb pl pt pt-BR ' +
    'ro ru sk es sv tl te th tr uk vi'
  ).split(' '),
)

/** The text of the message. The simulator has texts in two languages; Arabic stands in when none was asked for. */
export function messageText(locale: string | undefined, code: string): string {
  return (locale ?? 'ar') === 'ar'
    ? `رمز التحقق الخاص بك هو: ${code}. لا تشارك هذا الرمز مع أحد.`
    : `Your verification code is: ${code}. Do not share this code with anyone.`
}

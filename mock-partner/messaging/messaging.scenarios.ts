import { messagingErrorCodes as codes } from '#shared/wire/messaging/messaging.wire.ts'

/** The outcome of a message to a magic number: refused at once, or accepted and failed later. */
export type MagicReceiver = { readonly refusal: number } | { readonly failure: number }

/** The provider's own test numbers (docs/wires/messages.md M5). */
const published: Readonly<Record<string, number>> = {
  '+15005550001': codes.invalidTo,
  '+15005550002': codes.noRoute,
  '+15005550003': codes.countryNotEnabled,
  '+15005550004': codes.optedOut,
  '+15005550009': codes.notMobile,
}

/**
 * Ours: valid Saudi mobile numbers whose last five digits are the error, because the published numbers cannot sign in.
 * `30…` fails after it was accepted, `20…` and `21…` are refused.
 */
const ours = /^\+9665000([23][01]\d{3})$/

const known: ReadonlySet<number> = new Set(Object.values(codes))

export function magicReceiver(phone: string): MagicReceiver | undefined {
  const code = published[phone] ?? Number(ours.exec(phone)?.[1])
  if (!known.has(code)) return undefined
  return code >= 30_000 ? { failure: code } : { refusal: code }
}

/** The provider's own test senders. */
export const magicSenders: Readonly<Record<string, number>> = {
  '+15005550001': codes.invalidFrom,
  '+15005550007': codes.fromNotOurs,
  '+15005550008': codes.fromQueueFull,
}
export const validTestSender = '+15005550006'

/** HTTP statuses of refusals that are not 400. */
export const refusalStatus: Readonly<Record<number, number>> = {
  [codes.authenticate]: 401,
  [codes.notFound]: 404,
  [codes.tooManyRequests]: 429,
  [codes.fromQueueFull]: 429,
}

const messages: Readonly<Record<number, string>> = {
  [codes.authenticate]: 'Authenticate',
  [codes.notFound]: 'The requested resource was not found',
  [codes.tooManyRequests]: 'Too Many Requests',
  [codes.invalidTo]: "Invalid 'To' Phone Number",
  [codes.invalidFrom]: "Invalid 'From' Phone Number",
  [codes.countryNotEnabled]:
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number",
  [codes.bodyMissing]: 'Message body is required.',
  [codes.toMissing]: "A 'To' phone number is required.",
  [codes.fromNotOurs]: "The 'From' phone number provided is not a valid message-capable phone number",
  [codes.optedOut]: 'Attempt to send to unsubscribed recipient',
  [codes.fromQueueFull]: "This 'From' number has exceeded the maximum number of queued messages",
  [codes.noRoute]: "Message cannot be sent with the current combination of 'To' and/or 'From' parameters",
  [codes.notMobile]: "'To' number is not a valid mobile number",
  [codes.bodyTooLong]: 'The concatenated message body exceeds the 1600 character limit',
}

export const messageOf = (code: number): string => messages[code] ?? 'The message was not sent'

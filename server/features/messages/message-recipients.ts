import type { Core } from '#server/core.ts'
import { findReceiverPhone } from '#server/features/orders/orders.calls.ts'
import { hasBrowser } from '#server/features/push/push.ts'
import { findRecipient, findRecipientByPhone } from '#server/features/sessions/sessions.calls.ts'
import { daysMs } from '#server/platform/batches.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { isForReceiver } from '#shared/messages/messages.schemas.ts'
import { type MessageRow, readReceiverTexts } from './messages.queries.ts'
import { isLetterOfAccount, isOfAccount, isWarning, messageRules } from './messages.rules.ts'

/** Who gets a message: its user, or the receiver of the bag, in whose phone the user's is replaced. */
export type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>

/**
 * Reads the present recipient of a message. A message about the account goes to the number or the address that the account had at
 * the event, whether messages about bags are wanted or not. A receiver's number is an owner's word: the language is the
 * owner's, the settings are those of the number's own account, and a number that refused, or was named often, gets nothing.
 * @returns undefined when the message has no recipient
 */
export async function findMessageRecipient(core: Core, message: MessageRow): Promise<Recipient | undefined> {
  const owner = await findRecipient(core, message.user_id)
  if (owner && isOfAccount(message.kind)) {
    const isSmsRefused = owner.isSmsRefused && owner.phone === message.phone
    return { ...owner, phone: message.phone, isSmsRefused, wantsMessages: true }
  }
  if (owner && isLetterOfAccount(message.kind)) return { ...owner, email: message.phone }
  if (owner && isWarning(message.kind)) return { ...owner, wantsMessages: true }
  if (!owner || !isForReceiver(message.kind)) return owner
  const phone = await findReceiverPhone(core, message.order_id, message.booking_id)
  // Under the owner's own number the owner's messages are enough.
  if (phone === undefined || phone === owner.phone) return undefined
  if (!(await mayNotifyReceiver(core, message, phone))) return undefined
  const { wantsMessages = true, isSmsRefused = false } = (await findRecipientByPhone(core, phone)) ?? {}
  return { ...owner, phone, wantsMessages, isSmsRefused }
}

async function mayNotifyReceiver(
  core: Core,
  { user_id, kind, body, phone: former }: MessageRow,
  phone: string,
): Promise<boolean> {
  const sent = await readReceiverTexts(core, phone, user_id, core.clock.now() - daysMs(1))
  if (sent.isRefused) return false
  // One that is written for the number was within the limits then, and is counted itself now.
  if (kind !== 'receiver-named' || (body !== '' && former === phone)) return true
  // Written for another number, it is one of the owner's.
  const byUser = body === '' ? sent.byUser : sent.byUser - 1
  return sent.toPhone < messageRules.namedPerPhone && byUser < messageRules.namedPerOwner
}

/** True when the person may get an SMS, by phone, country and choice. */
export const isReachable = ({ config }: Core, person: Recipient): boolean =>
  person.wantsMessages &&
  !person.isSmsRefused &&
  canonicalPhone(person.phone, config.ALLOWED_PHONE_COUNTRIES) === person.phone

/** True when the owner of an order is warned of another receiver by SMS. A letter goes only to an owner who is not. */
export const isWarnedBySms = (core: Core, person: Recipient): boolean =>
  core.config.MESSAGES_ENABLED && isReachable(core, { ...person, wantsMessages: true })

/** True when the text of a message is written at all: its person gets SMS, or push messages. */
export async function isWanted(core: Core, message: MessageRow, person: Recipient): Promise<boolean> {
  if (message.kind === 'receiver-changed') return isWarnedBySms(core, person)
  return (core.config.MESSAGES_ENABLED && isReachable(core, person)) || (await isPushed(core, message))
}

/** True when a message can go by push. A receiver has no browser of ours. */
export const isPushed = async (core: Core, { user_id, kind }: MessageRow): Promise<boolean> =>
  !isForReceiver(kind) && (await hasBrowser(core, user_id))

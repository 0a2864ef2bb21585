import type { Core } from '#server/core.ts'
import { findReceiverPhone } from '#server/features/orders/receivers.ts'
import { hasBrowser } from '#server/features/push/push.ts'
import { findRecipient, findRecipientByPhone } from '#server/features/users/users.ts'
import { daysMs } from '#server/platform/batches.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { isForReceiver } from '#shared/messages/messages.rules.ts'
import { type MessageRow, readReceiverTexts } from './messages.queries.ts'
import { isLetterOfAccount, isOfAccount, isWarning, messageRules } from './messages.rules.ts'

export type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>

/**
 * A message about the account goes to the recipient of its event, even if the user has switched messages off. A
 * receiver gets the owner's language.
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
  if (phone === undefined || phone === owner.phone) return undefined
  if (!(await mayNotifyReceiver(core, message, phone))) return undefined
  const { wantsMessages = true, isSmsRefused = false } = (await findRecipientByPhone(core, phone)) ?? {}
  return { ...owner, phone, wantsMessages, isSmsRefused }
}

async function mayNotifyReceiver(
  core: Core,
  { user_id, kind, body, phone: former }: MessageRow,
  phone: string,
) {
  const sent = await readReceiverTexts(core, phone, user_id, core.clock.now() - daysMs(1))
  if (sent.isRefused) return false
  // The limits of SMS to receivers already count this message.
  if (kind !== 'receiver-named' || (body !== '' && former === phone)) return true
  // The owner's count of SMS includes this message, which had another phone number before.
  const byUser = body === '' ? sent.byUser : sent.byUser - 1
  return sent.toPhone < messageRules.namedPerPhone && byUser < messageRules.namedPerOwner
}

export const isReachable = ({ config }: Core, person: Recipient): boolean =>
  person.wantsMessages &&
  !person.isSmsRefused &&
  canonicalPhone(person.phone, config.ALLOWED_PHONE_COUNTRIES) === person.phone

export const isWarnedBySms = (core: Core, person: Recipient): boolean =>
  core.config.MESSAGES_ENABLED && isReachable(core, { ...person, wantsMessages: true })

export async function isWanted(core: Core, message: MessageRow, person: Recipient): Promise<boolean> {
  if (message.kind === 'receiver-changed') return isWarnedBySms(core, person)
  return (core.config.MESSAGES_ENABLED && isReachable(core, person)) || (await isPushed(core, message))
}

export const isPushed = async (core: Core, { user_id, kind }: MessageRow): Promise<boolean> =>
  !isForReceiver(kind) && (await hasBrowser(core, user_id))

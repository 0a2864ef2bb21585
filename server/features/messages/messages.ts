import type { Core } from '#server/core.ts'
import { findRecipient } from '#server/features/users/users.ts'
import { isMail, type MessageExport } from '#shared/messages/messages.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { isWarnedBySms } from './message-recipients.ts'
import { listMessages, listMessagesOfOrder, type MessageRow } from './messages.queries.ts'
import { sendableFrom } from './messages.rules.ts'

const exportedAtMost = 1_000

export async function canWarn(core: Core, userId: number): Promise<boolean> {
  const person = await findRecipient(core, userId)
  if (person === undefined) return false
  return isWarnedBySms(core, person) || (core.providers.mail !== undefined && person.email !== null)
}

export const exportMessages = async (core: Core, userId: number): Promise<MessageExport[]> =>
  exportsOf(await listMessages(core, userId, exportedAtMost))

export const exportMessagesOfOrder = async (core: Core, orderId: number): Promise<MessageExport[]> =>
  exportsOf((await listMessagesOfOrder(core, orderId)).reverse())

function exportsOf(rows: readonly MessageRow[]): MessageExport[] {
  const written = rows.filter(({ body, ended_at }) => body !== '' || ended_at !== null)
  return written.map((row) => ({
    createdAt: isoOf(sendableFrom(row)),
    orderId: row.order_id === 0 ? null : row.order_id,
    about: row.kind,
    phone: row.phone,
    text: row.body,
    state: row.state,
    channel: isMail(row.kind) ? 'email' : row.push === 'accepted' ? 'push' : 'sms',
  }))
}

import type { Core } from '#server/core.ts'
import type { EventData } from '#server/features/history/history.kinds.ts'
import { type Actor, sendEvent } from '#server/features/history/history.ts'
import type { Effects } from '#server/features/history/outbox.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { emailWaitMs } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { OwnUser, User } from '#shared/sessions/sessions.schemas.ts'
import {
  addEmailStop,
  findUserByPhone,
  findUserRow,
  listOwners,
  listUsers,
  lockUserRow,
  removeEmail,
  type UserRow,
} from './users.queries.ts'
import { userOf } from './users.rules.ts'

export async function findUser(core: QueryCore, id: number): Promise<User | undefined> {
  const user = await findUserRow(core, id)
  return user && userOf(user)
}

/** @throws Failure NOT_SIGNED_IN when the user was deleted meanwhile */
export async function readUser(core: QueryCore, id: number): Promise<UserRow> {
  const user = await findUserRow(core, id)
  if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  return user
}

export async function findUsers(core: QueryCore, ids: readonly number[]): Promise<ReadonlyMap<number, User>> {
  const users = await listUsers(core, [...new Set(ids)])
  return new Map(users.map((user) => [user.id, userOf(user)]))
}

/** The keys of the returned map are the ids of owners, not of orders. */
export async function findOwners(
  core: QueryCore,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, User>> {
  const users = await listOwners(core, orderIds)
  return new Map(users.map((user) => [user.id, userOf(user)]))
}

export const findUserIdByPhone = async (core: QueryCore, phone: string): Promise<number | undefined> =>
  (await findUserByPhone(core, phone))?.id

/** Inside a transaction: the user cannot be deleted until it ends. */
export async function lockUser(core: QueryCore, id: number): Promise<User | undefined> {
  const user = await lockUserRow(core, id)
  return user && userOf(user)
}

export async function findRecipient(core: QueryCore, id: number) {
  const user = await findUserRow(core, id)
  return user && recipientOf(user)
}

export async function findRecipientByPhone(core: QueryCore, phone: string) {
  const user = await findUserByPhone(core, phone)
  return user && recipientOf(user)
}

export const ownUserOf = (
  { config }: Core,
  row: Pick<UserRow, 'id' | 'name' | 'phone' | 'messages' | 'email'>,
): OwnUser => ({
  ...userOf(row),
  ...(config.MESSAGES_ENABLED && { messages: row.messages === 1 }),
  ...(config.SMTP_URL !== undefined && { email: row.email }),
})

/**
 * By a link with this secret, the owner of a mailbox refuses the account. @param addedAt when the address was proven
 */
export async function openEmailStop(
  core: Core,
  userId: number,
  email: string,
  addedAt: number,
): Promise<string | undefined> {
  const user = await findUserRow(core, userId)
  if (user?.email !== email) return undefined
  const token = core.random.bytes(16).toString('base64url')
  await addEmailStop(core, {
    token_hash: hashOf(token),
    user_id: userId,
    email,
    expires_at: addedAt + emailWaitMs,
  })
  return token
}

/** Inside a transaction: removes an e-mail address that cannot receive e-mails. */
export async function dropEmail(core: QueryCore, userId: number, email: string): Promise<void> {
  if (await removeEmail(core, userId, { email }))
    await recordChange(core, userId, { change: 'email-removed' }, {}, { kind: 'system' })
}

/** Inside the transaction that changes the account. @param effects the recipients of its messages */
export async function recordChange(
  core: QueryCore,
  userId: number,
  data: EventData['account-changed'],
  effects: Pick<Effects, 'phone' | 'email'> = {},
  by: Actor = { kind: 'owner' },
): Promise<void> {
  await sendEvent(core, { kind: 'account-changed', data, by, userId }, effects)
}

const recipientOf = (user: UserRow) => ({
  name: user.name,
  phone: user.phone,
  email: user.email,
  /** A browser of the user last showed this language. */
  language: user.language,
  wantsMessages: user.messages === 1,
  isSmsRefused: user.sms_refused !== null,
})

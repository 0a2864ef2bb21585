import type { Core } from '#server/core.ts'
import type { Actor } from '#server/features/history/history.ts'
import { eraseUserEmails, eraseUserPhone } from '#server/features/otp/stored-codes.ts'
import {
  changePhone,
  deleteEmailStops,
  findUserByPhone,
  listUsers,
  listUsersByPhone,
  lockUserRow,
  removeEmail,
  type UserRow,
} from '#server/features/users/users.queries.ts'
import { recordChange } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/logging.ts'
import { numberChangeRules } from '#shared/sessions/number-changes.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import {
  addNumberChange,
  endNumberChange,
  findChangeTo,
  listChangesTo,
  listWaitingChanges,
  type NumberChangeRow,
} from './number-changes.queries.ts'
import { deleteSessionsOf, listNewestSessions } from './sessions.queries.ts'

interface NumberRequest {
  readonly userId: number
  readonly phone: string
  readonly since: number
}

export interface NumberChangeFacts {
  /** The account's present phone number; undefined after the deletion of the account. */
  readonly phone: string | undefined
  readonly taken: 'own' | 'account' | 'waits' | undefined
  readonly hasSignedIn: boolean
  readonly replaces: boolean
}

export async function readNumberFacts(
  core: Core,
  requests: readonly NumberRequest[],
): Promise<NumberChangeFacts[]> {
  const now = core.clock.now()
  const userIds = requests.map(({ userId }) => userId)
  const phones = requests.map(({ phone }) => phone)
  const users = await listUsers(core, userIds)
  const holders = await listUsersByPhone(core, phones)
  const awaited = await listChangesTo(core, phones, now)
  const waiting = await listWaitingChanges(core, userIds, now)
  const ids = users.map(({ id }) => id)
  const sessions = await listNewestSessions(core, ids, now)
  return requests.map(({ userId, phone, since }) => {
    const holder = holders.find((each) => each.phone === phone)
    const ofHolder = holder?.id === userId ? 'own' : 'account'
    const isAwaited = awaited.some((each) => each.phone === phone && each.user_id !== userId)
    return {
      phone: users.find(({ id }) => id === userId)?.phone,
      taken: holder ? ofHolder : isAwaited ? 'waits' : undefined,
      hasSignedIn: sessions.some(({ subject_id, created_at }) => subject_id === userId && created_at > since),
      replaces: waiting.some(({ user_id }) => user_id === userId),
    }
  })
}

/**
 * Inside a transaction: after a waiting time, a sign-in with the new phone number gets the account. The old number is
 * notified.
 * @throws Failure NUMBER_HAS_ACCOUNT, NOT_SIGNED_IN when the account is deleted
 */
export async function beginNumberChange(core: Core, by: Actor, userId: number, phone: string): Promise<void> {
  const now = core.clock.now()
  const user = await lockUserRow(core, userId)
  if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  if (await findUserByPhone(core, phone)) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
  await endNumberChange(core, userId, 'replaced', now)
  const takesFrom = now + numberChangeRules.waitMs
  const changeId = await addNumberChange(core, {
    user_id: userId,
    former_phone: user.phone,
    phone,
    approved_at: now,
    takes_from: takesFrom,
    ends_at: takesFrom + numberChangeRules.lifeMs,
  })
  if (changeId === undefined) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
  const effects = { phone: user.phone, email: user.email }
  await recordChange(core, userId, { change: 'phone-waits' }, effects, by)
  const line = {
    event: 'sessions.number-change-waits',
    userId,
    from: maskedPhone(user.phone),
    to: maskedPhone(phone),
  }
  core.afterCommit(() => core.log.warn(line))
}

/** A sign-in with this phone number gets the account of the change. @returns undefined while the change must wait */
export async function findDueChange(core: Core, phone: string): Promise<NumberChangeRow | undefined> {
  const now = core.clock.now()
  const change = await findChangeTo(core, phone, now)
  return change && change.takes_from <= now ? change : undefined
}

/**
 * Inside the transaction that opens the session. @returns undefined when the change was cancelled, or another account
 * has the phone number
 */
export async function takeNumber(
  core: Core,
  { id, user_id: userId, former_phone: former }: NumberChangeRow,
  phone: string,
): Promise<UserRow | undefined> {
  // The update of the user must come first, because it locks the user against a sign-in with the old phone number.
  const user = await changePhone(core, { id: userId, phone: former }, phone)
  if (!user || !(await endNumberChange(core, userId, 'taken', core.clock.now()))) return undefined
  await leaveNumber(core, user, former, id)
  return user
}

/**
 * Inside the transaction that has changed the phone number: ends all sessions and notifies the former number.
 * @param change the change that staff approved
 */
export async function leaveNumber(
  core: Core,
  { id: userId, phone, email }: UserRow,
  former: string,
  change?: number,
): Promise<void> {
  const ended = await deleteSessionsOf(core, { role: 'user', subject: userId })
  if (phone !== former) {
    await eraseUserPhone(core, former)
    const data = { change: 'phone', personal: { phone: former } } as const
    await recordChange(core, userId, data, { phone: former, email })
  }
  const line = {
    event: 'sessions.number-changed',
    userId,
    ...(change !== undefined && { change }),
    from: maskedPhone(former),
    to: maskedPhone(phone),
    ended,
  }
  core.afterCommit(() => core.log.warn(line))
}

/**
 * Inside a transaction: gives back a former phone number, and removes the e-mail address and all sessions.
 * @returns the number of ended sessions; undefined when another account has the phone number
 */
export async function restoreNumber(
  core: Core,
  by: Actor,
  user: UserRow,
  phone: string,
): Promise<number | undefined> {
  core.database.assertTransaction()
  const { id: userId, phone: lost, email } = user
  if (!(await changePhone(core, user, phone))) return undefined
  await endNumberChange(core, userId, 'cancelled', core.clock.now())
  if (email !== null && (await removeEmail(core, userId)))
    await recordChange(core, userId, { change: 'email-removed' }, {}, by)
  await deleteEmailStops(core, userId)
  await eraseUserEmails(core, userId, email)
  await eraseUserPhone(core, lost)
  const data = { change: 'phone', personal: { phone: lost } } as const
  await recordChange(core, userId, data, { phone: lost, email }, by)
  return deleteSessionsOf(core, { role: 'user', subject: userId })
}

/** Must run inside a transaction that has locked the user. */
export async function cancelNumberChange(core: Core, userId: number): Promise<void> {
  if (await endNumberChange(core, userId, 'cancelled', core.clock.now()))
    core.afterCommit(() => core.log.warn({ event: 'sessions.number-change-cancelled', userId }))
}

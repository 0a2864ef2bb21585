import type { Core } from '#server/core.ts'
import { type Actor, recordEvent } from '#server/features/history/history.ts'
import type { OtpService } from '#server/features/otp/otp.service.ts'
import { failure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/logging.ts'
import { numberChangeRules } from '#shared/sessions/number-changes.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { NumberChangeRow, NumberChangesStore } from './number-changes.store.ts'
import type { SessionsStore, UserRow } from './sessions.store.ts'

export interface NumberChangesDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  readonly store: SessionsStore
  readonly changes: NumberChangesStore
  readonly otp: Pick<OtpService, 'eraseUserPhone'>
}

export type NumberChanges = ReturnType<typeof createNumberChanges>

/** A request to move an account to another number. */
export interface NumberRequest {
  readonly userId: number
  /** E.164 */
  readonly phone: string
  /** Epoch milliseconds at which it was asked for. */
  readonly since: number
}

/** The facts on which a request for another number is decided. */
export interface NumberChangeFacts {
  /** E.164; undefined when the account was deleted. */
  readonly phone: string | undefined
  /** Why the new number cannot get the account. */
  readonly taken: 'own' | 'account' | 'waits' | undefined
  /** The owner has signed in since the request, so the old number is not gone. */
  readonly hasSignedIn: boolean
  /** Another change that this one would replace. */
  readonly replaces: boolean
}

/** Accounts whose number is gone, and which no address can recover: the desk moves them to another number. */
export function createNumberChanges(deps: NumberChangesDeps) {
  const { store, changes, otp, clock, log } = deps
  return {
    /** The facts of each request, in a bounded number of statements. */
    async readFacts(requests: readonly NumberRequest[]): Promise<NumberChangeFacts[]> {
      const now = clock.now()
      const userIds = requests.map(({ userId }) => userId)
      const phones = requests.map(({ phone }) => phone)
      const users = await store.findUsers(userIds)
      const holders = await store.listByPhone(phones)
      const awaited = await changes.listTo(phones, now)
      const waiting = await changes.listWaiting(userIds, now)
      const sessions = await store.listNewestSessions(
        users.map(({ id }) => id),
        now,
      )
      return requests.map(({ userId, phone, since }) => {
        const holder = holders.find((each) => each.phone === phone)
        const ofHolder = holder?.id === userId ? 'own' : 'account'
        const isAwaited = awaited.some((each) => each.phone === phone && each.user_id !== userId)
        return {
          phone: users.find(({ id }) => id === userId)?.phone,
          taken: holder ? ofHolder : isAwaited ? 'waits' : undefined,
          hasSignedIn: sessions.some(
            ({ subject_id, created_at }) => subject_id === userId && created_at > since,
          ),
          replaces: waiting.some(({ user_id }) => user_id === userId),
        }
      })
    },

    /**
     * Inside a transaction: the account waits for a code to the new number; the old number is notified.
     * @throws Failure NUMBER_HAS_ACCOUNT, NOT_SIGNED_IN when the account is deleted
     */
    async begin(by: Actor, userId: number, phone: string): Promise<void> {
      const now = clock.now()
      const user = await store.lockUser(userId)
      if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
      if (await store.findUserByPhone(phone)) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
      await changes.end(userId, 'replaced', now)
      const takesFrom = now + numberChangeRules.waitMs
      const changeId = await changes.add({
        user_id: userId,
        former_phone: user.phone,
        phone,
        approved_at: now,
        takes_from: takesFrom,
        ends_at: takesFrom + numberChangeRules.lifeMs,
      })
      if (changeId === undefined) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
      await recordEvent(
        deps,
        { kind: 'account-changed', data: { change: 'phone-waits' }, by, userId },
        { phone: user.phone, email: user.email },
      )
      log.warn({
        event: 'sessions.number-change-waits',
        userId,
        from: maskedPhone(user.phone),
        to: maskedPhone(phone),
      })
    },

    /** The account that a code to this number gets now; undefined while it waits. */
    async findDue(phone: string): Promise<NumberChangeRow | undefined> {
      const now = clock.now()
      const change = await changes.findTo(phone, now)
      return change && change.takes_from <= now ? change : undefined
    },

    /**
     * Inside the transaction that opens the session: gives the account the new number and ends all its sessions. Undefined when
     * the change was cancelled, or the number has an account of its own.
     */
    async take({ id, user_id, former_phone }: NumberChangeRow, phone: string): Promise<UserRow | undefined> {
      const now = clock.now()
      // First, because it locks the user: a sign-in with the old number is before this or after it.
      const user = await store.changePhone({ id: user_id, phone: former_phone }, phone)
      if (!user || !(await changes.end(user_id, 'taken', now))) return undefined
      const ended = await store.endSessionsOf('user', user_id)
      await otp.eraseUserPhone(former_phone)
      // By the code to the new number: the desk has approved that it counts.
      await recordEvent(
        deps,
        {
          kind: 'account-changed',
          data: { change: 'phone', personal: { phone: former_phone } },
          by: { kind: 'owner' },
          userId: user_id,
        },
        { phone: former_phone, email: user.email },
      )
      const shown = { from: maskedPhone(former_phone), to: maskedPhone(phone), ended }
      log.warn({ event: 'sessions.number-changed', userId: user_id, change: id, ...shown })
      return user
    },

    /** Inside the transaction of a sign-in with the old number, which has locked the user: the number is not gone. */
    async cancel(userId: number): Promise<void> {
      if (await changes.end(userId, 'cancelled', clock.now()))
        log.warn({ event: 'sessions.number-change-cancelled', userId })
    },

    /** Inside the transaction in which the account gets a number in another way. */
    async replace(userId: number): Promise<void> {
      await changes.end(userId, 'replaced', clock.now())
    },

    findLast: changes.findLast,
    deleteOf: changes.deleteOf,
  }
}

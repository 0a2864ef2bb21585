import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { ClaimsService } from '#server/features/claims/claims.service.ts'
import type { OtpService } from '#server/features/otp/otp.service.ts'
import type { SessionsService, UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { tooManyCalls } from '#server/platform/limits.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { actedBefore, atOnceMs } from '#shared/desk-actions/acted-before.ts'
import { deskActionsErrors } from '#shared/desk-actions/desk-actions.errors.ts'
import { deskOrdersErrors } from '#shared/desk-orders/desk-orders.errors.ts'
import type { DeskAccount } from '#shared/desk-orders/people.operations.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { DeskOrdersStore } from './desk-orders.store.ts'
import { opensPerPerson } from './order-page.service.ts'

export interface PeopleDeps {
  readonly store: Pick<DeskOrdersStore, 'listOfOwners'>
  readonly database: Pick<Database, 'transaction'>
  readonly users: Pick<UsersService, 'findUser' | 'findRecipient'>
  readonly otp: Pick<OtpService, 'readFailures' | 'unlock' | 'exportCodes'>
  readonly sessions: Pick<SessionsService, 'listSessions' | 'endSessionsOfUser' | 'endAllSessions'>
  readonly claims: Pick<ClaimsService, 'exportClaims'>
  readonly audit: Pick<AuditService, 'record' | 'recordWithin' | 'findLastOfUser'>
  readonly clock: Clock
}

const shown = 20

/** A person as the desk sees them: what keeps them from signing in, and what is theirs. */
export function createPeople({ store, database, users, otp, sessions, claims, audit, clock }: PeopleDeps) {
  /** @throws Failure PERSON_NOT_FOUND, also for a deleted account */
  async function find(userId: number) {
    const person = await users.findRecipient(userId)
    if (!person) throw failure(deskOrdersErrors, 'PERSON_NOT_FOUND')
    return { ...person, codes: { id: userId, phone: person.phone, email: person.email } }
  }

  /** Who has just opened it, where that was a colleague. */
  async function notLocked({ issuer, subject }: Staff, userId: number) {
    const last = await audit.findLastOfUser(userId, 'unlock')
    const isOwn = last?.actor_issuer === issuer && last.actor_subject === subject
    return last === undefined || isOwn || last.at <= clock.now() - atOnceMs
      ? failure(deskOrdersErrors, 'NOT_LOCKED')
      : failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore('unlock', last.actor, last.at))
  }

  return {
    /** @throws Failure PERSON_NOT_FOUND, TOO_MANY_CALLS */
    async readPerson(staff: Staff, userId: number): Promise<DeskAccount> {
      const person = await find(userId)
      const waitMs = await audit.recordWithin({ by: staff, action: 'person-read', userId }, opensPerPerson)
      if (waitMs !== undefined) throw tooManyCalls(waitMs)
      const { wrongCodes, isLocked } = await otp.readFailures(person.codes)
      const codes = await otp.exportCodes(person.codes)
      const open = await sessions.listSessions({ role: 'user', userId }, undefined)
      const orders = await store.listOfOwners([userId], shown)
      return {
        ...{ userId, name: maskedName(person.name), phone: maskedPhone(person.phone) },
        ...{ language: person.language, messages: person.wantsMessages, hasEmail: person.email !== null },
        ...{ wrongCodes, isLocked },
        codes: codes.slice(0, shown).map(({ sentAt, channel, delivery, state }) => ({
          ...{ sentAt, channel, delivery, state },
        })),
        sessions: open.map(({ createdAt, lastSeenAt, device }) => ({ createdAt, lastSeenAt, device })),
        orders: orders.map((order) => ({
          ...{ orderId: order.id, status: order.status, createdAt: isoOf(order.created_at) },
        })),
        claims: (await claims.exportClaims(userId)).slice(0, shown).map((claim) => ({
          ...{ number: claim.number, orderId: claim.orderId, kind: claim.kind },
          ...{ state: claim.state, openedAt: claim.openedAt },
        })),
      }
    },

    /** @throws Failure PERSON_NOT_FOUND, NOT_LOCKED, ACTED_BEFORE */
    async unlockPerson(staff: Staff, userId: number, reason: string): Promise<void> {
      const person = await find(userId)
      await database.transaction(async () => {
        const { wrongCodes, isLocked } = await otp.readFailures(person.codes)
        if (!isLocked || (await otp.unlock(person.codes)) === 0) throw await notLocked(staff, userId)
        const about = maskedPhone(person.phone)
        const change = { before: { wrongCodes }, after: { wrongCodes: 0 } }
        await audit.record({ by: staff, action: 'unlock', userId, about, reason, ...change })
      })
    },

    /** Returns how many ended. @throws Failure PERSON_NOT_FOUND */
    async endSessionsOf(staff: Staff, userId: number, reason: string): Promise<number> {
      await find(userId)
      return database.transaction(async () => {
        const ended = await sessions.endSessionsOfUser(userId)
        await audit.record({ by: staff, action: 'end-sessions', userId, reason, after: { ended } })
        return ended
      })
    },

    /** Of all pilgrims and agents; returns how many ended. Piece by piece: what was begun is recorded before. */
    async endAllSessions(staff: Staff, reason: string): Promise<number> {
      await audit.record({ by: staff, action: 'end-all-sessions', reason })
      return sessions.endAllSessions()
    },
  }
}

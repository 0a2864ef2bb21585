import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { ClaimsService } from '#server/features/claims/claims.feature.ts'
import { findLastAct, recordAct, staffActor } from '#server/features/history/acts.ts'
import type { OtpService } from '#server/features/otp/otp.service.ts'
import type { SessionsService, UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import { opensPerPerson, tooManyCalls } from '#server/platform/limits.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { actedBefore, atOnceMs } from '#shared/desk-actions/acted-before.ts'
import { deskActionsErrors } from '#shared/desk-actions/desk-actions.errors.ts'
import { deskOrdersErrors } from '#shared/desk-orders/desk-orders.errors.ts'
import type { DeskAccount } from '#shared/desk-orders/people.operations.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { DeskOrdersStore } from './desk-orders.store.ts'

export interface PeopleDeps extends Pick<Core, 'database'> {
  readonly readNumberChange: (userId: number) => Promise<Pick<DeskAccount, 'numberAsked' | 'numberChange'>>
  readonly store: Pick<DeskOrdersStore, 'listOfOwners'>
  readonly clock: Clock
  readonly users: Pick<UsersService, 'findUser' | 'findRecipient'>
  readonly otp: Pick<OtpService, 'readFailures' | 'unlock' | 'exportCodes'>
  readonly sessions: Pick<SessionsService, 'listSessions' | 'endSessionsOfUser'>
  readonly claims: Pick<ClaimsService, 'exportClaims'>
  readonly audit: Pick<AuditService, 'recordWithin' | 'once'>
}

const shown = 20

/** A person as the desk sees them: what keeps them from signing in, and what is theirs. */
export function createPeople(deps: PeopleDeps) {
  const { database, store, clock, users, otp, sessions, claims, audit } = deps
  /** @throws Failure PERSON_NOT_FOUND, also for a deleted account */
  async function find(userId: number) {
    const person = await users.findRecipient(userId)
    if (!person) throw failure(deskOrdersErrors, 'PERSON_NOT_FOUND')
    return { ...person, codes: { id: userId, phone: person.phone, email: person.email } }
  }

  /** Who has just opened it, where that was a colleague. */
  async function notLocked({ issuer, subject }: Staff, userId: number) {
    const last = await findLastAct({ database }, { userId }, ['phone-unlocked'])
    const by = last?.by
    const isOwn = by?.kind === 'staff' && by.issuer === issuer && by.subject === subject
    return last === undefined || isOwn || last.at <= clock.now() - atOnceMs
      ? failure(deskOrdersErrors, 'NOT_LOCKED')
      : failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore('phone-unlocked', last.by.name, last.at))
  }

  return {
    /** @throws Failure PERSON_NOT_FOUND, TOO_MANY_CALLS */
    async readPerson(staff: Staff, userId: number): Promise<DeskAccount> {
      const person = await find(userId)
      const waitMs = await audit.recordWithin({ by: staff, kind: 'person-viewed', userId }, opensPerPerson)
      if (waitMs !== undefined) throw tooManyCalls(waitMs)
      const { wrongCodes, isLocked } = await otp.readFailures(person.codes)
      const codes = await otp.exportCodes(person.codes)
      const open = await sessions.listSessions({ role: 'user', userId }, undefined)
      const orders = await store.listOfOwners([userId], shown)
      return {
        userId,
        name: maskedName(person.name),
        phone: maskedPhone(person.phone),
        language: person.language,
        messages: person.wantsMessages,
        hasEmail: person.email !== null,
        wrongCodes,
        isLocked,
        ...(await deps.readNumberChange(userId)),
        codes: codes.slice(0, shown).map(({ sentAt, channel, delivery, state }) => ({
          sentAt,
          channel,
          delivery,
          state,
        })),
        sessions: open.map(({ createdAt, lastSeenAt, device }) => ({ createdAt, lastSeenAt, device })),
        orders: orders.map((order) => ({
          orderId: order.id,
          status: statusOf(order),
          createdAt: isoOf(order.created_at),
        })),
        claims: (await claims.exportClaims(userId)).slice(0, shown).map((claim) => ({
          number: claim.number,
          orderId: claim.orderId,
          kind: claim.kind,
          state: claim.state,
          openedAt: claim.openedAt,
        })),
      }
    },

    /** Once under its key. @throws Failure PERSON_NOT_FOUND, NOT_LOCKED, ACTED_BEFORE */
    async unlockPerson(staff: Staff, userId: number, request: StaffRequest, reason: string): Promise<void> {
      const perform = async () => {
        const person = await find(userId)
        const { wrongCodes, isLocked } = await otp.readFailures(person.codes)
        if (!isLocked || (await otp.unlock(person.codes)) === 0) throw await notLocked(staff, userId)
        const about = maskedPhone(person.phone)
        const by = staffActor(staff)
        const changed = { wrongCodes: [wrongCodes, 0] as [number, number] }
        await recordAct({ database }, { by, kind: 'phone-unlocked', userId, about, changed, reason })
        return {}
      }
      await audit.once(staff, request, { perform })
    },

    /** Once under its key; tells how many ended. @throws Failure PERSON_NOT_FOUND */
    endSessionsOf(
      staff: Staff,
      userId: number,
      request: StaffRequest,
      reason: string,
    ): Promise<{ ended: number }> {
      const perform = async () => {
        await find(userId)
        const ended = await sessions.endSessionsOfUser(userId)
        const by = staffActor(staff)
        const changed = { ended: [null, ended] as [null, number] }
        await recordAct({ database }, { by, kind: 'sessions-ended', userId, changed, reason })
        return { ended }
      }
      return audit.once(staff, request, { perform })
    },
  }
}

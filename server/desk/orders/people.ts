import type { Core } from '#server/core.ts'
import { actedBefore, atOnceMs } from '#server/desk/actions/acted-before.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import { recordViewWithin } from '#server/desk/audit/views.ts'
import { exportClaims } from '#server/features/claims/claims.ts'
import { findLastAct, recordAct, staffActor } from '#server/features/history/acts.ts'
import { openPairing } from '#server/features/otp/pairings.ts'
import { exportCodes, readFailures, unlockPhone } from '#server/features/otp/stored-codes.ts'
import { findAgent } from '#server/features/partner/partner.ts'
import { endSessionsOfUser, listSessions } from '#server/features/sessions/sessions.ts'
import { findRecipient } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { opensPerPerson } from '#server/platform/limits.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'
import { deskOrdersErrors } from '#shared/desk/orders/desk-orders.errors.ts'
import type { DeskAccount } from '#shared/desk/orders/people.api.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { foldDigits } from '#shared/platform/phone.ts'
import { listOrdersOfOwners } from './desk-orders.queries.ts'
import { assertFree } from './desk-orders.rules.ts'
import { readNumberChange } from './numbers.ts'

const shown = 20

/**
 * Reads an account with masked name and phone, and records the view.
 * @throws Failure PERSON_NOT_FOUND, TOO_MANY_CALLS
 */
export async function readAccountPage(core: Core, staff: Staff, userId: number): Promise<DeskAccount> {
  const owner = await findOwner(core, userId)
  assertFree(await recordViewWithin(core, { by: staff, kind: 'person-viewed', userId }, opensPerPerson))
  const { wrongCodes, isLocked } = await readFailures(core, owner.key)
  const codes = await exportCodes(core, owner.key)
  const sessions = await listSessions(core, { role: 'user', userId }, undefined)
  const orders = await listOrdersOfOwners(core, [userId], shown)
  return {
    userId,
    name: maskedName(owner.name),
    phone: maskedPhone(owner.phone),
    language: owner.language,
    messages: owner.wantsMessages,
    hasEmail: owner.email !== null,
    wrongCodes,
    isLocked,
    ...(await readNumberChange(core, userId)),
    codes: codes
      .slice(0, shown)
      .map(({ sentAt, channel, delivery, state }) => ({ sentAt, channel, delivery, state })),
    sessions: sessions.map(({ createdAt, lastSeenAt, device }) => ({ createdAt, lastSeenAt, device })),
    orders: orders.map((order) => ({
      orderId: order.id,
      status: statusOf(order),
      createdAt: isoOf(order.created_at),
    })),
    claims: (await exportClaims(core, userId))
      .slice(0, shown)
      .map(({ number, orderId, kind, state, openedAt }) => ({ number, orderId, kind, state, openedAt })),
  }
}

/** @throws Failure PERSON_NOT_FOUND, NOT_LOCKED, ACTED_BEFORE */
export async function unlockAccount(
  core: Core,
  staff: Staff,
  userId: number,
  request: StaffRequest,
  reason: string,
): Promise<void> {
  await actOnce(core, staff, request, {
    async perform() {
      const { key, phone } = await findOwner(core, userId)
      const { wrongCodes, isLocked } = await readFailures(core, key)
      if (!isLocked || (await unlockPhone(core, key)) === 0) throw await notLocked(core, staff, userId)
      await recordAct(core, {
        by: staffActor(staff),
        kind: 'phone-unlocked',
        userId,
        about: maskedPhone(phone),
        changed: { wrongCodes: [wrongCodes, 0] },
        reason,
      })
      return {}
    },
  })
}

/** @throws Failure PERSON_NOT_FOUND */
export const endSessionsOfAccount = (
  core: Core,
  staff: Staff,
  userId: number,
  request: StaffRequest,
  reason: string,
): Promise<{ ended: number }> =>
  actOnce(core, staff, request, {
    async perform() {
      await findOwner(core, userId)
      const ended = await endSessionsOfUser(core, userId)
      const by = staffActor(staff)
      await recordAct(core, { by, kind: 'sessions-ended', userId, changed: { ended: [null, ended] }, reason })
      return { ended }
    },
  })

/**
 * Lets the browser that shows the pairing number sign the agent in.
 * @throws Failure AGENT_NOT_FOUND, PAIRING_NOT_FOUND, AGENTS_UNAVAILABLE, IDEMPOTENCY_CONFLICT
 */
export async function admitDevice(
  core: Core,
  staff: Staff,
  agentId: string,
  request: StaffRequest,
  { pairing, reason }: { readonly pairing: string; readonly reason: string },
): Promise<void> {
  let phone: string | undefined
  await actOnce(core, staff, request, {
    async before() {
      const agent = await findAgent(core, agentId)
      phone = agent && canonicalPhone(agent.phone)
      if (phone === undefined) throw failure(deskOrdersErrors, 'AGENT_NOT_FOUND')
    },
    async perform() {
      if (phone === undefined || !(await openPairing(core, phone, foldDigits(pairing))))
        throw failure(deskOrdersErrors, 'PAIRING_NOT_FOUND')
      const about = `${agentId}, ${maskedPhone(phone)}`
      await recordAct(core, { by: staffActor(staff), kind: 'device-admitted', about, reason })
      return {}
    },
  })
}

async function findOwner(core: Core, userId: number) {
  const owner = await findRecipient(core, userId)
  if (!owner) throw failure(deskOrdersErrors, 'PERSON_NOT_FOUND')
  const { phone, email } = owner
  return { ...owner, key: { id: userId, phone, email } }
}

async function notLocked(core: Core, { issuer, subject }: Staff, userId: number) {
  const last = await findLastAct(core, { userId }, ['phone-unlocked'])
  const by = last?.by
  const isOwn = by?.kind === 'staff' && by.issuer === issuer && by.subject === subject
  return last === undefined || isOwn || last.at <= core.clock.now() - atOnceMs
    ? failure(deskOrdersErrors, 'NOT_LOCKED')
    : failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore('phone-unlocked', last.by.name, last.at))
}

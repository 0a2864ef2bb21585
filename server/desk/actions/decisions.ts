import type { Core } from '#server/core.ts'
import { assertRecent, originOf } from '#server/desk/actions/staff-acts.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import { type ActWish, takeForAct } from '#server/desk/work/work.ts'
import { lockPerson, recordAct } from '#server/features/history/acts.ts'
import { personalReason, recordEvent } from '#server/features/history/history.ts'
import {
  type ActedOrder,
  lockForAct,
  notPossible,
  type Origin,
} from '#server/features/operators/operators.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { endAllSessions } from '#server/features/sessions/sessions.ts'
import { clocksDifferMs } from '#server/platform/clock.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deskActionsErrors, overtakenBy } from '#shared/desk/actions/actions.errors.ts'
import { type ActAnswer, rolesAtTerminal } from '#shared/desk/actions/actions.schemas.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { actedBefore } from './acted-before.ts'
import { eventOf, type Facts, isPrinted, type Overtaking, overtakingOf } from './actions.rules.ts'
import { readFacts } from './approval-facts.ts'
import { type ApprovalRow, confirmApproval, decideApproval, findApproval } from './approvals.queries.ts'
import { partnerText } from './approvals.texts.ts'
import { handlers } from './handlers.ts'
import { decisionOf } from './requests.ts'

interface Approved {
  readonly changed?: Overtaking
  /**
   * Sessions that began before this time end after the commit of the approval, also when the approval is sent again.
   */
  readonly endsSessionsAt?: number
}

/** Carries out a colleague's request in one transaction. Only the first response has the text for the courier. */
export async function approve(
  core: Core,
  staff: Staff,
  id: number,
  request: StaffRequest,
  wish: ActWish,
): Promise<ActAnswer> {
  assertRecent(core, staff)
  const origin = originOf(core, staff, null)
  let text: string | undefined
  const { changed, endsSessionsAt } = await actOnce<Approved>(core, staff, request, {
    before: () => takeForAct(core, staff, workRowOf(id), wish),
    async perform() {
      const { row, order } = await lockForApproval(core, staff, id)
      const named = { ...origin, reason: row.reason }
      const change = overtakingOf(JSON.parse(row.facts) as Facts, await readFacts(core, order, row))
      await decide(core, named, { row, order }, change ? 'overtaken' : 'approved', change)
      if (change) return { changed: change }
      await handlers[row.act](core, named, row)
      core.afterCommit(() => {
        core.wake('refunds')
        core.wake('shipments')
      })
      text = await textForCourier(core, origin, row, order)
      return row.act === 'end-sessions' ? { endsSessionsAt: origin.at } : {}
    },
  })
  if (changed) throw overtaken(changed)
  // Another gateway's clock can be ahead, so a margin also ends sessions that began there.
  if (endsSessionsAt !== undefined) await endAllSessions(core, endsSessionsAt + clocksDifferMs)
  return text === undefined ? {} : { partnerText: text }
}

export async function refuse(
  core: Core,
  staff: Staff,
  id: number,
  request: StaffRequest,
  { reason, ...wish }: ActWish & { readonly reason: string },
): Promise<ActAnswer> {
  const origin = originOf(core, staff, reason)
  return actOnce(core, staff, request, {
    before: () => takeForAct(core, staff, workRowOf(id), wish),
    async perform() {
      const row = await findOpen(core, staff, id)
      await decide(core, origin, { row, order: await lockSubject(core, row) }, 'refused', reason)
      return {}
    },
  })
}

/** Confirms a request that an operator made at a terminal in the name of the staff member. */
export async function confirm(
  core: Core,
  staff: Staff,
  id: number,
  request: StaffRequest,
): Promise<ActAnswer> {
  const origin = originOf(core, staff, null)
  return actOnce(core, staff, request, {
    async perform() {
      const row = await findRow(core, id)
      if (!isAsker(staff, row) || row.terminal_user === null) throw notFound()
      assertWaits(row, origin.at)
      if (!rolesAtTerminal[row.act]?.some((role) => staff.roles.includes(role)))
        throw notPossible('otherRole')
      const order = await lockSubject(core, row)
      if (await confirmApproval(core, id, origin.at))
        await recordEvent(core, {
          ...eventOf(row, order),
          kind: 'approval-confirmed',
          by: origin.by,
          at: origin.at,
        })
      return {}
    },
  })
}

export const isAsker = ({ issuer, subject }: Staff, row: ApprovalRow): boolean =>
  row.asked_issuer === issuer && row.asked_subject === subject

export const isUnconfirmed = (row: ApprovalRow): boolean =>
  row.terminal_user !== null && row.confirmed_at === null

export const notFound = (): Failure => failure(deskActionsErrors, 'APPROVAL_NOT_FOUND')

export async function findRow(core: Core, id: number): Promise<ApprovalRow> {
  const row = await findApproval(core, id)
  if (!row || row.state === 'alone') throw notFound()
  return row
}

const workRowOf = (id: number) => ({ kind: 'approvals', reference: String(id) }) as const

/** An approval locks the requester before the order, as the requester's own acts do. */
async function lockForApproval(core: Core, staff: Staff, id: number) {
  const asked = await findOpen(core, staff, id)
  // Another identity provider can name the requester differently, so own requests cannot be recognized.
  if (asked.asked_issuer !== staff.issuer) throw notPossible('otherProvider')
  if (isUnconfirmed(asked))
    throw failure(deskActionsErrors, 'APPROVAL_UNCONFIRMED', { values: { who: asked.asked_by } })
  await lockPerson(core, { issuer: asked.asked_issuer, subject: asked.asked_subject })
  const order = await lockSubject(core, asked)
  // The request can have been decided while this transaction waited for the locks, so it is read again.
  return { row: await findOpen(core, staff, id), order }
}

const lockSubject = async (
  core: Core,
  { order_id: orderId }: ApprovalRow,
): Promise<ActedOrder | undefined> => (orderId === null ? undefined : lockForAct(core, orderId))

async function findOpen(core: Core, staff: Staff, id: number): Promise<ApprovalRow> {
  const row = await findRow(core, id)
  if (isAsker(staff, row)) throw failure(deskActionsErrors, 'OWN_APPROVAL')
  assertWaits(row, core.clock.now())
  return row
}

function assertWaits(row: ApprovalRow, now: number) {
  if (row.state === 'overtaken') throw overtaken((row.decision ?? 'status') as Overtaking)
  if (row.state === 'approved' || row.state === 'refused')
    throw failure(
      deskActionsErrors,
      'ACTED_BEFORE',
      actedBefore(row.state, row.decided_by ?? '', row.decided_at ?? 0),
    )
  if (row.state !== 'waiting' || row.expires_at <= now) throw failure(deskActionsErrors, 'APPROVAL_EXPIRED')
}

const overtaken = (change: Overtaking): Failure =>
  failure(deskActionsErrors, 'OVERTAKEN', { values: { what: overtakenBy[change] } })

async function decide(
  core: Core,
  origin: Origin,
  { row, order }: { readonly row: ApprovalRow; readonly order: ActedOrder | undefined },
  outcome: 'approved' | 'refused' | 'overtaken',
  decision?: string,
) {
  if (!(await decideApproval(core, row.id, decisionOf(origin, outcome, decision)))) {
    assertWaits(await findRow(core, row.id), origin.at)
    throw notFound()
  }
  const event = eventOf(row, order)
  const data = { ...event.data, outcome, personal: personalReason(origin.reason) }
  await recordEvent(core, { ...event, kind: 'approval-decided', by: origin.by, at: origin.at, data })
}

async function textForCourier(
  core: Core,
  { by }: Origin,
  { id, act, payload }: ApprovalRow,
  order: ActedOrder | undefined,
) {
  if (act !== 'receiver' || payload === null || order === undefined) return undefined
  const { id: orderId, user_id: userId } = order
  const bookings = await findBookings(core, [orderId])
  if (!isPrinted(bookings)) return undefined
  await recordAct(core, {
    kind: 'disclosed',
    by,
    orderId,
    userId,
    about: `approval ${id}`,
    reason: 'partner',
  })
  const awbs = bookings.flatMap(({ awb }) => (awb === null ? [] : [awb]))
  return partnerText(awbs, JSON.parse(payload) as ReceiverChange)
}

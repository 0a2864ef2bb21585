import type { Core } from '#server/core.ts'
import { assertRecent, originOf } from '#server/desk/actions/staff-acts.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import type { Person } from '#server/features/history/acts.ts'
import { personalReason, recordEvent } from '#server/features/history/history.ts'
import type { ActedOrder, Origin } from '#server/features/operators/operators.ts'
import { failure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { storedRoles } from '#server/platform/staff-roles.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'
import type { ActAnswer } from '#shared/desk/actions/actions.schemas.ts'
import type { ApprovalAct } from '#shared/platform/desk-words.ts'
import { actedBefore } from './acted-before.ts'
import { actionRules, eventOf } from './actions.rules.ts'
import { readFacts } from './approval-facts.ts'
import {
  type ApprovalRow,
  expireApprovals,
  findWaiting,
  insertApproval,
  type NewApproval,
} from './approvals.queries.ts'

export interface ApprovalRequest {
  readonly act: ApprovalAct
  /** The subject: the transaction of a refund, the number of a claim or the id of an account; otherwise empty. */
  readonly about: string
  readonly halalas: number
  readonly payload?: unknown
}

export interface TerminalRequest {
  readonly user: string
  readonly as: Person
}

export const answerOf = ({ approvalId }: { readonly approvalId?: number | undefined }): ActAnswer =>
  approvalId === undefined ? {} : { approval: { approvalId } }

/**
 * Must run inside a transaction that has locked the order. @throws Failure ACTED_BEFORE when the same request waits
 * already
 */
export async function requestApproval(
  core: Core,
  origin: Origin,
  order: ActedOrder | undefined,
  request: ApprovalRequest,
  terminal?: TerminalRequest,
): Promise<number> {
  const row = await rowOf(core, origin, order, request, terminal)
  await expireApprovals(core, row, origin.at)
  const id = await insertApproval(core, row)
  if (id === undefined) {
    const earlier = await findWaiting(core, row)
    const who = earlier?.asked_by ?? ''
    throw failure(
      deskActionsErrors,
      'ACTED_BEFORE',
      actedBefore('asked', who, earlier?.asked_at ?? origin.at),
    )
  }
  const event = eventOf({ ...row, id }, order)
  await recordEvent(core, {
    ...event,
    kind: 'approval-requested',
    by: origin.by,
    at: origin.at,
    data: { ...event.data, personal: personalReason(origin.reason) },
  })
  return id
}

/** Counts an act that needed no approval, inside a transaction that has locked the order. */
export async function countWithoutApproval(
  core: Core,
  origin: Origin,
  order: ActedOrder,
  request: ApprovalRequest,
): Promise<void> {
  const row = await rowOf(core, origin, order, request)
  await insertApproval(core, { ...row, ...decisionOf(origin, 'alone') })
}

export const decisionOf = (
  { by, at }: Origin,
  state: ApprovalRow['state'],
  decision: string | null = null,
) => ({
  state,
  decision,
  decided_at: at,
  decided_by: by.name,
  decided_issuer: by.kind === 'staff' ? by.issuer : null,
  decided_subject: by.kind === 'staff' ? by.subject : null,
  decided_roles: by.kind === 'staff' ? storedRoles(by.roles) : null,
})

/** @throws Failure ACTED_BEFORE, IDEMPOTENCY_CONFLICT */
export async function requestWithoutOrder(
  core: Core,
  staff: Staff,
  form: StaffRequest,
  { reason, ...request }: ApprovalRequest & { readonly reason: string },
): Promise<ActAnswer> {
  const origin = originOf(core, staff, reason)
  return answerOf(
    await actOnce(core, staff, form, {
      perform: async () => ({ approvalId: await requestApproval(core, origin, undefined, request) }),
    }),
  )
}

/** @throws Failure REAUTHENTICATION_REQUIRED, and the errors of `requestWithoutOrder` */
export async function requestEndOfSessions(
  core: Core,
  staff: Staff,
  form: StaffRequest,
  reason: string,
): Promise<ActAnswer> {
  assertRecent(core, staff)
  return requestWithoutOrder(core, staff, form, { act: 'end-sessions', about: '', halalas: 0, reason })
}

export const findRequest = (core: Core, act: ApprovalAct, about: string): Promise<ApprovalRow | undefined> =>
  findWaiting(core, { order_id: null, act, about })

async function rowOf(
  core: Core,
  { by, at, reason }: Origin,
  order: ActedOrder | undefined,
  { payload: given, ...request }: ApprovalRequest,
  terminal?: TerminalRequest,
) {
  const asker = terminal?.as ?? (by.kind === 'staff' ? by : undefined)
  if (!asker) throw new Error('a request for approval names a staff member')
  const payload = given === undefined ? null : JSON.stringify(given)
  return {
    ...request,
    payload,
    order_id: order?.id ?? null,
    facts: JSON.stringify(await readFacts(core, order, { ...request, payload })),
    reason: reason ?? '',
    state: 'waiting',
    asked_at: at,
    asked_issuer: asker.issuer,
    asked_subject: asker.subject,
    asked_by: asker.name,
    asked_roles: storedRoles(asker.roles),
    terminal_user: terminal?.user ?? null,
    expires_at: at + actionRules.approvalMs,
  } satisfies NewApproval
}

import type { Core } from '#server/core.ts'
import { actedBefore, atOnceMs } from '#server/desk/actions/acted-before.ts'
import { lockForMoney, requestUnlessAllowed } from '#server/desk/actions/money.ts'
import { originOf } from '#server/desk/actions/staff-acts.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import { recordViewOnce, recordViewWithin } from '#server/desk/audit/views.ts'
import { type ClaimStep, recordStep } from '#server/features/claims/claim-steps.ts'
import {
  type ClaimRow,
  erasedHash,
  findClaim,
  findPhoto,
  listPhotos,
  lockClaim,
  lockUnclosedClaim,
  markAnswered,
  markClosed,
  markNoted,
  writePhoto,
} from '#server/features/claims/claims.queries.ts'
import { stepOf } from '#server/features/claims/claims.rules.ts'
import { openClaim, type PhotoAddress } from '#server/features/claims/claims.ts'
import { type Person, recordAct, staffActor } from '#server/features/history/acts.ts'
import { type Actor, listClaimEvents } from '#server/features/history/history.ts'
import { notPossible } from '#server/features/operators/operators.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { opensPerPerson, tooManyCalls } from '#server/platform/limits.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { claimsErrors } from '#shared/claims/claims.errors.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { ClaimOutcome, ClaimRequest } from '#shared/claims/claims.schemas.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { isBarePhoto } from '#shared/platform/jpeg.rules.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'

export interface ClaimAct extends StaffRequest {
  /**
   * Takes the claim for the staff member in the work list. A repeated request skips this step: it takes nothing from a
   * colleague.
   */
  readonly before: () => Promise<void>
  /** The staff member saw the events of the claim up to this id. Without it, the act sends the owner nothing. */
  readonly seen?: number | undefined
}

export interface ClaimClosing {
  readonly outcome: ClaimOutcome
  readonly text: string
  readonly compensation?: { readonly halalas: number; readonly reference: string }
}

interface ApprovedClosing extends ClaimClosing {
  readonly claimId: number
}

const openForMs = 3_600_000

export const findDeskClaim = async (core: Core, claimId: number): Promise<ClaimRow> =>
  assertFound(await findClaim(core, claimId))

/** Reads a claim and records the view. @throws Failure CLAIM_NOT_FOUND, TOO_MANY_CALLS */
export async function openForStaff(core: Core, by: Person, claimId: number): Promise<ClaimRow> {
  const claim = await findDeskClaim(core, claimId)
  const view = {
    by,
    kind: 'claim-viewed',
    claimId,
    orderId: claim.order_id,
    userId: claim.user_id,
  } as const
  const waitMs = await recordViewOnce(core, view, openForMs, opensPerPerson)
  if (waitMs !== undefined) throw tooManyCalls(waitMs)
  return claim
}

export async function openClaimForOwner(
  core: Core,
  staff: Person,
  orderId: number,
  request: ClaimRequest,
  key: string | undefined,
): Promise<{ claimId: number }> {
  const order = await findPayable(core, orderId)
  if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const options = {
    // The prefix `desk:` separates idempotency keys of staff from the owner's own.
    key: key === undefined ? undefined : `desk:${key}`,
    by: staffActor(staff),
  }
  try {
    const claim = await openClaim(core, order.userId, orderId, request, options)
    return { claimId: claim.id }
  } catch (error) {
    throw forStaff(error)
  }
}

export const answerClaim = (
  core: Core,
  staff: Person,
  claimId: number,
  act: ClaimAct,
  { text, isQuestion }: { readonly text: string; readonly isQuestion: boolean },
): Promise<void> =>
  takeStepOnce(core, staff, claimId, act, {
    step: {
      kind: isQuestion ? 'claim-question' : 'claim-answered',
      data: { personal: { text } },
      by: staffActor(staff),
    },
    change: () => markAnswered(core, claimId, core.clock.now()),
  })

export const noteComplaint = (
  core: Core,
  staff: Person,
  claimId: number,
  act: ClaimAct,
  { caseNumber, text }: { readonly caseNumber: string; readonly text: string },
): Promise<void> => {
  const now = core.clock.now()
  return takeStepOnce(core, staff, claimId, act, {
    step: {
      kind: 'claim-passed-on',
      data: { personal: { case: caseNumber, text } },
      by: staffActor(staff),
    },
    change: () => markNoted(core, claimId, { partner_case: caseNumber, partner_notified_at: now }, now),
  })
}

export const noteCourierAnswer = (
  core: Core,
  staff: Person,
  claimId: number,
  act: ClaimAct,
  text: string,
): Promise<void> =>
  takeStepOnce(core, staff, claimId, act, {
    step: {
      kind: 'claim-partner-answered',
      data: { personal: { text } },
      by: staffActor(staff),
    },
    change: () => markNoted(core, claimId, {}, core.clock.now()),
  })

/**
 * Closes a claim, or stores a request when its compensation needs approval.
 * @returns the id of the approval request; undefined when the claim is closed
 */
export async function closeClaim(
  core: Core,
  staff: Staff,
  claimId: number,
  { before, seen, ...request }: ClaimAct,
  closing: ClaimClosing,
): Promise<number | undefined> {
  const { outcome, compensation } = closing
  if ((outcome === 'compensated') !== (compensation !== undefined))
    throw new Error('a compensation has an amount and a reference, and no other outcome has them')
  const { order_id: orderId } = await openForStaff(core, staff, claimId)

  async function perform(): Promise<{ approvalId?: number }> {
    if (!compensation) {
      await closeWithin(core, staff, await lockSeen(core, claimId, seen), closing)
      return {}
    }
    // The order must be locked before the claim.
    const order = await lockForMoney(core, staff, orderId)
    const claim = await lockSeen(core, claimId, seen)
    if (claim.state === 'CLOSED') throw await closedBefore(core, staff, claimId)
    const number = claimNumber(claimId)
    const approvalId = await requestUnlessAllowed(core, staff, originOf(core, staff, number), order, {
      act: 'compensation',
      about: number,
      halalas: compensation.halalas,
      payload: { claimId, ...closing } satisfies ApprovedClosing,
    })
    if (approvalId === undefined) await closeWithin(core, staff, claim, closing)
    return { ...(approvalId !== undefined && { approvalId }) }
  }

  const { approvalId } = await actOnce<{ approvalId?: number }>(core, staff, request, { before, perform })
  return approvalId
}

export async function closeApprovedClaim(
  core: Core,
  staff: Person,
  approvedBy: Actor,
  payload: string | null,
): Promise<void> {
  const approved = JSON.parse(payload ?? 'null') as ApprovedClosing | null
  if (approved === null) throw notPossible('ownerDeleted')
  const { claimId, ...closing } = approved
  await closeWithin(core, staff, await lockSeen(core, claimId), closing, approvedBy)
}

/** Stores a photograph that the owner sent in another way. It replaces no other photograph. */
export async function storePhotoForOwner(
  core: Core,
  staff: Person,
  { claimId, number }: PhotoAddress,
  request: StaffRequest,
  jpeg: Uint8Array,
): Promise<void> {
  const { order_id: orderId, user_id: userId } = await openForStaff(core, staff, claimId)
  if (!isBarePhoto(jpeg)) throw failure(platformErrors, 'PHOTO_REFUSED')
  await actOnce(core, staff, request, {
    async perform() {
      if (!(await lockUnclosedClaim(core, claimId))) throw await closedBefore(core, staff, claimId)
      const photos = await listPhotos(core, [claimId])
      if (photos.get(claimId)?.includes(number)) throw failure(claimsErrors, 'PHOTO_THERE')
      await writePhoto(core, claimId, number, jpeg, core.clock.now())
      await recordAct(core, {
        kind: 'photo-added',
        by: staffActor(staff),
        orderId,
        claimId,
        userId,
        about: photoName({ claimId, number }),
      })
      return {}
    },
  })
}

/** Reads a photograph and records the view. @throws Failure CLAIM_NOT_FOUND, TOO_MANY_CALLS */
export async function readPhotoForStaff(
  core: Core,
  by: Person,
  { claimId, number }: PhotoAddress,
): Promise<Uint8Array> {
  const claim = await findDeskClaim(core, claimId)
  const jpeg = await findPhoto(core, claimId, number)
  if (!jpeg) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
  const view = {
    by,
    kind: 'photo-viewed',
    claimId,
    orderId: claim.order_id,
    userId: claim.user_id,
    about: photoName({ claimId, number }),
  } as const
  const waitMs = await recordViewWithin(core, view, opensPerPerson)
  if (waitMs !== undefined) throw tooManyCalls(waitMs)
  return jpeg
}

interface StaffStep {
  readonly step: ClaimStep
  readonly change: () => Promise<ClaimRow | undefined>
}

async function takeStepOnce(
  core: Core,
  staff: Person,
  claimId: number,
  { before, seen, ...request }: ClaimAct,
  step: StaffStep,
) {
  await openForStaff(core, staff, claimId)
  await actOnce(core, staff, request, {
    before,
    async perform() {
      await takeStepWithin(core, staff, await lockSeen(core, claimId, seen), step)
      return {}
    },
  })
}

/** Must run inside a transaction that has locked the claim. */
async function takeStepWithin(
  core: Core,
  staff: Person,
  before: ClaimRow,
  { step, change }: StaffStep,
  approvedBy: Actor = step.by,
) {
  const claim = await change()
  if (!claim) throw await closedBefore(core, staff, before.id)
  await recordStep(core, claim, step, { before, approvedBy })
  core.afterCommit(() =>
    core.log.info({
      event: `claims.${stepOf(step.kind)}`,
      claimId: claim.id,
      outcome: claim.outcome ?? undefined,
    }),
  )
}

const closeWithin = (
  core: Core,
  staff: Person,
  before: ClaimRow,
  { outcome, text, compensation }: ClaimClosing,
  approvedBy?: Actor,
) =>
  takeStepWithin(
    core,
    staff,
    before,
    {
      step: {
        kind: 'claim-closed',
        data: {
          outcome,
          halalas: compensation?.halalas ?? null,
          personal: {
            text,
            reference: compensation?.reference ?? null,
          },
        },
        by: staffActor(staff),
      },
      change: () => markClosed(core, before.id, outcome, core.clock.now()),
    },
    approvedBy,
  )

async function lockSeen(core: Core, claimId: number, seen?: number): Promise<ClaimRow> {
  const claim = assertFound(await lockClaim(core, claimId))
  if (seen === undefined || claim.state === 'CLOSED') return claim
  const events = await listClaimEvents(core, [claimId])
  if (events.some(({ by, id }) => by.kind === 'owner' && id > seen))
    throw failure(claimsErrors, 'DESK_CLAIM_UNREAD')
  return claim
}

async function closedBefore(core: Core, { issuer, subject }: Person, claimId: number) {
  if ((await findDeskClaim(core, claimId)).body_hash === erasedHash) return notPossible('ownerDeleted')
  const last = (await listClaimEvents(core, [claimId])).findLast(({ kind }) => kind === 'claim-closed')
  const isColleague = last?.by.kind === 'staff' && (last.by.issuer !== issuer || last.by.subject !== subject)
  return isColleague && last.at > core.clock.now() - atOnceMs
    ? failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore('claim-closed', last.by.name, last.at))
    : failure(claimsErrors, 'DESK_CLAIM_CLOSED', { values: { number: claimNumber(claimId) } })
}

function assertFound(claim: ClaimRow | undefined): ClaimRow {
  if (!claim) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
  return claim
}

function forStaff(error: unknown) {
  if (isFailure(error, 'NOT_SIGNED_IN')) return notPossible('ownerDeleted')
  if (isFailure(error, 'CLAIM_OPEN')) return failure(claimsErrors, 'DESK_CLAIM_OPEN', error.details)
  return isFailure(error, 'CLAIM_NOT_OFFERED') ? failure(claimsErrors, 'DESK_CLAIM_NOT_OFFERED') : error
}

const photoName = ({ claimId, number }: PhotoAddress) => `${claimNumber(claimId)}, photograph ${number}`

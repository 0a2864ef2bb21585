import { recordAct, staffActor } from '#server/features/history/acts.ts'
import { type Actor, listClaimEvents } from '#server/features/history/history.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { claimsErrors } from '#shared/claims/claims.errors.ts'
import { type ClaimOutcome, type ClaimRequest, claimNumber } from '#shared/claims/claims.schemas.ts'
import { isBarePhoto } from '#shared/claims/jpeg.rules.ts'
import { actedBefore, atOnceMs } from '#shared/desk-actions/acted-before.ts'
import { deskActionsErrors, whyNot } from '#shared/desk-actions/desk-actions.errors.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { assertFound, type ClaimReader, createClaimReads, photoName } from './claims.reads.service.ts'
import { stepOf } from './claims.rules.ts'
import type { ClaimStep, ClaimSteps, ClaimsDeps, ClaimsService, PhotoAddress } from './claims.service.ts'
import { type ClaimRow, erasedHash } from './claims.store.ts'

/** An act of staff on a claim, once under its key. */
export interface ClaimAct extends StaffRequest {
  /** Takes the claim in the work list; a repetition does not, also where a colleague has it by then. */
  readonly before: () => Promise<void>
  /** The id of the last event that the person saw; undefined where the owner is told nothing by the act, or it is not known. */
  readonly seen?: number | undefined
}

export interface ClaimClosing {
  readonly outcome: ClaimOutcome
  /** Why; the owner reads it. */
  readonly text: string
  /** Of `compensated`: what another pays, and its reference. */
  readonly compensation?: { readonly halalas: number; readonly reference: string }
}

/** A closing that a second person has to approve. */
interface CompensationWish {
  /** The number of the claim. */
  readonly about: string
  readonly halalas: number
  /** What `closeApproved` gets back. Its text is of the claim, and is kept nowhere else once it is decided. */
  readonly payload: ApprovedClosing
}

interface ApprovedClosing extends ClaimClosing {
  readonly claimId: number
}

export type ClaimsDesk = ReturnType<typeof createClaimsDesk>

const ownerDeleted = () =>
  failure(deskActionsErrors, 'ACTION_NOT_POSSIBLE', { values: { why: whyNot.ownerDeleted } })

/** What an owner would be told. */
function forStaff(error: unknown): unknown {
  if (isFailure(error, 'NOT_SIGNED_IN')) return ownerDeleted()
  if (isFailure(error, 'CLAIM_OPEN')) return failure(claimsErrors, 'DESK_CLAIM_OPEN', error.details)
  return isFailure(error, 'CLAIM_NOT_OFFERED') ? failure(claimsErrors, 'DESK_CLAIM_NOT_OFFERED') : error
}

interface ClaimsDeskParts {
  readonly claims: Pick<ClaimsService, 'open'>
  readonly steps: ClaimSteps
  readonly moveCompensation: MoveCompensation
}

/**
 * Inside a transaction: locks the order, reads what is wanted, and carries it out where the person may do so alone; then it
 * returns undefined, else the number of the approval.
 */
export type MoveCompensation = (
  staff: Staff,
  compensation: {
    readonly orderId: number
    readonly about: string
    readonly wish: () => Promise<Pick<CompensationWish, 'about' | 'halalas' | 'payload'>>
    readonly act: () => Promise<() => void>
  },
) => Promise<number | undefined>

/** What staff do with claims. Rights and approvals are the desk's. */
export function createClaimsDesk(
  deps: Pick<ClaimsDeps, 'database' | 'store' | 'orders' | 'audit' | 'clock' | 'log'>,
  { claims, steps, moveCompensation }: ClaimsDeskParts,
) {
  const { store, orders, audit, clock, log } = deps
  const reads = createClaimReads(deps)
  const { find, open } = reads

  /** Inside the transaction of a step. @throws Failure CLAIM_NOT_FOUND */
  const lock = async (claimId: number) => assertFound(await store.lockClaim(claimId))

  /** Inside the transaction that has locked the claim: what its owner has written was seen. @throws Failure DESK_CLAIM_UNREAD */
  async function assertSeen({ id, state }: ClaimRow, seen = Number.POSITIVE_INFINITY): Promise<void> {
    const steps = await listClaimEvents(deps, [id])
    const isUnread = steps.some((step) => step.by.kind === 'owner' && step.id > seen)
    if (isUnread && state !== 'CLOSED') throw failure(claimsErrors, 'DESK_CLAIM_UNREAD')
  }

  /** Who of the desk has just closed it, where that was a colleague, or that it went with the account of its owner. */
  async function closedBefore({ issuer, subject }: ClaimReader, claimId: number) {
    if ((await find(claimId)).body_hash === erasedHash) return ownerDeleted()
    const last = (await listClaimEvents(deps, [claimId])).findLast(({ kind }) => kind === 'claim-closed')
    const isOther = last?.by.kind === 'staff' && (last.by.issuer !== issuer || last.by.subject !== subject)
    return isOther && last.at > clock.now() - atOnceMs
      ? failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore('claim-closed', last.by.name, last.at))
      : failure(claimsErrors, 'DESK_CLAIM_CLOSED', { values: { number: claimNumber(claimId) } })
  }

  function closingStep(staff: ClaimReader, claimId: number, { outcome, compensation, text }: ClaimClosing) {
    const step: ClaimStep = {
      kind: 'claim-closed',
      data: {
        outcome,
        halalas: compensation?.halalas ?? null,
        personal: { text, reference: compensation?.reference ?? null },
      },
      by: staffActor(staff),
    }
    return [step, () => store.close(claimId, outcome, clock.now())] as const
  }

  /**
   * Inside the transaction of an act that has locked the claim.
   * @throws Failure DESK_CLAIM_CLOSED, ACTED_BEFORE, ACTION_NOT_POSSIBLE
   */
  async function takeStep(
    staff: ClaimReader,
    before: ClaimRow,
    step: ClaimStep,
    transition: () => Promise<ClaimRow | undefined>,
    approvedBy: Actor = step.by,
  ) {
    const { id: claimId } = before
    const claim = await steps.takeWithin(step, transition, { before, approvedBy })
    if (!claim) throw await closedBefore(staff, claimId)
    return {
      after() {
        steps.count(step.kind)
        log.info({ event: `claims.${stepOf(step.kind)}`, claimId, outcome: claim.outcome ?? undefined })
      },
    }
  }

  /**
   * A step that one person takes alone. Its answer shows the claim, which is opened first: what was done is not refused.
   * @throws Failure TOO_MANY_CALLS, CLAIM_NOT_FOUND, DESK_CLAIM_CLOSED, DESK_CLAIM_UNREAD, ACTED_BEFORE, ACTION_NOT_POSSIBLE
   */
  async function takeOnce(
    staff: ClaimReader,
    claimId: number,
    { before, seen, ...request }: ClaimAct,
    step: ClaimStep,
    transition: (now: number) => Promise<ClaimRow | undefined>,
  ): Promise<void> {
    await open(staff, claimId)
    await audit.once(staff, request, {
      before,
      async perform() {
        const before = await lock(claimId)
        await assertSeen(before, seen)
        return takeStep(staff, before, step, () => transition(clock.now()))
      },
    })
  }

  return {
    /** As the owner opens one, named so in its history. @throws as `openOwn`, in words for staff */
    async openForOwner(
      staff: ClaimReader,
      orderId: number,
      request: ClaimRequest,
      key: string | undefined,
    ): Promise<{ claimId: number }> {
      const order = await orders.findPayable(orderId)
      if (!order) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      // Apart from the keys of the owner.
      const by = { key: key === undefined ? undefined : `desk:${key}`, by: staffActor(staff) }
      const claim = await claims.open(order.userId, orderId, request, by).catch((error: unknown) => {
        throw forStaff(error)
      })
      return { claimId: claim.id }
    },

    /** Answers, or asks the owner: the claim waits for the owner then. @throws as `takeOnce` */
    answer(staff: ClaimReader, claimId: number, act: ClaimAct, text: string, { isQuestion = false } = {}) {
      const kind = isQuestion ? 'claim-question' : 'claim-answered'
      const step: ClaimStep = { kind, data: { personal: { text } }, by: staffActor(staff) }
      return takeOnce(staff, claimId, act, step, (now) => store.answer(claimId, now))
    },

    /**
     * Closes a claim. A compensation that the person may not promise alone is asked for, and nothing changes: then the number
     * of the approval is returned. @throws as `takeOnce`, Failure REAUTHENTICATION_REQUIRED, TOO_MANY_CALLS
     */
    async close(
      staff: Staff,
      claimId: number,
      { before, seen, ...request }: ClaimAct,
      closing: ClaimClosing,
    ): Promise<number | undefined> {
      const { outcome, compensation } = closing
      if ((outcome === 'compensated') !== (compensation !== undefined))
        throw new Error('a compensation has a sum and a reference, and nothing else has')
      await open(staff, claimId)
      const { approvalId: asked } = await audit.once<{ approvalId?: number }>(staff, request, {
        before,
        async perform() {
          const { order_id: orderId } = await find(claimId)
          async function lockSeen(): Promise<ClaimRow> {
            const claim = await lock(claimId)
            await assertSeen(claim, seen)
            return claim
          }
          if (!compensation) {
            const claim = await lockSeen()
            return takeStep(staff, claim, ...closingStep(staff, claimId, closing))
          }
          const about = claimNumber(claimId)
          const { halalas } = compensation
          let after: (() => void) | undefined
          const approvalId = await moveCompensation(staff, {
            orderId,
            about,
            async wish() {
              const claim = await lockSeen()
              if (claim.state === 'CLOSED') throw await closedBefore(staff, claimId)
              return { about, halalas, payload: { claimId, ...closing } }
            },
            async act() {
              const step = await takeStep(staff, await lock(claimId), ...closingStep(staff, claimId, closing))
              after = step.after
              return step.after
            },
          })
          return { ...(approvalId !== undefined && { approvalId }), ...(after && { after }) }
        },
      })
      return asked
    },

    /**
     * Inside the transaction of the approval: closed by who asked for it, and compensated by who approved it.
     * @throws as `takeStep`, Failure CLAIM_NOT_FOUND
     */
    async closeApproved(staff: ClaimReader, approvedBy: Actor, payload: string | null): Promise<void> {
      // Of a deleted account nothing is left to close.
      const approved = JSON.parse(payload ?? 'null') as ApprovedClosing | null
      if (approved === null) throw ownerDeleted()
      const { claimId, ...closing } = approved
      await takeStep(staff, await lock(claimId), ...closingStep(staff, claimId, closing), approvedBy)
    },

    /** Notes that the courier was told, with its number of the complaint. @throws as `takeOnce` */
    passOn(
      staff: ClaimReader,
      claimId: number,
      act: ClaimAct,
      { caseNumber, text }: { caseNumber: string; text: string },
    ) {
      const step: ClaimStep = {
        kind: 'claim-passed-on',
        data: { personal: { case: caseNumber, text } },
        by: staffActor(staff),
      }
      return takeOnce(staff, claimId, act, step, (now) =>
        store.note(claimId, { partner_case: caseNumber, partner_told_at: now }, now),
      )
    },

    /** Notes what the courier answered. @throws as `takeOnce` */
    notePartnerAnswer(staff: ClaimReader, claimId: number, act: ClaimAct, text: string) {
      const step: ClaimStep = {
        kind: 'claim-partner-answered',
        data: { personal: { text } },
        by: staffActor(staff),
      }
      return takeOnce(staff, claimId, act, step, (now) => store.note(claimId, {}, now))
    },

    /**
     * A photograph that its owner sent us another way; one that is there stays. A note, not a move: no row is taken for it.
     * @throws as `takeOnce`, Failure PHOTO_REFUSED, PHOTO_THERE
     */
    async storePhoto(
      staff: ClaimReader,
      { claimId, number }: PhotoAddress,
      request: StaffRequest,
      jpeg: Uint8Array,
    ): Promise<void> {
      const { order_id: orderId, user_id: userId } = await open(staff, claimId)
      if (!isBarePhoto(jpeg)) throw failure(claimsErrors, 'PHOTO_REFUSED')
      await audit.once(staff, request, {
        async perform() {
          if (!(await store.lockAlive(claimId))) throw await closedBefore(staff, claimId)
          if ((await store.findPhotos([claimId])).get(claimId)?.includes(number))
            throw failure(claimsErrors, 'PHOTO_THERE')
          await store.storePhoto(claimId, number, jpeg, clock.now())
          const about = photoName({ claimId, number })
          const by = staffActor(staff)
          await recordAct(deps, { kind: 'photo-added', by, orderId, claimId, userId, about })
          return {}
        },
      })
    },

    readForDesk: reads.read,
    readPhotoForDesk: reads.readPhoto,
  }
}

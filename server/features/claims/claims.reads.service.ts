import { listClaimEvents, type StoredClaimEvent } from '#server/features/history/history.ts'
import { failure } from '#server/platform/errors.ts'
import { opensPerPerson, tooManyCalls } from '#server/platform/limits.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { claimsErrors } from '#shared/claims/claims.errors.ts'
import { type ClaimAuthor, type ClaimKind, claimNumber } from '#shared/claims/claims.schemas.ts'
import { handedOverAt } from '#shared/orders/bag-times.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { isoOf, riyadhMinuteOf } from '#shared/platform/instant.ts'
import {
  closingCompensation,
  compensationOf,
  dayOfDeadline,
  partnerDeadlines,
  stepOf,
  textOf,
} from './claims.rules.ts'
import type { ClaimsDeps, PhotoAddress } from './claims.service.ts'
import type { ClaimRow } from './claims.store.ts'

export type ClaimReader = Pick<Staff, 'issuer' | 'subject' | 'name' | 'roles'>

/** A look at what is open on a screen is none for so long. */
const openForMs = 3_600_000

/** @throws Failure CLAIM_NOT_FOUND */
export function assertFound(claim: ClaimRow | undefined): ClaimRow {
  if (!claim) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
  return claim
}

/** What staff see of claims: each look is recorded before it is answered. */
export function createClaimReads({
  database,
  store,
  orders,
  audit,
}: Pick<ClaimsDeps, 'database' | 'store' | 'orders' | 'audit'>) {
  /** @throws Failure CLAIM_NOT_FOUND */
  const find = async (claimId: number) => assertFound(await store.findClaim(claimId))

  /** Records that a person opens a claim, once an hour for each. @throws Failure CLAIM_NOT_FOUND, TOO_MANY_CALLS */
  async function open(by: ClaimReader, claimId: number): Promise<ClaimRow> {
    const claim = await find(claimId)
    const { order_id: orderId, user_id: userId } = claim
    const view = { by, kind: 'claim-viewed', claimId, orderId, userId } as const
    const waitMs = await audit.recordOnce(view, openForMs, opensPerPerson)
    if (waitMs !== undefined) throw tooManyCalls(waitMs)
    return claim
  }

  /** The bag of a claim as its owner sees it. */
  async function bagOf({
    user_id: userId,
    order_id: orderId,
    booking_id,
  }: ClaimRow): Promise<Booking | undefined> {
    const order = await orders.readFor({ role: 'user', userId }, orderId)
    return order.bookings[(await orders.listBookingIds(orderId)).indexOf(booking_id)]
  }

  return {
    find,
    open,

    /**
     * A claim with its whole history, its deadlines, and a text for the courier; recorded before it is answered.
     * @throws Failure CLAIM_NOT_FOUND, TOO_MANY_CALLS
     */
    async read(staff: ClaimReader, claimId: number) {
      const claim = await open(staff, claimId)
      const [bag, events, photos] = await Promise.all([
        bagOf(claim),
        listClaimEvents({ database }, [claimId]),
        store.findPhotos([claimId]),
      ])
      const handedOver = bag && handedOverAt(bag)
      const deadlines = partnerDeadlines(handedOver, claim.partner_told_at)
      return {
        ...deskRowOf(claim),
        awb: bag?.awb ?? null,
        outcome: claim.outcome,
        compensation: compensationOf(claim, events),
        partnerCase: claim.partner_case,
        partnerBy: deadlines.partnerBy === undefined ? null : isoOf(deadlines.partnerBy),
        partnerAnswerBy: deadlines.partnerAnswerBy === undefined ? null : isoOf(deadlines.partnerAnswerBy),
        events: events.map((event) => ({
          step: event.id,
          kind: stepOf(event.kind),
          author: authorOf(event),
          staffName: event.by.kind === 'staff' ? event.by.name : null,
          staffRoles: event.by.kind === 'staff' ? [...event.by.roles] : [],
          text: textOf(event),
          at: isoOf(event.at),
          compensation: closingCompensation(event),
        })),
        photos: photos.get(claimId) ?? [],
        partnerText: bag === undefined ? '' : partnerText(claim, bag, handedOver),
      }
    },

    /** Each look is recorded, of which a person may take as many as of claims. @throws Failure CLAIM_NOT_FOUND, TOO_MANY_CALLS */
    async readPhoto(staff: ClaimReader, { claimId, number }: PhotoAddress): Promise<Uint8Array> {
      const claim = await find(claimId)
      const jpeg = await store.readPhoto(claimId, number)
      if (!jpeg) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
      const { order_id: orderId, user_id: userId } = claim
      const about = photoName({ claimId, number })
      const view = { by: staff, kind: 'photo-viewed', claimId, orderId, userId, about } as const
      const waitMs = await audit.recordWithin(view, opensPerPerson)
      if (waitMs !== undefined) throw tooManyCalls(waitMs)
      return jpeg
    },
  }
}

export const photoName = ({ claimId, number }: PhotoAddress) =>
  `${claimNumber(claimId)}, photograph ${number}`

const authorOf = ({ by: { kind } }: StoredClaimEvent): ClaimAuthor =>
  kind === 'owner' || kind === 'staff' ? kind : 'system'

const deskRowOf = (claim: ClaimRow) => ({
  claimId: claim.id,
  number: claimNumber(claim.id),
  orderId: claim.order_id,
  kind: claim.kind,
  state: claim.state,
  openedAt: isoOf(claim.opened_at),
  answerBy: dayOfDeadline(claim.answer_by),
  lateSince: claim.late_since === null ? null : dayOfDeadline(claim.late_since),
})

const kindInEnglish: Readonly<Record<ClaimKind, string>> = {
  late: 'delayed shipment',
  lost: 'lost shipment',
  damaged: 'damaged shipment',
  missing: 'contents missing',
  'wrong-branch': 'shipment at another branch',
  other: 'complaint',
}

const questionInEnglish: Readonly<Record<ClaimKind, string>> = {
  late: 'Where is the shipment, and when will it arrive?',
  lost: 'Where was the shipment seen last, and what is being done to find it?',
  damaged: 'When was the shipment damaged, and how did it happen?',
  missing: 'Was the shipment opened on its way, and was anything found that fell out of it?',
  'wrong-branch': 'Why is the shipment at another branch, and when will it be at its destination?',
  other: 'What happened to the shipment?',
}

/** What the courier is told, in English: pasted into its form or mail. Without the owner's name and phone. */
function partnerText(
  claim: ClaimRow,
  { awb, origin, destination, events }: Booking,
  handedOver?: number,
): string {
  const last = events.findLast(({ source }) => source === 'courier')
  return [
    `Our case ${claimNumber(claim.id)}: ${kindInEnglish[claim.kind]}.`,
    `Airway bill: ${awb ?? 'not issued'}.`,
    `Handed over: ${handedOver === undefined ? 'not yet' : `${riyadhMinuteOf(handedOver)} (Riyadh time)`}${origin.city === undefined ? '' : `, ${origin.city}`}.`,
    `Destination: ${[destination.addressEN, destination.city].filter(Boolean).join(', ') || 'unknown'}.`,
    last === undefined
      ? 'Last scan: none.'
      : `Last scan: ${[last.text ?? last.kind, last.place, riyadhMinuteOf(Date.parse(last.at))].filter(Boolean).join(', ')}.`,
    `${questionInEnglish[claim.kind]} Please give us your case number with the answer.`,
  ].join('\n')
}

import type { Core } from '#server/core.ts'
import { type ClaimRow, listPhotos } from '#server/features/claims/claims.queries.ts'
import {
  closingCompensation,
  compensationOf,
  dayOfDeadline,
  partnerDeadlines,
  stepOf,
  textOf,
} from '#server/features/claims/claims.rules.ts'
import type { Person } from '#server/features/history/acts.ts'
import { listClaimEvents, type StoredClaimEvent } from '#server/features/history/history.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { listBookingIds } from '#server/features/orders/bookings.queries.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import type { ClaimAuthor, ClaimKind } from '#shared/claims/claims.schemas.ts'
import { handedOverAt } from '#shared/orders/bag-times.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { isoOf, riyadhMinuteOf } from '#shared/platform/instant.ts'
import { openForStaff } from './desk-claims.ts'

export async function readClaimPage(core: Core, staff: Person, claimId: number) {
  const claim = await openForStaff(core, staff, claimId)
  const [bag, events, photos] = await Promise.all([
    readBag(core, claim),
    listClaimEvents(core, [claimId]),
    listPhotos(core, [claimId]),
  ])
  const handedOver = bag && handedOverAt(bag)
  const { partnerBy, partnerAnswerBy } = partnerDeadlines(handedOver, claim.partner_notified_at)
  return {
    claimId: claim.id,
    number: claimNumber(claim.id),
    orderId: claim.order_id,
    kind: claim.kind,
    state: claim.state,
    openedAt: isoOf(claim.opened_at),
    answerBy: dayOfDeadline(claim.answer_by),
    lateSince: claim.late_since === null ? null : dayOfDeadline(claim.late_since),
    awb: bag?.awb ?? null,
    outcome: claim.outcome,
    compensation: compensationOf(claim, events),
    partnerCase: claim.partner_case,
    partnerBy: partnerBy === undefined ? null : isoOf(partnerBy),
    partnerAnswerBy: partnerAnswerBy === undefined ? null : isoOf(partnerAnswerBy),
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
    partnerText: bag === undefined ? '' : textForCourier(claim, bag, handedOver),
  }
}

async function readBag(core: Core, claim: ClaimRow): Promise<Booking | undefined> {
  const order = await readOrderFor(core, { role: 'user', userId: claim.user_id }, claim.order_id)
  const ids = await listBookingIds(core, claim.order_id)
  return order.bookings[ids.indexOf(claim.booking_id)]
}

const authorOf = ({ by: { kind } }: StoredClaimEvent): ClaimAuthor =>
  kind === 'owner' || kind === 'staff' ? kind : 'system'

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

/** The courier must get neither the owner's name nor a phone. */
function textForCourier(
  claim: ClaimRow,
  { awb, origin, destination, events }: Booking,
  handedOver: number | undefined,
) {
  const last = events.findLast(({ source }) => source === 'courier')
  const handOver = handedOver === undefined ? 'not yet' : `${riyadhMinuteOf(handedOver)} (Riyadh time)`
  const place = origin.city === undefined ? '' : `, ${origin.city}`
  const branch = [destination.addressEN, destination.city].filter(Boolean).join(', ')
  const scan =
    last && [last.text ?? last.kind, last.place, riyadhMinuteOf(Date.parse(last.at))].filter(Boolean)
  return [
    `Our case ${claimNumber(claim.id)}: ${kindInEnglish[claim.kind]}.`,
    `Airway bill: ${awb ?? 'not issued'}.`,
    `Handed over: ${handOver}${place}.`,
    `Destination: ${branch || 'unknown'}.`,
    `Last scan: ${scan?.join(', ') ?? 'none'}.`,
    `${questionInEnglish[claim.kind]} Please give us your case number with the answer.`,
  ].join('\n')
}

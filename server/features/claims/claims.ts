import type { Core } from '#server/core.ts'
import { type Actor, findEvent, listClaimEvents } from '#server/features/history/history.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { listBookingIds } from '#server/features/orders/bookings.queries.ts'
import { lockUser } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { freeAt, type Limit, limitCalls, tooManyCalls } from '#server/platform/limits.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { claimsErrors } from '#shared/claims/claims.errors.ts'
import { claimNumber, claimTextLength, reopenDays } from '#shared/claims/claims.operations.ts'
import type { Claim, ClaimOffer, ClaimRequest } from '#shared/claims/claims.schemas.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { isBarePhoto } from '#shared/platform/jpeg.rules.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import { readableForms, severalLines } from '#shared/platform/typed-text.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import { recordStep } from './claim-steps.ts'
import { readAwbs, readClaimView, readClaimViews } from './claim-views.ts'
import {
  type ClaimRow,
  findClaim,
  findClaimByKey,
  findPhoto,
  findUnclosedClaim,
  insertClaim,
  listClaimsOfOrder,
  listClaimsOfUser,
  listOpenings,
  listWithdrawals,
  lockUnclosedClaim,
  markClosed,
  reopenClaim,
  writePhoto,
} from './claims.queries.ts'
import { claimRules, dayOfDeadline, deadlineAfter, offeredKinds, textOf } from './claims.rules.ts'

export interface PhotoAddress {
  readonly claimId: number
  readonly number: number
}

const dayMs = 24 * 60 * 60_000
const exportedAtMost = 1_000
const byOwner = { kind: 'owner' } as const
const writings = {
  name: 'claims.writings',
  limits: claimRules.writings,
}

/**
 * Opens a claim. The same idempotency key and request return the same claim.
 * @throws Failure ORDER_NOT_FOUND, CLAIM_NOT_OFFERED, CLAIM_OPEN, IDEMPOTENCY_CONFLICT, TOO_MANY_CALLS, NOT_SIGNED_IN
 */
export async function openClaim(
  core: Core,
  userId: number,
  orderId: number,
  request: ClaimRequest,
  { key, by }: { readonly key: string | undefined; readonly by: Actor },
): Promise<ClaimRow> {
  const order = await readOrderFor(core, { role: 'user', userId }, orderId)
  const { kind, awb } = request
  const bodyHash = hashOf(JSON.stringify([orderId, kind, awb ?? null, request.text]))
  const earlier = await findSameRequest(core, userId, key, bodyHash)
  if (earlier) return earlier
  const text = severalLines(request.text)
  if (text.length < claimTextLength.least || !readableForms.letters(text)) throw textTooShort()
  const bookingId = await findBag(core, order, request)
  const bag = {
    booking_id: bookingId,
    kind,
  }
  const opened = await core.database.transaction(async () => {
    await lockOwner(core, userId)
    if (await findSameRequest(core, userId, key, bodyHash)) return undefined
    const unclosed = await findUnclosedClaim(core, bag)
    if (unclosed) throw claimIsOpen(unclosed)
    await limitSteps(core, userId, claimRules.openings, listOpenings)
    const now = core.clock.now()
    const claim = await insertClaim(core, {
      ...bag,
      user_id: userId,
      order_id: orderId,
      idem_key: key ?? null,
      body_hash: bodyHash,
      opened_at: now,
      answer_by: answerDayFrom(core, now),
    })
    if (claim)
      await recordStep(core, claim, {
        kind: 'claim-opened',
        data: {
          claim: kind,
          personal: { text },
        },
        by,
      })
    return claim
  })
  if (opened) {
    core.log.info({ event: 'claims.opened', claimId: opened.id, orderId, kind })
    return opened
  }
  const other = (await findSameRequest(core, userId, key, bodyHash)) ?? (await findUnclosedClaim(core, bag))
  if (other === undefined || other.idem_key === null || other.idem_key !== key) throw claimIsOpen(other)
  return other
}

export const openOwnClaim = async (
  core: Core,
  userId: number,
  orderId: number,
  request: ClaimRequest,
  key: string | undefined,
): Promise<Claim> =>
  readClaimView(core, await openClaim(core, userId, orderId, request, { key, by: byOwner }))

export async function listClaims(
  core: Core,
  userId: number,
  orderId: number,
): Promise<{ claims: Claim[]; offer: ClaimOffer }> {
  const order = await readOrderFor(core, { role: 'user', userId }, orderId)
  const rows = await listClaimsOfOrder(core, orderId)
  const claims = rows.length === 0 ? [] : await readClaimViews(core, rows, await readAwbs(core, order))
  const now = core.clock.now()
  const bags = order.bookings.map((bag) => ({
    ...(bag.awb !== null && { awb: bag.awb }),
    kinds: offeredKinds(order.promises, bag, now),
  }))
  return {
    claims,
    offer: {
      answerBy: dayOfDeadline(answerDayFrom(core, now)),
      bags,
    },
  }
}

/**
 * Stores a message of the owner. It reopens a claim that is answered, or was closed in the last `reopenDays` days.
 * @throws Failure CLAIM_NOT_FOUND, CLAIM_CLOSED, CLAIM_OPEN, TOO_MANY_CALLS
 */
export async function writeToClaim(
  core: Core,
  userId: number,
  claimId: number,
  typed: string,
): Promise<Claim> {
  const claim = await findOwnClaim(core, userId, claimId)
  limitCalls(core, writings, userId)
  const text = severalLines(typed)
  // The owner can answer a question of staff with a short number.
  if (!readableForms['letters-or-digits'](text)) throw textTooShort()
  const written = await core.database.transaction(async () => {
    await lockOwner(core, userId)
    const last = (await listClaimEvents(core, [claimId])).at(-1)
    // The browser sends a message again when it got no response, so an equal message is not stored again.
    if (last?.by.kind === 'owner' && textOf(last) === text) return undefined
    const reopened = await reopen(core, claim)
    if (!reopened) {
      const unclosed = await findUnclosedClaim(core, claim)
      throw unclosed && unclosed.id !== claimId
        ? claimIsOpen(unclosed)
        : failure(claimsErrors, 'CLAIM_CLOSED')
    }
    await recordStep(core, reopened, {
      kind: 'claim-message',
      data: { personal: { text } },
      by: byOwner,
    })
    return reopened
  })
  return readClaimView(core, written ?? (await findOwnClaim(core, userId, claimId)))
}

export async function withdrawClaim(core: Core, userId: number, claimId: number): Promise<Claim> {
  await findOwnClaim(core, userId, claimId)
  limitCalls(core, writings, userId)
  const withdrawn = await core.database.transaction(async () => {
    await lockOwner(core, userId)
    const closed = await markClosed(core, claimId, 'withdrawn', core.clock.now())
    if (!closed) return undefined
    await limitSteps(core, userId, claimRules.withdrawals, listWithdrawals)
    await recordStep(core, closed, {
      kind: 'claim-closed',
      data: {
        outcome: 'withdrawn',
        halalas: null,
        personal: null,
      },
      by: byOwner,
    })
    return closed
  })
  const claim = withdrawn ?? (await findOwnClaim(core, userId, claimId))
  if (claim.outcome !== 'withdrawn') throw failure(claimsErrors, 'CLAIM_CLOSED')
  return readClaimView(core, claim)
}

/**
 * Stores a photograph, which reopens an answered claim, because staff can have asked for it.
 * @throws Failure CLAIM_NOT_FOUND, CLAIM_CLOSED, PHOTO_REFUSED, TOO_MANY_CALLS
 */
export async function storeClaimPhoto(
  core: Core,
  userId: number,
  { claimId, number }: PhotoAddress,
  jpeg: Uint8Array,
): Promise<Claim> {
  const claim = await findOwnClaim(core, userId, claimId)
  limitCalls(core, writings, userId)
  if (!isBarePhoto(jpeg)) throw failure(platformErrors, 'PHOTO_REFUSED')
  const reopened = await core.database.transaction(async () => {
    await lockOwner(core, userId)
    if (!(await lockUnclosedClaim(core, claimId))) throw failure(claimsErrors, 'CLAIM_CLOSED')
    const known = await findPhoto(core, claimId, number)
    if (known && Buffer.compare(known, jpeg) === 0) return undefined
    await writePhoto(core, claimId, number, jpeg, core.clock.now())
    const reopened = await reopen(core, claim)
    if (reopened)
      await recordStep(core, reopened, {
        kind: 'claim-message',
        data: { personal: null },
        by: byOwner,
      })
    return reopened
  })
  return readClaimView(core, reopened ?? claim)
}

export async function readClaimPhoto(
  core: Core,
  userId: number,
  { claimId, number }: PhotoAddress,
): Promise<Uint8Array> {
  await findOwnClaim(core, userId, claimId)
  const jpeg = await findPhoto(core, claimId, number)
  if (!jpeg) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
  return jpeg
}

export async function isBagReported(core: Core, bookingId: number): Promise<boolean> {
  for (const kind of ['late', 'lost'] as const)
    if (await findUnclosedClaim(core, { booking_id: bookingId, kind })) return true
  return false
}

export async function readClaimStep(core: Core, eventId: number) {
  const claimId = (await findEvent(core, eventId))?.claimId
  if (claimId === undefined) return undefined
  const claim = await findClaim(core, claimId)
  const events = await listClaimEvents(core, [claimId])
  const event = events.find(({ id }) => id === eventId)
  if (!claim || !event) return undefined
  if (event.kind === 'claim-late' && claim.late_since === null) return undefined
  if (event.kind === 'claim-closed' && claim.outcome === null) return undefined
  const isRepeated = events.some(({ id, kind }) => kind === event.kind && id < eventId)
  return {
    number: claimNumber(claimId),
    answerBy: claim.answer_by,
    outcome: event.kind === 'claim-closed' ? event.data.outcome : claim.outcome,
    // Each message about a late answer names another day, so it is no repetition.
    repeatedAt: isRepeated && event.kind !== 'claim-late' ? event.at : null,
  }
}

export async function exportClaims(
  core: Core,
  userId: number,
): Promise<(Claim & { readonly orderId: number })[]> {
  const rows = await listClaimsOfUser(core, userId, exportedAtMost)
  const awbs = new Map<number, string | null>()
  for (const orderId of new Set(rows.map(({ order_id }) => order_id))) {
    const order = await readOrderFor(core, { role: 'user', userId }, orderId)
    for (const [bookingId, awb] of await readAwbs(core, order)) awbs.set(bookingId, awb)
  }
  const claims = await readClaimViews(core, rows, awbs)
  return claims.map((claim, index) => ({ orderId: rows[index]?.order_id ?? 0, ...claim }))
}

async function findOwnClaim(core: Core, userId: number, claimId: number): Promise<ClaimRow> {
  const claim = await findClaim(core, claimId)
  if (claim?.user_id !== userId) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
  return claim
}

/** Without an airway bill, the request is about the only bag of the order, or its first bag without an airway bill. */
async function findBag(core: Core, order: Order, { awb, kind }: ClaimRequest) {
  const ids = await listBookingIds(core, order.orderId)
  const isOnly = order.bookings.length === 1
  const index = order.bookings.findIndex((booking) =>
    awb === undefined ? isOnly || booking.awb === null : booking.awb === awb,
  )
  const bag = order.bookings[index]
  const id = ids[index]
  if (bag === undefined || id === undefined)
    throw failure(platformErrors, 'INVALID_REQUEST', {
      fields: [{ field: 'awb', text: { ar: 'اختر الحقيبة.', en: 'Choose the bag.' } }],
    })
  if (!offeredKinds(order.promises, bag, core.clock.now()).includes(kind))
    throw failure(claimsErrors, 'CLAIM_NOT_OFFERED')
  return id
}

async function findSameRequest(
  core: Core,
  userId: number,
  key: string | undefined,
  bodyHash: string,
): Promise<ClaimRow | undefined> {
  const earlier = key === undefined ? undefined : await findClaimByKey(core, userId, key)
  if (earlier && earlier.body_hash !== bodyHash) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
  return earlier
}

async function lockOwner(core: Core, userId: number) {
  if (!(await lockUser(core, userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  await core.database.lock(`claims:${userId}`)
}

/** Each opening and each withdrawal sends an SMS. The database counts them, so that all gateways share the limit. */
async function limitSteps(
  core: Core,
  userId: number,
  limit: Limit,
  listTimes: (core: Core, userId: number, since: number) => Promise<readonly number[]>,
) {
  const now = core.clock.now()
  const waitMs = freeAt(limit, await listTimes(core, userId, now - limit.windowMs), now) - now
  if (waitMs > 0) throw tooManyCalls(waitMs)
}

function reopen(core: Core, claim: ClaimRow): Promise<ClaimRow | undefined> {
  const now = core.clock.now()
  return reopenClaim(core, claim, {
    now,
    answerBy: answerDayFrom(core, now),
    closedSince: now - reopenDays * dayMs,
  })
}

const answerDayFrom = ({ config }: Core, now: number) =>
  deadlineAfter(now, claimRules.answerDays, config.WORK_HOLIDAYS)

const claimIsOpen = (claim: ClaimRow | undefined) =>
  failure(claimsErrors, 'CLAIM_OPEN', { values: { number: claimNumber(claim?.id ?? 0) } })

const textTooShort = () =>
  failure(platformErrors, 'INVALID_REQUEST', {
    fields: [
      { field: 'text', text: { ar: 'اكتب ما حدث بكلمات أكثر.', en: 'Write what happened in more words.' } },
    ],
  })

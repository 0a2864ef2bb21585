import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { Changed, ClaimEventKind } from '#server/features/history/history.kinds.ts'
import {
  type Actor,
  changedByOffice,
  findEvent,
  listClaimEvents,
  type NewEvent,
  recordEvent,
  type StoredClaimEvent,
} from '#server/features/history/history.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Core } from '#server/platform/core.ts'
import { failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit, freeAt, type Limit, tooManyCalls } from '#server/platform/limits.ts'
import { hashOf } from '#server/platform/secrets.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { claimsErrors } from '#shared/claims/claims.errors.ts'
import {
  type Claim,
  type ClaimKind,
  type ClaimOffer,
  type ClaimRequest,
  claimNumber,
  claimTextLength,
  reopenDays,
} from '#shared/claims/claims.schemas.ts'
import { isBarePhoto } from '#shared/claims/jpeg.rules.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { platformErrors } from '#shared/platform/platform.errors.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { readableForms, severalLines } from '#shared/platform/typed-text.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import {
  claimRules,
  compensationOf,
  dayOfDeadline,
  deadlineAfter,
  offeredKinds,
  stepOf,
  textOf,
} from './claims.rules.ts'
import type { ClaimRow, ClaimsStore } from './claims.store.ts'

export interface ClaimsDeps extends Pick<Core, 'database' | 'clock' | 'log' | 'metrics'> {
  readonly store: ClaimsStore
  readonly users: Pick<UsersService, 'lockUser'>
  readonly orders: Pick<OrdersService, 'readFor' | 'listBookingIds' | 'findPayable'>
  readonly audit: Pick<AuditService, 'recordOnce' | 'recordWithin' | 'once'>
  /** ISO dates, see WORK_HOLIDAYS. */
  readonly holidays: readonly string[]
}

/** Which photograph of which claim. */
export interface PhotoAddress {
  readonly claimId: number
  readonly number: number
}

export type ClaimsService = ReturnType<typeof createClaims>

const dayMs = 24 * 60 * 60_000
/** Claims in an export; more are not kept for a user in practice. */
const exportedAtMost = 1_000

const byOwner = { kind: 'owner' } as const

/** A step that is taken: the event that is recorded of it. */
export type ClaimStep = Extract<NewEvent, { readonly kind: ClaimEventKind }>

/** What a step of staff changes of a claim. Before: null for a claim that is opened by it. */
function changedOf(before: ClaimRow | undefined, after: ClaimRow): Changed {
  const changed: Changed = {}
  for (const field of ['state', 'outcome'] as const) {
    const was = before?.[field] ?? null
    if (after[field] !== was) changed[field] = [was, after[field]]
  }
  return changed
}

export type ClaimSteps = ReturnType<typeof createSteps>

/** Takes steps of claims: the event, its compensation and its message are stored with the transition. */
export function createSteps({ database, store, metrics }: ClaimsDeps) {
  const counter = metrics.counter('amtiati_claim_steps_total', 'Steps of claims, by kind.', ['step'])

  /**
   * Inside a transaction: takes the step by `transition`, which locks the claim, and records it.
   * @param before of a step of staff: the claim, locked
   * @param approvedBy of a compensation that a second person approved: that person
   */
  async function takeWithin(
    step: ClaimStep,
    transition: () => Promise<ClaimRow | undefined>,
    { before, approvedBy = step.by }: { readonly before?: ClaimRow; readonly approvedBy?: Actor } = {},
  ): Promise<ClaimRow | undefined> {
    const changed = await transition()
    if (!changed) return undefined
    const { id: claimId, order_id: orderId, booking_id: bookingId, user_id: userId } = changed
    const subject = { claimId, orderId, bookingId, userId }
    const data = { ...step.data, ...changedByOffice(step.by, changedOf(before, changed)) }
    const eventId = await recordEvent({ database }, { ...step, ...subject, data } as NewEvent)
    if (eventId === undefined) throw new Error('the event of a claim was recorded before')
    if (step.kind === 'claim-closed' && step.data.halalas !== null) {
      const { halalas, personal } = step.data
      const reference = personal?.reference ?? null
      await store.addCompensation({ event_id: eventId, claim_id: claimId, halalas, reference })
      await recordEvent(
        { database },
        {
          kind: 'compensated',
          ...subject,
          by: approvedBy,
          data: {
            halalas,
            personal: { reference },
          },
        },
      )
    }
    return changed
  }

  return {
    takeWithin,

    /** Once it is committed. */
    count: (kind: ClaimEventKind) => counter.inc({ step: stepOf(kind) }),

    /** Undefined where nothing has changed. */
    async take(
      step: ClaimStep,
      transition: () => Promise<ClaimRow | undefined>,
    ): Promise<ClaimRow | undefined> {
      const claim = await database.transaction(() => takeWithin(step, transition))
      if (claim) counter.inc({ step: stepOf(step.kind) })
      return claim
    },
  }
}

/** Claims as their owners see them. */
function createViews({ database, store, orders }: Pick<ClaimsDeps, 'database' | 'store' | 'orders'>) {
  /** @param awbs by booking */
  async function viewsOf(
    rows: readonly ClaimRow[],
    awbs: ReadonlyMap<number, string | null>,
  ): Promise<Claim[]> {
    const ids = rows.map(({ id }) => id)
    const [events, photos] = await Promise.all([listClaimEvents({ database }, ids), store.findPhotos(ids)])
    const byClaim = Map.groupBy(events, ({ claimId }) => claimId)
    return rows.map((row) =>
      viewOf(row, byClaim.get(row.id) ?? [], {
        photos: photos.get(row.id) ?? [],
        awb: awbs.get(row.booking_id) ?? null,
      }),
    )
  }

  /** Airway bills by booking. */
  async function awbsOf({ orderId, bookings }: Order): Promise<ReadonlyMap<number, string | null>> {
    const ids = await orders.listBookingIds(orderId)
    return new Map(ids.map((id, index) => [id, bookings[index]?.awb ?? null]))
  }

  async function view(userId: number, row: ClaimRow): Promise<Claim> {
    const order = await orders.readFor({ role: 'user', userId }, row.order_id)
    const [claim] = await viewsOf([row], await awbsOf(order))
    if (!claim) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
    return claim
  }

  return { viewsOf, awbsOf, view }
}

/** What owners do with claims. Another user's claim is answered exactly like one that does not exist. */
export function createClaims(deps: ClaimsDeps, steps: ClaimSteps) {
  const { store, orders, users, holidays, clock, log } = deps
  const { viewsOf, awbsOf, view } = createViews(deps)
  const writings = createCallLimit<number>(claimRules.writings, clock)

  const answerByFrom = (now: number) => deadlineAfter(now, claimRules.answerDays, holidays)

  /** @throws Failure CLAIM_NOT_FOUND */
  async function findOwn(userId: number, claimId: number): Promise<ClaimRow> {
    const claim = await store.findClaim(claimId)
    if (claim?.user_id !== userId) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
    return claim
  }

  /**
   * The bag that a request is about: without an airway bill the only one, or the first that has none yet.
   * @throws Failure CLAIM_NOT_OFFERED, INVALID_REQUEST
   */
  async function bagOf(order: Order, { awb, kind }: ClaimRequest): Promise<number> {
    const ids = await orders.listBookingIds(order.orderId)
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
    if (!offeredKinds(order.promises, bag, clock.now()).includes(kind))
      throw failure(claimsErrors, 'CLAIM_NOT_OFFERED')
    return id
  }

  /** Inside the transaction of a step: no account that is being deleted, one step of an owner after the other. */
  async function admit(userId: number): Promise<void> {
    if (!(await users.lockUser(userId))) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
    await store.lockOpenings(userId)
  }

  /** Counted in the database: each sends an SMS, whichever gateway takes it. @throws Failure TOO_MANY_CALLS */
  async function countStep(
    userId: number,
    limit: Limit,
    listTimes: (userId: number, since: number) => Promise<readonly number[]>,
  ): Promise<void> {
    const now = clock.now()
    const waitMs = freeAt(limit, await listTimes(userId, now - limit.windowMs), now) - now
    if (waitMs > 0) throw tooManyCalls(waitMs)
  }

  /** What an owner's step makes of a claim that is not closed, or was not closed too long ago. */
  const reopen = (claim: ClaimRow, now: number) =>
    store.reopen(claim, { now, answerBy: answerByFrom(now), closedSince: now - reopenDays * dayMs })

  const openClaimOf = (claim: Pick<ClaimRow, 'id'> | undefined) =>
    failure(claimsErrors, 'CLAIM_OPEN', { values: { number: claimNumber(claim?.id ?? 0) } })

  /** @throws Failure IDEMPOTENCY_CONFLICT */
  async function findByKey(userId: number, key: string | undefined, hash: string) {
    const earlier = key === undefined ? undefined : await store.findByKey(userId, key)
    if (earlier && earlier.body_hash !== hash) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
    return earlier
  }

  /**
   * Opens a claim about a bag of the user's order. The same key and request again: the same claim.
   * @param by who reports it: the owner, or staff for the owner.
   */
  async function open(
    userId: number,
    orderId: number,
    request: ClaimRequest,
    { key, by }: { readonly key: string | undefined; readonly by: Actor },
  ): Promise<ClaimRow> {
    const order = await orders.readFor({ role: 'user', userId }, orderId)
    const { kind, awb } = request
    const body_hash = hashOf(JSON.stringify([orderId, kind, awb ?? null, request.text]))
    const earlier = await findByKey(userId, key, body_hash)
    if (earlier) return earlier
    const text = severalLines(request.text)
    if (text.length < claimTextLength.least || !readableForms.letters(text)) throw tooShort()
    const booking_id = await bagOf(order, request)
    const now = clock.now()
    const opening = { kind: 'claim-opened', data: { claim: kind, personal: { text } }, by } as const
    const opened = await steps.take(opening, async () => {
      await admit(userId)
      if (await findByKey(userId, key, body_hash)) return undefined
      const alive = await store.findAlive({ booking_id, kind })
      if (alive) throw openClaimOf(alive)
      await countStep(userId, claimRules.openings, store.listOpenings)
      return store.insertClaim({
        user_id: userId,
        order_id: orderId,
        booking_id,
        kind,
        idem_key: key ?? null,
        body_hash,
        opened_at: now,
        answer_by: answerByFrom(now),
      })
    })
    if (opened) {
      log.info({ event: 'claims.opened', claimId: opened.id, orderId, kind })
      return opened
    }
    const other = (await findByKey(userId, key, body_hash)) ?? (await store.findAlive({ booking_id, kind }))
    if (other === undefined || other.idem_key === null || other.idem_key !== key) throw openClaimOf(other)
    return other
  }

  return {
    open,

    /** Whether the owner has reported a bag as late or lost, and the claim is not closed. */
    async isReported(bookingId: number): Promise<boolean> {
      const claims = await Promise.all(
        (['late', 'lost'] as const).map((kind) => store.findAlive({ booking_id: bookingId, kind })),
      )
      return claims.some((claim) => claim !== undefined)
    },

    /** What can be reported of a bag now. */
    kindsOf: (promises: Promises | undefined, bag: Pick<Booking, 'state' | 'events'>): ClaimKind[] =>
      offeredKinds(promises, bag, clock.now()),

    /** @throws Failure ORDER_NOT_FOUND, CLAIM_NOT_OFFERED, CLAIM_OPEN, IDEMPOTENCY_CONFLICT, TOO_MANY_CALLS */
    openOwn: async (userId: number, orderId: number, request: ClaimRequest, key: string | undefined) =>
      view(userId, await open(userId, orderId, request, { key, by: byOwner })),

    /** @throws Failure ORDER_NOT_FOUND */
    async list(userId: number, orderId: number): Promise<{ claims: Claim[]; offer: ClaimOffer }> {
      const order = await orders.readFor({ role: 'user', userId }, orderId)
      const rows = await store.listOfOrder(orderId)
      const now = clock.now()
      const claims = rows.length === 0 ? [] : await viewsOf(rows, await awbsOf(order))
      const bags = order.bookings.map((bag) => ({
        ...(bag.awb === null ? {} : { awb: bag.awb }),
        kinds: offeredKinds(order.promises, bag, now),
      }))
      return { claims, offer: { answerBy: dayOfDeadline(answerByFrom(now)), bags } }
    },

    /** @throws Failure CLAIM_NOT_FOUND, CLAIM_CLOSED, CLAIM_OPEN, TOO_MANY_CALLS */
    async write(userId: number, claimId: number, typed: string): Promise<Claim> {
      const claim = await findOwn(userId, claimId)
      countCall(writings, userId)
      const text = severalLines(typed)
      // An answer may be the number that was asked for.
      if (!readableForms['letters-or-digits'](text)) throw tooShort()
      const now = clock.now()
      const message = { kind: 'claim-message', data: { personal: { text } }, by: byOwner } as const
      const written = await steps.take(message, async () => {
        await admit(userId)
        const last = (await listClaimEvents(deps, [claimId])).at(-1)
        // Sent again, because its answer was lost.
        if (last?.by.kind === 'owner' && textOf(last) === text) return undefined
        const reopened = await reopen(claim, now)
        if (reopened) return reopened
        const alive = await store.findAlive(claim)
        throw alive && alive.id !== claimId ? openClaimOf(alive) : failure(claimsErrors, 'CLAIM_CLOSED')
      })
      return view(userId, written ?? (await findOwn(userId, claimId)))
    },

    /** @throws Failure CLAIM_NOT_FOUND, CLAIM_CLOSED, TOO_MANY_CALLS */
    async withdraw(userId: number, claimId: number): Promise<Claim> {
      await findOwn(userId, claimId)
      countCall(writings, userId)
      const now = clock.now()
      const closing = {
        kind: 'claim-closed',
        data: { outcome: 'withdrawn', halalas: null, personal: null },
        by: byOwner,
      } as const
      const closed = await steps.take(closing, async () => {
        await admit(userId)
        const withdrawn = await store.close(claimId, 'withdrawn', now)
        if (withdrawn) await countStep(userId, claimRules.withdrawals, store.listWithdrawals)
        return withdrawn
      })
      const claim = closed ?? (await findOwn(userId, claimId))
      if (claim.outcome !== 'withdrawn') throw failure(claimsErrors, 'CLAIM_CLOSED')
      return view(userId, claim)
    },

    /**
     * A step, also of an open claim, which keeps its day: staff see that it came. An answered claim is open again: the
     * photograph may be what was asked for. Sent again, because its answer was lost, it changes nothing.
     * @throws Failure CLAIM_NOT_FOUND, CLAIM_CLOSED, PHOTO_REFUSED, TOO_MANY_CALLS
     */
    async storePhoto(userId: number, { claimId, number }: PhotoAddress, jpeg: Uint8Array): Promise<Claim> {
      const claim = await findOwn(userId, claimId)
      countCall(writings, userId)
      if (!isBarePhoto(jpeg)) throw failure(claimsErrors, 'PHOTO_REFUSED')
      const now = clock.now()
      const message = { kind: 'claim-message', data: { personal: null }, by: byOwner } as const
      const reopened = await steps.take(message, async () => {
        await admit(userId)
        if (!(await store.lockAlive(claimId))) throw failure(claimsErrors, 'CLAIM_CLOSED')
        const known = await store.readPhoto(claimId, number)
        if (known && Buffer.compare(known, jpeg) === 0) return undefined
        await store.storePhoto(claimId, number, jpeg, now)
        return reopen(claim, now)
      })
      return view(userId, reopened ?? claim)
    },

    /** @throws Failure CLAIM_NOT_FOUND */
    async readPhoto(userId: number, { claimId, number }: PhotoAddress): Promise<Uint8Array> {
      await findOwn(userId, claimId)
      const jpeg = await store.readPhoto(claimId, number)
      if (!jpeg) throw failure(claimsErrors, 'CLAIM_NOT_FOUND')
      return jpeg
    },

    /** What the message about a step names; undefined where the claim has gone on, and there is nothing to tell any more. */
    async readStep(eventId: number) {
      const claimId = (await findEvent(deps, eventId))?.claimId
      if (claimId === undefined) return undefined
      const claim = await store.findClaim(claimId)
      const events = await listClaimEvents(deps, [claimId])
      const event = events.find(({ id }) => id === eventId)
      if (!claim || !event) return undefined
      if (event.kind === 'claim-late' && claim.late_since === null) return undefined
      if (event.kind === 'claim-closed' && claim.outcome === null) return undefined
      const isRepeated = events.some(({ id, kind }) => kind === event.kind && id < eventId)
      return {
        number: claimNumber(claimId),
        answerBy: claim.answer_by,
        outcome: event.kind === 'claim-closed' ? event.data.outcome : claim.outcome,
        // A late answer has another date each time.
        repeatedAt: isRepeated && event.kind !== 'claim-late' ? event.at : null,
      }
    },

    /** True while the user waits for an answer to a claim. */
    async hasOpen(userId: number): Promise<boolean> {
      const rows = await store.listOfUser(userId, exportedAtMost)
      return rows.some(({ state }) => state === 'OPEN')
    },

    /** Inside the transaction that deletes the account. */
    eraseUser: (userId: number) => store.eraseUser(userId, clock.now()),

    /** The claims of a user with what was written, newest first. */
    async exportClaims(userId: number): Promise<(Claim & { readonly orderId: number })[]> {
      const rows = await store.listOfUser(userId, exportedAtMost)
      const byOrder = Map.groupBy(rows, ({ order_id }) => order_id)
      const awbs = new Map<number, string | null>()
      for (const orderId of byOrder.keys())
        for (const [id, awb] of await awbsOf(await orders.readFor({ role: 'user', userId }, orderId)))
          awbs.set(id, awb)
      const claims = await viewsOf(rows, awbs)
      return claims.map((claim, index) => ({ orderId: rows[index]?.order_id ?? 0, ...claim }))
    },
  }
}

function tooShort() {
  return failure(platformErrors, 'INVALID_REQUEST', {
    fields: [
      { field: 'text', text: { ar: 'اكتب ما حدث بكلمات أكثر.', en: 'Write what happened in more words.' } },
    ],
  })
}

/** Steps that their owner reads: the others are between us and the courier. */
const shownToOwner: readonly ClaimEventKind[] = [
  'claim-opened',
  'claim-message',
  'claim-answered',
  'claim-question',
  'claim-closed',
]

function viewOf(
  row: ClaimRow,
  events: readonly StoredClaimEvent[],
  { photos, awb }: { readonly photos: number[]; readonly awb: string | null },
): Claim {
  const { outcome, closed_at } = row
  const compensation = compensationOf(row, events)
  return {
    claimId: row.id,
    number: claimNumber(row.id),
    kind: row.kind,
    ...(awb === null ? {} : { awb }),
    state: row.state,
    openedAt: isoOf(row.opened_at),
    answerBy: dayOfDeadline(row.answer_by),
    ...(row.late_since === null ? {} : { isLate: true as const }),
    messages: events
      .filter((event) => shownToOwner.includes(event.kind) && textOf(event) !== '')
      .map((event) => ({
        at: isoOf(event.at),
        // Staff report for the owner, in the owner's words.
        from: event.by.kind === 'owner' || event.kind === 'claim-opened' ? ('you' as const) : ('us' as const),
        text: textOf(event),
        ...(event.kind === 'claim-question' ? { isQuestion: true as const } : {}),
      })),
    photos,
    ...(outcome === null ? {} : { outcome }),
    ...(compensation === null ? {} : { compensation }),
    ...(closed_at === null ? {} : { reopensUntil: isoOf(closed_at + reopenDays * dayMs) }),
  }
}

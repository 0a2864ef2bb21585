import { sql } from 'kysely'
import type { LeasingCore, QueryCore } from '#server/platform/core.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Claimed, createLeases, type Moment, released } from '#server/platform/database/leases.ts'
import { preparedChanges, preparedFirst, preparedLast } from '#server/platform/database/prepared.ts'
import type { Row } from '#server/platform/database/schema.ts'
import type { Backlog } from '#server/platform/metrics.ts'
import type { AttemptState } from '#shared/payments/payments.schemas.ts'
import { attemptRules, inquiryDueAt, liveStates, requestsAtOnce } from './payments.rules.ts'

// A payment attempt is one try to pay an order. It has one intention at the payment provider.

export type AttemptRow = Row<'payment_attempts'>

type NewAttempt = Pick<AttemptRow, 'order_id' | 'reference' | 'amount_halalas' | 'currency' | 'created_at'>

interface StoredIntention {
  readonly intentionId: string | null
  readonly providerOrderId: number
  readonly clientSecret: string
  readonly secretUntil: number
}

// SQL that uses a partial index must contain literals, not parameters.
const isLive = liveStates.map((state) => sql.lit(state))

const attempts = (database: Database) => database.tables.selectFrom('payment_attempts').selectAll()
const updateAttempts = (database: Database) => database.tables.updateTable('payment_attempts')
const leasesOf = (database: Database) => createLeases(database, 'payment_attempts')

const started = preparedLast(({ database }: QueryCore, given: NewAttempt, due_at: number | null) =>
  database.tables
    .insertInto('payment_attempts')
    .values({
      order_id: given.order_id,
      reference: given.reference,
      currency: given.currency,
      amount_halalas: given.amount_halalas,
      created_at: given.created_at,
      state: 'creating',
      secret_until: 0,
      inquired_at: 0,
      due_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

/**
 * This insertion must be the last statement of its transaction. @returns undefined when the order already has a live
 * attempt
 */
export const startAttempt = (core: QueryCore, attempt: NewAttempt) =>
  started(core, attempt, inquiryDueAt(attempt.created_at, 0))

export const openAttempt = (
  { database }: QueryCore,
  id: number,
  { intentionId, providerOrderId, clientSecret, secretUntil }: StoredIntention,
): Promise<boolean> =>
  database.wins(
    updateAttempts(database)
      .set({
        state: 'open',
        intention_id: intentionId,
        provider_order_id: providerOrderId,
        client_secret: clientSecret,
        secret_until: secretUntil,
      })
      .where('id', '=', id)
      .where('state', '=', 'creating'),
  )

export const moveAttempt = (
  { database }: QueryCore,
  id: number,
  from: readonly AttemptState[],
  to: AttemptState,
): Promise<boolean> =>
  database.wins(updateAttempts(database).set({ state: to }).where('id', '=', id).where('state', 'in', from))

export async function countLiveAttempts({ database }: QueryCore): Promise<ReadonlyMap<string, number>> {
  const rows = await database.tables
    .selectFrom('payment_attempts')
    .select((attempt) => ['state', attempt.fn.countAll().as('count')])
    .where('state', 'in', isLive)
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}

export const findLiveAttempt = preparedFirst(({ database }: QueryCore, orderId: number) =>
  attempts(database).where('order_id', '=', orderId).where('state', 'in', liveStates),
)

export const listOpenedAttempts = ({ database }: QueryCore, orderId: number): Promise<AttemptRow[]> =>
  attempts(database)
    .where('order_id', '=', orderId)
    .where('provider_order_id', 'is not', null)
    .orderBy('id', 'desc')
    .execute()

const lockedByProviderOrder = preparedFirst(({ database }: QueryCore, id: number) =>
  updateAttempts(database)
    .set((expression) => ({ order_id: expression.ref('order_id') }))
    .where('provider_order_id', '=', id)
    .returningAll(),
)

export async function lockAttemptOfProvider(core: QueryCore, providerOrderId: number) {
  core.database.assertTransaction()
  return lockedByProviderOrder(core, providerOrderId)
}

export const findAttemptByProviderOrder = preparedFirst(({ database }: QueryCore, id: number) =>
  attempts(database).where('provider_order_id', '=', id),
)

export async function findAttemptByAnyProviderOrder(
  { database }: QueryCore,
  providerOrderIds: readonly number[],
): Promise<AttemptRow | undefined> {
  if (providerOrderIds.length === 0) return undefined
  return attempts(database).where('provider_order_id', 'in', providerOrderIds).limit(1).executeTakeFirst()
}

export const findAttemptByIntention = ({ database }: QueryCore, intentionId: string) =>
  attempts(database).where('intention_id', '=', intentionId).executeTakeFirst()

export const findAttemptByReference = ({ database }: QueryCore, reference: string) =>
  attempts(database).where('reference', '=', reference).executeTakeFirst()

// Setting a column to its own value locks the row.
const locked = preparedChanges(({ database }: QueryCore, id: number) =>
  updateAttempts(database)
    .set((expression) => ({ order_id: expression.ref('order_id') }))
    .where('id', '=', id),
)

export async function lockAttempt(core: QueryCore, id: number): Promise<void> {
  core.database.assertTransaction()
  await locked(core, id)
}

export async function lockAttempts({ database }: QueryCore, orderId: number): Promise<void> {
  database.assertTransaction()
  await updateAttempts(database)
    .set((expression) => ({ order_id: expression.ref('order_id') }))
    .where('order_id', '=', orderId)
    .execute()
}

export async function supersedeLiveAttempt({ database }: QueryCore, orderId: number): Promise<void> {
  await updateAttempts(database)
    .set({ state: 'superseded' })
    .where('order_id', '=', orderId)
    .where('state', 'in', liveStates)
    .execute()
}

export async function claimInquiry(
  { database }: QueryCore,
  id: number,
  gapMs: number = attemptRules.inquiryGapMs,
  now: Moment = database.now(),
): Promise<boolean> {
  const at = sql<number>`CAST(${now} AS bigint)`
  return database.wins(
    updateAttempts(database)
      .set({ inquired_at: at })
      .where('id', '=', id)
      .where('inquired_at', '<=', sql<number>`${at} - ${sql.lit(gapMs)}`),
  )
}

/**
 * Makes an inquiry due, at the earliest `gapMs` after the last one. A running inquiry loses its lease, because it
 * possibly asked the provider before the payment.
 * @returns false when an inquiry is already due by then
 */
export async function scheduleInquiryNow(
  { database }: QueryCore,
  id: number,
  gapMs: number = attemptRules.inquiryGapMs,
  now: Moment = database.now(),
): Promise<boolean> {
  const at = sql<number>`CAST(${now} AS bigint)`
  const gap = sql.lit(gapMs)
  const soonest = sql<number>`CASE WHEN inquired_at > ${at} - ${gap} THEN inquired_at + ${gap} ELSE ${at} END`
  return database.wins(
    updateAttempts(database)
      .set(released(soonest))
      .where('id', '=', id)
      .where(sql<boolean>`(due_at IS NULL OR due_at > ${soonest} OR leased_until > ${at})`),
  )
}

export async function leaseInquiry(
  { database, random }: LeasingCore,
  now: Moment = database.now(),
  until: Moment = database.now(attemptRules.leaseMs),
): Promise<Claimed<'payment_attempts'> | undefined> {
  const leases = leasesOf(database)
  const [attempt] = await leases.claim({
    lease: random.uuid(),
    now,
    until,
    most: requestsAtOnce,
    stamp: 'inquired_at',
  })
  return attempt
}

export const readDueInquiries = ({ database }: QueryCore, now?: Moment): Promise<Backlog> =>
  leasesOf(database).backlog(now)

export async function planInquiry(
  { database }: QueryCore,
  { id, lease }: Pick<Claimed<'payment_attempts'>, 'id' | 'lease'>,
  step: number,
  dueAt: number | null,
  reason: string | null = null,
): Promise<void> {
  await leasesOf(database)
    .held(id, lease)
    .set({ ...released(dueAt), inquiry_step: step, last_error: reason })
    .execute()
}

export async function adoptProviderOrder(
  { database }: QueryCore,
  id: number,
  providerOrderId: number,
): Promise<void> {
  await updateAttempts(database)
    .set({ provider_order_id: providerOrderId })
    .where('id', '=', id)
    .where('provider_order_id', 'is', null)
    .execute()
}

export const hasLaterAttempt = (
  { database }: QueryCore,
  orderId: number,
  attemptId: number,
): Promise<boolean> =>
  database.has(
    database.tables
      .selectFrom('payment_attempts')
      .select('id')
      .where('order_id', '=', orderId)
      .where('id', '>', attemptId)
      .limit(1),
  )

export async function erasePaymentsOfOrders(
  { database }: QueryCore,
  orderIds: readonly number[],
): Promise<void> {
  if (orderIds.length === 0) return
  await updateAttempts(database).set({ client_secret: null }).where('order_id', 'in', orderIds).execute()
}

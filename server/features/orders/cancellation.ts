import type { Core } from '#server/core.ts'
import { type Acting, changedByOffice, personalReason, sendEvent } from '#server/features/history/history.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { notCancellable } from '#shared/orders/not-cancellable.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { riyalsOf } from '#shared/platform/money.ts'
import type { PaidOrder } from '#shared/platform/problem.ts'
import { bindLatePayment, endCreations, markCancelled, sumCompensated } from './cancellation.queries.ts'
import {
  type Cancellability,
  type CancellationFacts,
  cancellabilityOf,
  cancellablePaidSince,
} from './cancellation.rules.ts'
import { findOrder, listOrdersToHandOver } from './orders.queries.ts'
import { makeVoid } from './travel.queries.ts'

export interface Cancelling extends Acting {
  /** After an approval, a recorded compensation does not block the cancellation. */
  readonly isApproved?: boolean
}

const readCancellability = ({ config, clock }: Core, row: CancellationFacts) =>
  cancellabilityOf(row, config.CANCELLATION, clock.now())

export const isCancellable = (core: Core, row: CancellationFacts): boolean =>
  readCancellability(core, row) === 'now'

export function assertCancellable(core: Core, row: CancellationFacts): void {
  const why = readCancellability(core, row)
  if (why !== 'now') throw refusalOf(why)
}

export async function findCancellable(
  core: Core,
  rows: readonly (CancellationFacts & { readonly id: number })[],
): Promise<ReadonlySet<number>> {
  const ids = rows.filter((row) => isCancellable(core, row)).map(({ id }) => id)
  const compensated = await sumCompensated(core, ids)
  return new Set(ids.filter((id) => !compensated.has(id)))
}

/**
 * Needs a transaction: `payments` orders the refund in the same transaction.
 * @returns undefined when the order is already cancelled
 * @throws Failure ORDER_NOT_FOUND, ALREADY_HANDED_OVER, CANCELLATION_NOT_OFFERED, ORDER_NOT_CANCELLABLE
 */
export async function cancelUnlocked(
  core: Core,
  userId: number,
  id: number,
  { by, reason, isApproved = false }: Cancelling,
): Promise<{ transactionId: string | null } | undefined> {
  core.database.assertTransaction()
  if (!isApproved) await assertNothingPromised(core, userId, id)
  const now = core.clock.now()
  const terms = core.config.CANCELLATION
  const won = await markCancelled(core, id, userId, cancellablePaidSince(terms, now))
  if (!won) {
    const row = await findOrder(core, id)
    if (row?.user_id !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    const why = cancellabilityOf(row, terms, now)
    if (why === 'done') return undefined
    throw refusalOf(why === 'now' ? 'ended' : why)
  }
  const isPaid = won.transactionId !== null
  await sendEvent(
    core,
    {
      kind: 'order-cancelled',
      data: {
        personal: personalReason(reason),
        ...changedByOffice(by, { status: [isPaid ? 'PAID' : 'PENDING_PAYMENT', 'CANCELLED'] }),
      },
      by,
      orderId: id,
    },
    { notifiesOwner: isPaid },
  )
  if (isPaid) {
    await endCreations(core, id)
    await makeVoid(core, id, now)
  }
  return won
}

async function assertNothingPromised(core: Core, userId: number, id: number) {
  const compensated = (await sumCompensated(core, [id])).get(id) ?? 0
  const row = compensated > 0 ? await findOrder(core, id) : undefined
  if (row?.user_id !== userId) return
  if (cancellabilityOf(row, core.config.CANCELLATION, core.clock.now(), compensated) === 'promised')
    throw refusalOf('promised', compensated)
}

function refusalOf(why: Exclude<Cancellability, 'now'>, compensated = 0): Failure {
  if (why === 'ALREADY_HANDED_OVER' || why === 'CANCELLATION_NOT_OFFERED') return failure(ordersErrors, why)
  return failure(
    ordersErrors,
    'ORDER_NOT_CANCELLABLE',
    notCancellable(why === 'done' ? 'ended' : why, compensated),
  )
}

export async function listUnused(core: Core, userId: number): Promise<PaidOrder[]> {
  const rows = await listOrdersToHandOver(core, userId)
  const cancellable = await findCancellable(core, rows)
  return rows.map((row) => ({
    orderId: row.id,
    amount: riyalsOf(row.amount_halalas),
    cancellable: cancellable.has(row.id),
  }))
}

/** Needs a transaction. @returns true for the first payment of an order that was cancelled before */
export async function markPaidLate(core: Core, id: number, transactionId: string): Promise<boolean> {
  if (!(await bindLatePayment(core, id, transactionId))) return false
  await makeVoid(core, id, core.clock.now())
  return true
}

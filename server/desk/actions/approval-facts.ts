import type { Core } from '#server/core.ts'
import { readNumberRequests } from '#server/desk/orders/number-approvals.ts'
import { listClaimFacts } from '#server/features/claims/claims.queries.ts'
import type { ActedOrder } from '#server/features/operators/operators.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { findOrders } from '#server/features/orders/orders.queries.ts'
import { listPaymentsOfOrders } from '#server/features/payments/payments.queries.ts'
import type { ApprovalAct } from '#shared/platform/desk-words.ts'
import {
  type Check,
  checksOf,
  type FactRows,
  type Facts,
  factsOf,
  factsWithoutOrder,
  type Ledger,
  ledgerOf,
  note,
  type SubjectReading,
} from './actions.rules.ts'
import { type ApprovalRow, lockClaims } from './approvals.queries.ts'

interface Decidable {
  readonly facts: Facts
  readonly checks: readonly Check[]
}

/** Reads the facts of a request, inside a transaction that has locked the order, so that they stay the same. */
export async function readFacts(
  core: Core,
  order: ActedOrder | undefined,
  request: Pick<ApprovalRow, 'act' | 'about' | 'payload'>,
): Promise<Facts> {
  if (!order) {
    const [subject] = await readSubjects(core, request.act, [request])
    return factsWithoutOrder(subject?.state ?? '')
  }
  if (request.act === 'compensation') await lockClaims(core, order.id)
  return factsOf(await readRows(core, order), request)
}

export const readLedger = async (core: Core, order: ActedOrder): Promise<Ledger> =>
  ledgerOf(await readRows(core, order))

export async function readForDecision(
  core: Core,
  requests: readonly ApprovalRow[],
): Promise<ReadonlyMap<number, Decidable>> {
  const ids = new Set(requests.flatMap(({ order_id: orderId }) => orderId ?? []))
  const rows = await readRowsOf(core, await findOrders(core, [...ids]))
  const read = new Map<number, Decidable>()
  for (const request of requests) {
    const own = rows.get(request.order_id ?? 0)
    if (own) read.set(request.id, { facts: factsOf(own, request), checks: checksOf(request, own) })
  }
  const withoutOrder = requests.filter(({ order_id: orderId }) => orderId === null)
  for (const [act, own] of Map.groupBy(withoutOrder, (request) => request.act))
    for (const [index, { state, checks }] of (await readSubjects(core, act, own)).entries())
      read.set(own[index]?.id ?? 0, { facts: factsWithoutOrder(state), checks })
  return read
}

async function readSubjects(
  core: Core,
  act: ApprovalAct,
  rows: readonly Pick<ApprovalRow, 'about' | 'payload'>[],
): Promise<readonly SubjectReading[]> {
  if (act === 'number') return readNumberRequests(core, rows)
  return rows.map(() => ({ state: '', checks: [note('everyone')] }))
}

async function readRows(core: Core, order: ActedOrder): Promise<FactRows> {
  const rows = (await readRowsOf(core, [order])).get(order.id)
  if (!rows) throw new Error(`nothing was read of order ${order.id}`)
  return rows
}

async function readRowsOf(core: Core, orders: readonly ActedOrder[]): Promise<ReadonlyMap<number, FactRows>> {
  const ids = orders.map(({ id }) => id)
  const { attempts, events, refunds } = await listPaymentsOfOrders(core, ids)
  const claims = await listClaimFacts(core, ids)
  const bookings = await findBookings(core, ids)
  const rowsOf = (order: ActedOrder): FactRows => {
    const own = attempts.filter(({ order_id }) => order_id === order.id).map(({ id }) => id)
    return {
      order,
      events: events.filter(({ attempt_id }) => attempt_id !== null && own.includes(attempt_id)),
      refunds: refunds.filter(({ attempt_id }) => own.includes(attempt_id)),
      claims: claims.filter(({ order_id }) => order_id === order.id),
      bookings: bookings.filter(({ order_id }) => order_id === order.id),
    }
  }
  return new Map(orders.map((order) => [order.id, rowsOf(order)]))
}

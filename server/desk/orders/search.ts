import type { Core } from '#server/core.ts'
import { recordViewWithin } from '#server/desk/audit/views.ts'
import { findOrdersByReference } from '#server/features/account/stored-order.queries.ts'
import { type ClaimRow, findClaim } from '#server/features/claims/claims.queries.ts'
import { type Needle, nameNeedlesOf } from '#server/platform/database/name-index.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { maskedName, maskedPhone, maskedQuery } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { claimNumber } from '#shared/claims/claims.operations.ts'
import { type DeskFindings, foundAtMost } from '#shared/desk/orders/desk-orders.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import {
  findOrders,
  findOrdersOfReceiver,
  findPeople,
  listOrdersOfOwners,
  type OrderRow,
  type PersonRow,
} from './desk-orders.queries.ts'
import { assertFree, type ReadQuery, readQuery, staffKey } from './desk-orders.rules.ts'
import { readRows } from './order-list.ts'

const searches = { name: 'desk.searches', limits: [{ count: 60, windowMs: 60_000 }] }

/**
 * Masks names and phones. A search that finds a person or contains a phone is recorded and counted over all gateways.
 * @throws Failure TOO_MANY_CALLS
 */
export async function searchDesk(core: Core, by: Staff, q: string): Promise<DeskFindings> {
  limitCalls(core, searches, staffKey(by))
  const query = readQuery(q)
  const numbered = await findNumbered(core, query)
  const claim = query.claimId === undefined ? undefined : await findClaim(core, query.claimId)
  const isNumber = query.isOrderNumber || query.claimId !== undefined
  const isCertain = isNumber || numbered.some(({ id }) => id !== query.orderId)
  const { people, received } = isCertain ? { people: [], received: [] } : await findPersons(core, q, query)
  const foundPersons = people.length + received.length
  // A search for an unknown phone is recorded, too: the response discloses that the phone has no account.
  if (foundPersons > 0 || (!isCertain && query.phone !== undefined)) {
    const userId = people.length === 1 ? people[0]?.id : undefined
    const view = { by, kind: 'searched', about: maskedQuery(q), userId } as const
    assertFree(await recordViewWithin(core, view, searches.limits))
  }
  const shownPeople = people.slice(0, foundAtMost)
  const userIds = shownPeople.map(({ id }) => id)
  const owned = await listOrdersOfOwners(core, userIds, foundAtMost + 1)
  const orders = newestFirst([...numbered, ...owned, ...(await findOrders(core, received))])
  const [first, ...others] = numbered
  return {
    exact: first !== undefined && others.length === 0 && foundPersons === 0 ? first.id : null,
    orders: await readRows(core, orders.slice(0, foundAtMost)),
    people: shownPeople.map(personOf),
    claims: claim ? [claimOf(claim)] : [],
    more: {
      orders: orders.length > foundAtMost,
      people: people.length > foundAtMost,
    },
  }
}

async function findNumbered(core: Core, { orderId, references }: ReadQuery): Promise<OrderRow[]> {
  const ids = new Set(orderId === undefined ? [] : [orderId])
  for (const reference of references)
    for (const id of await findOrdersByReference(core, reference)) ids.add(id)
  return findOrders(core, [...ids])
}

async function findPersons(core: Core, q: string, { phone, phoneEnd }: ReadQuery) {
  const find = async (name: Needle | undefined) => ({
    people: await findPeople(core, { phone, phoneEnd, name }, foundAtMost + 1),
    received: await findOrdersOfReceiver(core, { phone, phoneEnd, name }, foundAtMost + 1),
  })
  const [name, wider] = /\p{L}/u.test(q) ? nameNeedlesOf(q) : []
  const found = await find(name)
  const isFound = found.people.length + found.received.length > 0
  return isFound || wider === undefined ? found : find(wider)
}

const newestFirst = (rows: readonly OrderRow[]) =>
  [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) => other.id - one.id)

const personOf = ({ id, name, phone, created_at }: PersonRow) => ({
  userId: id,
  name: maskedName(name),
  phone: maskedPhone(phone),
  createdAt: isoOf(created_at),
})

const claimOf = ({ id, order_id, kind, state }: ClaimRow) => ({
  claimId: id,
  number: claimNumber(id),
  orderId: order_id,
  kind,
  state,
})

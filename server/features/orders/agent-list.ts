import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { findOwners, findUserIdByPhone } from '#server/features/users/users.ts'
import { type CallLimit, limitCalls } from '#server/platform/limits.ts'
import type { AgentOrderState, ListOrder } from '#shared/orders/orders.schemas.ts'
import { findWithContacts } from './agent-contacts.ts'
import { type AgentPageRequest, countOrdersOfAgent, listOrdersOfAgent } from './agent-list.queries.ts'
import {
  agentPartsOf,
  agentStateOf,
  filterFor,
  isForAgent,
  isNothing,
  needleFor,
  type Searchable,
  type SearchCriteria,
  wholeNumbersOf,
} from './agent-list.rules.ts'
import { findBookings, findOrderByAwb } from './bookings.queries.ts'
import { findOrder, listOrdersOfUser, type OrderRow } from './orders.queries.ts'

interface AgentListRequest extends SearchCriteria {
  readonly state: AgentOrderState | undefined
  readonly order: ListOrder
  readonly after: number | undefined
  readonly limit: number
  readonly session: string
}

interface FoundRows {
  readonly rows: readonly OrderRow[]
  readonly next: number | null
}

/** A query reads at most this many orders, because a query on SQLite blocks other requests. */
const windowSize = 500
/** A query by text reads fewer orders, because nearly all of them match. */
const foundAtOnce = 100
/** A request examines at most this many orders, so that no agent waits longer. */
export const examinedPerCall = 5_000
const ordersOfPhone = 100
/**
 * A search for one or two letters can take a third of a second. A complete number has no limit, so that an agent can
 * scan any number of bags.
 */
const searches: CallLimit = {
  name: 'orders.searches',
  limits: [{ count: 30, windowMs: 60_000 }],
}

/**
 * Finds the agent's orders by a complete number or by text. This function compares orders from the text index again,
 * because an agent must not find an order by a hidden name.
 * @throws Failure TOO_MANY_CALLS
 */
export async function findAgentOrders(
  core: Core,
  agentCode: string,
  { q, city, state, order, after, limit, session }: AgentListRequest,
): Promise<FoundRows> {
  if (isNothing(q)) return { rows: [], next: null }
  const parts = agentPartsOf(state)
  const filter = filterFor({ q, city })
  if (!filter) {
    const rows = await listOrdersOfAgent(core, agentCode, { parts, order, after, limit: limit + 1 })
    return pageOf(rows, limit)
  }
  const isNewestFirst = order === 'newest'
  const { rows, isCertain } = await findWhole(core, agentCode, q)
  const inCity = filterFor({ q: '', city })
  const exact = (await toSearchable(core, rows))
    .filter((each) => parts.includes(each.row.handed_over) && (inCity?.(each) ?? true))
    .map(({ row }) => row)
    .sort((one, other) => (isNewestFirst ? other.id - one.id : one.id - other.id))
  if (isCertain)
    return pageOf(
      exact.filter(({ id }) => after === undefined || (isNewestFirst ? id < after : id > after)),
      limit,
    )

  const first = exact.length < limit ? exact : []
  const shown = after === undefined ? first : []
  const page = { parts, order, after, limit: limit - shown.length, needle: needleFor({ q, city }) }
  limitCalls(core, searches, session)
  const rest = await core.searchTurns(session, () =>
    scanOrders(core, agentCode, page, (each) => !first.some(({ id }) => id === each.orderId) && filter(each)),
  )
  return { rows: [...shown, ...rest.rows], next: rest.next }
}

export async function countAgentOrders(
  core: Core,
  agentCode: string,
): Promise<Record<AgentOrderState, number>> {
  const counts = { waiting: 0, received: 0, refused: 0 }
  for (const [handedOver, count] of await countOrdersOfAgent(core, agentCode))
    counts[agentStateOf[handedOver]] += count
  return counts
}

async function scanOrders(
  core: Core,
  agentCode: string,
  { limit, ...page }: AgentPageRequest,
  isWanted: (order: Searchable) => boolean,
): Promise<FoundRows> {
  const rows: OrderRow[] = []
  const atOnce = page.needle ? foundAtOnce : windowSize
  let last = page.after
  for (let count = 0; count < examinedPerCall; count += atOnce) {
    const window = await listOrdersOfAgent(core, agentCode, { ...page, after: last, limit: atOnce })
    for (const each of await toSearchable(core, window)) {
      if (isWanted(each)) {
        if (rows.length === limit) return { rows, next: last ?? null }
        rows.push(each.row)
      }
      last = each.orderId
    }
    if (window.length < atOnce) return { rows, next: null }
    await nextTurn()
  }
  return { rows, next: last ?? null }
}

/** `isCertain` is true when the query can only be a complete number, so no text search follows. */
async function findWhole(core: Core, agentCode: string, q: string) {
  const { orderId, isOrderNumber, awb, phone } = wholeNumbersOf(q)
  const find = async (id: number | undefined) => (id === undefined ? undefined : findOrder(core, id))
  const own = (rows: readonly (OrderRow | undefined)[]) =>
    rows.filter((row) => row?.agent_code === agentCode && isForAgent(row)) as OrderRow[]
  const [numbered, billed] = await core.database.together(() =>
    Promise.all([
      isOrderNumber ? find(orderId) : undefined,
      awb === undefined ? undefined : findOrderByAwb(core, awb),
    ]),
  )
  const ofPhone = phone === undefined ? [] : await listOfPhone(core, phone)
  const certain = own([numbered, billed, ...ofPhone])
  const isCertain = certain.length > 0
  return { rows: isCertain ? certain : own([await find(orderId)]), isCertain }
}

/** Leaves out orders whose names are hidden, so that their phone looks unknown. */
async function listOfPhone(core: Core, phone: string): Promise<OrderRow[]> {
  const userId = await findUserIdByPhone(core, phone)
  if (userId === undefined) return []
  const rows = await listOrdersOfUser(core, userId, { limit: ordersOfPhone })
  const shown = await findWithContacts(core, rows, await bagsOf(core, rows))
  return rows.filter(({ id }) => shown.has(id))
}

export async function bagsOf(core: Core, rows: readonly OrderRow[]) {
  const ids = rows.map(({ id }) => id)
  return Map.groupBy(await findBookings(core, ids), (row) => row.order_id)
}

async function toSearchable(core: Core, rows: readonly OrderRow[]) {
  const [bags, found] = await core.database.together(() =>
    Promise.all([
      bagsOf(core, rows),
      findOwners(
        core,
        rows.map(({ id }) => id),
      ),
    ]),
  )
  const shown = await findWithContacts(core, rows, bags)
  return rows.map((row) => {
    const isShown = shown.has(row.id)
    const user = isShown ? found.get(row.user_id) : undefined
    const bookings = bags.get(row.id) ?? []
    return {
      row,
      orderId: row.id,
      type: row.type,
      name: user?.name,
      phone: user?.phone,
      // The airway bill can name any person, so that name is hidden, too.
      bookings: isShown ? bookings : bookings.map((booking) => ({ ...booking, receiver: null })),
    }
  })
}

function pageOf(rows: readonly OrderRow[], limit: number): FoundRows {
  const shown = rows.slice(0, limit)
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

export async function findListingAgent(core: Core, id: number): Promise<string | undefined> {
  const row = await findOrder(core, id)
  return row && isForAgent(row) ? row.agent_code : undefined
}

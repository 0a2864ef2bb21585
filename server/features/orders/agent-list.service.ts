import { setImmediate as nextTurn } from 'node:timers/promises'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import { createTurns } from '#server/platform/turns.ts'
import type { AgentOrderState, ListOrder } from '#shared/orders/orders.schemas.ts'
import type { AgentContacts } from './agent-contacts.service.ts'
import {
  agentPartsOf,
  agentStateOf,
  filterFor,
  isForAgent,
  isNothing,
  needleFor,
  type Searchable,
  wholeNumbersOf,
} from './agent-list.rules.ts'
import type { BookingRow } from './bookings.store.ts'
import type { OrderRow, OrdersStore } from './orders.store.ts'

export interface AgentListDeps {
  readonly store: OrdersStore
  readonly users: Pick<UsersService, 'findUsers' | 'findIdByPhone'>
  /** By whose names and phones the agent may search. */
  readonly contacts: Pick<AgentContacts, 'findShown'>
  readonly clock: Clock
}

interface AgentListRequest {
  readonly q: string
  readonly state: AgentOrderState | undefined
  /** Of the branch, as the partner spells it. */
  readonly city: string | undefined
  readonly order: ListOrder
  /** The last order that the earlier pages have examined. */
  readonly after: number | undefined
  readonly limit: number
  /** Of the agent, for the limit of searches. */
  readonly session: string
}

interface FoundRows {
  readonly rows: readonly OrderRow[]
  /** Where the next page begins; null after the last one. */
  readonly next: number | null
}

/** Orders per query: on SQLite a query blocks all other requests. */
const windowSize = 500
/** Orders per query with a needle: nearly all that the database finds belong on the page. */
const foundAtOnce = 100
/** Orders that one call examines, so that its duration does not grow with the number of the agent's orders. */
export const examinedPerCall = 5_000
/** How many orders of the user are examined when the query is a whole phone number. */
const ordersOfPhone = 100
/**
 * Searches of a session: one for less than three letters may take a third of a second of the processor. A whole number is no
 * search, so scanning bags is not limited.
 */
const searchesPerSession = [{ count: 30, windowMs: 60_000 }]

/**
 * The list of an agent. The whole number of an order, airway bill or phone is found by its index, and three letters or more by
 * the database. Shorter ones are compared with the orders of this agent. Orders come a window at a time, in the requested
 * order, and other requests are answered between two windows. Each order is compared here again, because an agent may find no
 * order by a name that it is not shown.
 */
export function createAgentList({ store, users, contacts, clock }: AgentListDeps) {
  const searches = createCallLimit<string>(searchesPerSession, clock)
  /** A search begins when the one before it of the same session has ended. */
  const inTurn = createTurns<string>()

  /** @throws Failure TOO_MANY_CALLS */
  async function find(agentCode: string, request: AgentListRequest): Promise<FoundRows> {
    const { q, city, order, after, limit } = request
    if (isNothing(q)) return { rows: [], next: null }
    const parts = agentPartsOf(request.state)
    const filter = filterFor({ q, city })
    if (!filter)
      return pageOf(await store.listOfAgent(agentCode, { parts, order, after, limit: limit + 1 }), limit)

    const isAsked = ({ handed_over }: OrderRow) =>
      request.state === undefined || agentStateOf[handed_over] === request.state
    const whole = await findWhole(agentCode, q)
    const inCity = filterFor({ q: '', city })
    const exact = (await searchable(whole.rows))
      .filter((each) => isAsked(each.row) && (inCity?.(each) ?? true))
      .map(({ row }) => row)
      .sort(({ id: a }, { id: b }) => (isBefore(a, b, order) ? -1 : 1))
    if (whole.isCertain)
      return pageOf(
        exact.filter(({ id }) => after === undefined || isBefore(after, id, order)),
        limit,
      )

    // Exact matches come first, on the first page only. If one page cannot hold them all, they stay in order.
    const first = exact.length < limit ? exact : []
    const shown = after === undefined ? first : []
    const isShown = new Set(first.map(({ id }) => id))
    const page = { parts, order, after, limit: limit - shown.length, needle: needleFor({ q, city }) }
    countCall(searches, request.session)
    const rest = await inTurn(request.session, () =>
      scanOrders(agentCode, page, (each) => (isShown.has(each.orderId) ? false : filter(each))),
    )
    return { rows: [...shown, ...rest.rows], next: rest.next }
  }

  async function scanOrders(
    agentCode: string,
    { limit, ...page }: Parameters<OrdersStore['listOfAgent']>[1],
    isWanted: (order: Searchable) => boolean,
  ): Promise<FoundRows> {
    const rows: OrderRow[] = []
    const atOnce = page.needle ? foundAtOnce : windowSize
    let last = page.after
    for (let count = 0; count < examinedPerCall; count += atOnce) {
      const window = await store.listOfAgent(agentCode, { ...page, after: last, limit: atOnce })
      for (const each of await searchable(window)) {
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

  /** The agent's orders of which `q` is the whole number. `isCertain`: it cannot be anything else, so no search follows. */
  async function findWhole(agentCode: string, q: string): Promise<{ rows: OrderRow[]; isCertain: boolean }> {
    const { orderId, isOrderNumber, awb, phone } = wholeNumbersOf(q)
    const booking = awb === undefined ? undefined : await store.findBookingByAwb(awb)
    const userId = phone === undefined ? undefined : await users.findIdByPhone(phone)
    const certain = own([
      ...(isOrderNumber ? [await findRow(orderId)] : []),
      await findRow(booking?.order_id),
      ...(await listOfOwner(userId)),
    ])
    if (certain.length > 0) return { rows: certain, isCertain: true }
    return { rows: own([await findRow(orderId)]), isCertain: false }

    function own(rows: readonly (OrderRow | undefined)[]): OrderRow[] {
      return rows
        .filter((row) => row !== undefined)
        .filter((row) => row.agent_code === agentCode && isForAgent(row))
    }
  }

  /** The orders of a phone that this agent is shown it of: the others are as those of an unknown one. */
  async function listOfOwner(userId: number | undefined): Promise<OrderRow[]> {
    if (userId === undefined) return []
    const rows = await store.listOfUser(userId, { limit: ordersOfPhone })
    const shown = await contacts.findShown(rows, await bagsOf(rows))
    return rows.filter(({ id }) => shown.has(id))
  }

  const bagsOf = async (rows: readonly OrderRow[]) =>
    Map.groupBy(await store.findBookings(rows.map(({ id }) => id)), (row) => row.order_id)

  const findRow = async (id: number | undefined) => (id === undefined ? undefined : store.findOrder(id))

  async function searchable(rows: readonly OrderRow[]): Promise<(Searchable & { readonly row: OrderRow })[]> {
    const bags = await bagsOf(rows)
    const shown = await contacts.findShown(rows, bags)
    const isShown = ({ id }: OrderRow) => shown.has(id)
    const found = await users.findUsers(rows.filter(isShown).map((row) => row.user_id))
    return rows.map((row) => {
      const user = isShown(row) ? found.get(row.user_id) : undefined
      const bookings = bags.get(row.id) ?? []
      return {
        row,
        orderId: row.id,
        type: row.type,
        name: user?.name,
        phone: user?.phone,
        bookings: isShown(row) ? bookings : bookings.map(withoutReceiver),
      }
    })
  }

  return {
    find,
    async count(agentCode: string): Promise<Record<AgentOrderState, number>> {
      const counts = { waiting: 0, received: 0, refused: 0 }
      for (const { handedOver, count } of await store.countOfAgent(agentCode))
        counts[agentStateOf[handedOver]] += count
      return counts
    },
  }
}

/** The name on the airway bill may be anybody's. */
const withoutReceiver = (booking: BookingRow) => ({ ...booking, receiver: null })

/** `rows` was read with one row more than a page: if it is there, there is a next page. */
function pageOf(rows: readonly OrderRow[], limit: number): FoundRows {
  const shown = rows.slice(0, limit)
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

function isBefore(id: number, other: number, order: ListOrder): boolean {
  return order === 'newest' ? id > other : id < other
}

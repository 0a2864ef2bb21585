import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { changedBetween } from '#server/features/history/acts.ts'
import type { PartnerService } from '#server/features/partner/partner.feature.ts'
import type { UsersService } from '#server/features/sessions/sessions.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { csvOf } from '#server/platform/csv.ts'
import { type Needle, nameNeedlesOf } from '#server/platform/database/name-index.ts'
import { countCall, createCallLimit, tooManyCalls } from '#server/platform/limits.ts'
import { maskedName, maskedPhone, maskedQuery } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { claimNumber } from '#shared/claims/claims.schemas.ts'
import { listDeskOrders } from '#shared/desk-orders/desk-orders.operations.ts'
import {
  type DeskFindings,
  type DeskOrderRow,
  type DeskOrdersQuery,
  foundAtMost,
} from '#shared/desk-orders/desk-orders.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { stateOfCarriage } from '#shared/orders/travel.rules.ts'
import { isSameCity } from '#shared/platform/city-names.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import { cursorOf, cursorText, endsOf, readQuery, sinceOf } from './desk-orders.rules.ts'
import type { ClaimFound, DeskOrdersStore, OrderRow, PersonRow } from './desk-orders.store.ts'
import { type CsvRow, csvColumns, csvNote } from './orders-csv.rules.ts'

export interface SearchDeps {
  readonly store: DeskOrdersStore
  readonly users: Pick<UsersService, 'findUsers'>
  readonly partner: Pick<PartnerService, 'listCenters'>
  readonly audit: Pick<AuditService, 'recordView' | 'recordWithin' | 'findWait'>
  readonly readings: Core['readings']
  readonly clock: Clock
  /** Begins the addresses in files. */
  readonly publicUrl: string
}

/** A person looks for callers; more is no search. */
const searchesPerPerson = [{ count: 60, windowMs: 60_000 }]

const hour = 60 * 60_000
/** Readings of the list of orders, with any filters and cursor. More readings than these are no work. */
const listsPerPerson = { count: 60, windowMs: hour }
/** Each reading from the tenth within an hour is recorded. */
const firstRecordedList = 10
const filesPerPerson = [{ count: 10, windowMs: 24 * hour }]

/** Orders that one call of the list examines, a window at a time: one with a state may have to pass many. */
export const windows = { rows: 500, examined: 5_000 }

export const keyOf = ({ issuer, subject }: Pick<Staff, 'issuer' | 'subject'>) => `${issuer} ${subject}`

export interface OrdersPage {
  readonly orders: readonly OrderRow[]
  /** Where the next page begins; null after the last one. */
  readonly nextCursor: string | null
  readonly examined: number
}

/** Searches and lists of the desk. */
export function createSearch(deps: SearchDeps) {
  const rowsOf = createRows(deps)
  return { ...createFinding(deps, rowsOf), ...createList(deps, rowsOf) }
}

/** @param waitMs until this person may go on @throws Failure TOO_MANY_CALLS */
function demandFree(waitMs: number | undefined): void {
  if (waitMs !== undefined) throw tooManyCalls(waitMs)
}

type Rows = ReturnType<typeof createRows>

/** Orders as lists show them. */
function createRows({ store, users }: SearchDeps) {
  return async (orders: readonly OrderRow[]): Promise<DeskOrderRow[]> => {
    const bags = Map.groupBy(await store.listBags(orders.map(({ id }) => id)), (bag) => bag.order_id)
    const owners = await users.findUsers(orders.map(({ user_id }) => user_id))
    return orders.map((order) => {
      const own = bags.get(order.id) ?? []
      const { agent, branch } = endsOf(order.type, own[0])
      return {
        orderId: order.id,
        status: statusOf(order),
        type: order.type,
        amountHalalas: order.amount_halalas,
        currency: order.currency,
        createdAt: isoOf(order.created_at),
        paidAt: order.paid_at === null ? null : isoOf(order.paid_at),
        agentCode: order.agent_code,
        agentName: agent?.name ?? null,
        centerCode: order.center_code,
        city: branch?.city ?? null,
        owner: ownerOf(owners.get(order.user_id)),
        bags: own.map((bag) => ({
          awb: bag.awb,
          state: stateOfCarriage[bag.carriage],
          lastEventAt: bag.last_event_at === null ? null : isoOf(bag.last_event_at),
        })),
      }
    })
  }
}

const ownerOf = (user: User | undefined): DeskOrderRow['owner'] =>
  user ? { userId: user.id, name: maskedName(user.name ?? ''), phone: maskedPhone(user.phone ?? '') } : null

function createFinding({ store, audit, clock }: SearchDeps, rowsOf: Rows) {
  const searches = createCallLimit<string>(searchesPerPerson, clock)

  async function findPersons(q: string, { phone, phoneEnd }: ReturnType<typeof readQuery>) {
    const find = async (name: Needle | undefined) => ({
      people: await store.findPeople({ phone, phoneEnd, name }, foundAtMost + 1),
      received: await store.findByReceiver({ phone, phoneEnd, name }, foundAtMost + 1),
    })
    const [name, wider] = /\p{L}/u.test(q) ? nameNeedlesOf(q) : []
    const found = await find(name)
    const isFound = found.people.length + found.received.length > 0
    return isFound || wider === undefined ? found : find(wider)
  }

  async function findNumbered({ orderId, references }: ReturnType<typeof readQuery>) {
    const ids = new Set(orderId === undefined ? [] : [orderId])
    for (const reference of references) for (const id of await store.findByReference(reference)) ids.add(id)
    return store.findOrders([...ids])
  }

  return {
    /**
     * What a query may mean, masked. A search that finds a person, or asks for a phone, is recorded before it is answered: those
     * count on all gateways together, the others on each.
     * @throws Failure TOO_MANY_CALLS
     */
    async search(by: Staff, q: string): Promise<DeskFindings> {
      countCall(searches, keyOf(by))
      const query = readQuery(q)
      const numbered = await findNumbered(query)
      const claim = query.claimId === undefined ? undefined : await store.findClaim(query.claimId)
      // A number with its prefix, an airway bill or a reference is no phone and no name.
      const isNumber = query.isOrderNumber || query.claimId !== undefined
      const isCertain = isNumber || numbered.some(({ id }) => id !== query.orderId)
      const { people, received } = isCertain ? { people: [], received: [] } : await findPersons(q, query)
      // Whether a phone has an account is told by its absence, too.
      const isOfPerson = people.length + received.length > 0 || (!isCertain && query.phone !== undefined)
      if (isOfPerson) {
        const only = people.length === 1 ? people[0] : undefined
        const view = { by, kind: 'searched', about: maskedQuery(q), userId: only?.id } as const
        demandFree(await audit.recordWithin(view, searchesPerPerson))
      }
      const owned = await store.listOfOwners(
        people.slice(0, foundAtMost).map(({ id }) => id),
        foundAtMost + 1,
      )
      const orders = newestFirst([...numbered, ...owned, ...(await store.findOrders(received))])
      const [first, ...others] = numbered
      const isExact = first !== undefined && others.length === 0 && people.length + received.length === 0
      return {
        exact: isExact ? first.id : null,
        orders: await rowsOf(orders.slice(0, foundAtMost)),
        people: people.slice(0, foundAtMost).map(personOf),
        claims: claim ? [claimOf(claim)] : [],
        more: { orders: orders.length > foundAtMost, people: people.length > foundAtMost },
      }
    },
  }
}

/** Each once. */
const newestFirst = (rows: readonly OrderRow[]) =>
  [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) => other.id - one.id)

const personOf = ({ id, name, phone, created_at }: PersonRow) => ({
  userId: id,
  name: maskedName(name),
  phone: maskedPhone(phone),
  createdAt: isoOf(created_at),
})

const claimOf = ({ id, order_id, kind, state }: ClaimFound) => ({
  claimId: id,
  number: claimNumber(id),
  orderId: order_id,
  kind,
  state,
})

const defaultPageSize = 50

/** Orders of a file, of each read for it, and those that are examined for it: with a state it may have to pass many. */
const csvRows = 20_000
const csvPage = 500
const csvExamined = 100_000

export interface OrdersFile {
  readonly csv: string
  /** Says whether it holds all. */
  readonly name: string
  readonly nextCursor: string | null
}

function createList({ store, partner, audit, readings, publicUrl }: SearchDeps, rowsOf: Rows) {
  /** @throws Failure TOO_MANY_CALLS */
  async function countList(by: Staff, query: DeskOrdersQuery): Promise<void> {
    const { used, waitMs } = await readings.take(`orders-list ${keyOf(by)}`, [randomUUID()], listsPerPerson)
    const view = { by, kind: 'orders-listed', changed: changedBetween({}, query) } as const
    if (used >= firstRecordedList) await audit.recordView(view, waitMs)
    demandFree(waitMs)
  }

  /** Codes of the branches that are asked for; undefined for all. */
  async function centersOf({ branch, city }: DeskOrdersQuery): Promise<readonly string[] | undefined> {
    if (city === undefined) return branch === undefined ? undefined : [branch]
    const { rows } = await partner.listCenters()
    const codes = rows.filter((center) => isSameCity(center.city, city)).map(({ code }) => code)
    return branch === undefined ? codes : codes.filter((code) => code === branch)
  }

  async function withState(orders: readonly OrderRow[], state: DeskOrdersQuery['state']) {
    if (state === undefined) return orders
    const bags = Map.groupBy(await store.listBags(orders.map(({ id }) => id)), (bag) => bag.order_id)
    return orders.filter((order) =>
      bags.get(order.id)?.some((bag) => stateOfCarriage[bag.carriage] === state),
    )
  }

  /** Orders as asked for, at most `limit`, of those that one call examines. */
  async function listPage(query: DeskOrdersQuery, limit: number): Promise<OrdersPage> {
    const centers = await centersOf(query)
    const request = { status: query.status, agent: query.agent, centers, since: sinceOf(query.from) }
    const found: OrderRow[] = []
    let before = cursorOf(query.cursor, query.to)
    let examined = 0
    while (examined < windows.examined) {
      const missing = limit - found.length
      const size = query.state === undefined ? Math.min(missing + 1, windows.rows) : windows.rows
      const window = await store.listOrders({ ...request, before, limit: size })
      examined += windows.rows
      const wanted = await withState(window, query.state)
      found.push(...wanted.slice(0, missing))
      const [end, last] = [window.at(-1), found.at(-1)]
      if (wanted.length > missing && last) return { orders: found, nextCursor: cursorText(last), examined }
      if (!end || window.length < size) return { orders: found, nextCursor: null, examined }
      before = { createdAt: end.created_at, id: end.id }
      // SQLite answers synchronously: let other requests run between two windows.
      await nextTurn()
    }
    const nextCursor = cursorText({ created_at: before.createdAt, id: before.id })
    return { orders: found, nextCursor, examined }
  }

  const nextOf = (query: DeskOrdersQuery, cursor: string) =>
    `${publicUrl}${listDeskOrders.path}?${new URLSearchParams({ ...query, format: 'csv', cursor })}`

  return {
    /**
     * A page of orders. With a state it may hold fewer than asked for, also none, and still have a next one. Each reading of
     * a person counts, on all gateways together.
     * @throws Failure TOO_MANY_CALLS
     */
    async listOrders(
      by: Staff,
      query: DeskOrdersQuery,
    ): Promise<{ orders: DeskOrderRow[]; nextCursor: string | null }> {
      await countList(by, query)
      const { orders, nextCursor } = await listPage(query, Number(query.limit ?? defaultPageSize))
      return { orders: await rowsOf(orders), nextCursor }
    },

    /**
     * The orders as a file without names and phones, at most `csvRows` of them, and where the next file begins, which its last
     * line says, too. It is recorded before it is answered. @param most orders that are examined for it
     * @throws Failure TOO_MANY_CALLS
     */
    async exportCsv(
      by: Staff,
      query: DeskOrdersQuery,
      language: LanguageCode,
      most = csvExamined,
    ): Promise<OrdersFile> {
      const view = { by, kind: 'exported', changed: changedBetween({}, query) } as const
      // Before the work, and once more when it is recorded: several may be asked for at the same moment.
      demandFree(await audit.findWait(view, filesPerPerson))
      const rows: CsvRow[] = []
      let examined = 0
      let cursor: string | null = query.cursor ?? null
      do {
        const page: OrdersPage = await listPage({ ...query, ...(cursor !== null && { cursor }) }, csvPage)
        const returned = await store.sumReturned(page.orders.map(({ id }) => id))
        for (const row of await rowsOf(page.orders))
          rows.push({ row, returned: returned.get(row.orderId) ?? 0 })
        cursor = page.nextCursor
        examined += page.examined
      } while (cursor !== null && rows.length < csvRows && examined < most)
      demandFree(await audit.recordWithin({ ...view, about: `${rows.length} orders` }, filesPerPerson))
      const note =
        cursor === null ? undefined : csvNote(cursorOf(cursor, undefined), nextOf(query, cursor), language)
      return {
        csv: csvOf(csvColumns[language], rows, language, note),
        name: `amtiati-orders${cursor === null && query.cursor === undefined ? '' : '-part'}.csv`,
        nextCursor: cursor,
      }
    },
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Core } from '#server/core.ts'
import { findWait, recordView, recordViewWithin } from '#server/desk/audit/views.ts'
import { changedBetween } from '#server/features/history/acts.ts'
import { listCenters } from '#server/features/partner/partner.ts'
import { findUsers } from '#server/features/users/users.ts'
import { csvOf } from '#server/platform/csv.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { listDeskOrders } from '#shared/desk/orders/desk-orders.api.ts'
import type { DeskOrderRow, DeskOrdersQuery } from '#shared/desk/orders/desk-orders.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import { stateOfCarriage } from '#shared/orders/travel.rules.ts'
import { isSameCity } from '#shared/platform/city-names.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { listBags, listOrders, type OrderRow, sumReturned } from './desk-orders.queries.ts'
import { assertFree, cursorOf, cursorText, endsOf, sinceOf, staffKey } from './desk-orders.rules.ts'
import { type CsvRow, csvColumns, csvNote } from './orders-csv.rules.ts'

const hour = 60 * 60_000
const listsPerPerson = { count: 60, windowMs: hour }
const firstRecordedList = 10
const filesPerPerson = [{ count: 10, windowMs: 24 * hour }]

const defaultPageSize = 50

export const windows = { rows: 500, examined: 5_000 }

const csvRows = 20_000
const csvPage = 500
const csvExamined = 100_000

/**
 * Lists orders. With a `state`, a page can be short or empty although a next page exists.
 * @throws Failure TOO_MANY_CALLS
 */
export async function listOrdersForStaff(core: Core, by: Staff, query: DeskOrdersQuery) {
  const { used, waitMs } = await core.readings.take(
    `orders-list ${staffKey(by)}`,
    [core.random.uuid()],
    listsPerPerson,
  )
  const view = { by, kind: 'orders-listed', changed: changedBetween({}, query) } as const
  if (used >= firstRecordedList) await recordView(core, view, waitMs)
  assertFree(waitMs)
  const { orders, nextCursor } = await listPage(core, query, Number(query.limit ?? defaultPageSize))
  return { orders: await readRows(core, orders), nextCursor }
}

/** `nextCursor` and the last line of the CSV file say where the next file begins. @throws Failure TOO_MANY_CALLS */
export async function exportCsv(
  core: Core,
  by: Staff,
  query: DeskOrdersQuery,
  language: LanguageCode,
  most = csvExamined,
) {
  const view = { by, kind: 'exported', changed: changedBetween({}, query) } as const
  // Exports can run simultaneously, so the limit is checked again when the export is recorded.
  assertFree(await findWait(core, view, filesPerPerson))
  const rows: CsvRow[] = []
  let examined = 0
  let cursor: string | null = query.cursor ?? null
  do {
    const page: OrdersPage = await listPage(core, { ...query, ...(cursor !== null && { cursor }) }, csvPage)
    const returned = await sumReturned(core, idsOf(page.orders))
    for (const row of await readRows(core, page.orders))
      rows.push({ ...row, returned: returned.get(row.orderId) ?? 0 })
    cursor = page.nextCursor
    examined += page.examined
  } while (cursor !== null && rows.length < csvRows && examined < most)
  assertFree(await recordViewWithin(core, { ...view, about: `${rows.length} orders` }, filesPerPerson))
  const note =
    cursor === null
      ? undefined
      : csvNote(cursorOf(cursor, undefined), addressOfNext(core, query, cursor), language)
  return {
    csv: csvOf(csvColumns[language], rows, language, note),
    name: `amtiati-orders${cursor === null && query.cursor === undefined ? '' : '-part'}.csv`,
    nextCursor: cursor,
  }
}

const addressOfNext = ({ config }: Core, query: DeskOrdersQuery, cursor: string) =>
  `${config.PUBLIC_URL}${listDeskOrders.path}?${new URLSearchParams({ ...query, format: 'csv', cursor })}`

interface OrdersPage {
  readonly orders: readonly OrderRow[]
  readonly nextCursor: string | null
  readonly examined: number
}

async function listPage(core: Core, query: DeskOrdersQuery, limit: number): Promise<OrdersPage> {
  const { status, agent, state } = query
  const filter = { status, agent, centers: await listBranches(core, query), since: sinceOf(query.from) }
  const found: OrderRow[] = []
  let before = cursorOf(query.cursor, query.to)
  let examined = 0
  while (examined < windows.examined) {
    const missing = limit - found.length
    const size = state === undefined ? Math.min(missing + 1, windows.rows) : windows.rows
    const window = await listOrders(core, { ...filter, before, limit: size })
    examined += windows.rows
    const wanted = await withState(core, window, state)
    found.push(...wanted.slice(0, missing))
    const [end, last] = [window.at(-1), found.at(-1)]
    if (wanted.length > missing && last)
      return { orders: found, nextCursor: cursorText(placeOf(last)), examined }
    if (!end || window.length < size) return { orders: found, nextCursor: null, examined }
    before = placeOf(end)
    // SQLite answers synchronously; other requests run between two queries.
    await nextTurn()
  }
  return { orders: found, nextCursor: cursorText(before), examined }
}

const placeOf = ({ created_at: createdAt, id }: OrderRow) => ({ createdAt, id })

async function listBranches(
  core: Core,
  { branch, city }: DeskOrdersQuery,
): Promise<readonly string[] | undefined> {
  if (city === undefined) return branch === undefined ? undefined : [branch]
  const { rows } = await listCenters(core)
  const codes = rows.filter((center) => isSameCity(center.city, city)).map(({ code }) => code)
  return branch === undefined ? codes : codes.filter((code) => code === branch)
}

async function withState(core: Core, orders: readonly OrderRow[], state: DeskOrdersQuery['state']) {
  if (state === undefined) return orders
  const bags = await listBags(core, idsOf(orders))
  return orders.filter(({ id }) => bags.get(id)?.some((bag) => stateOfCarriage[bag.carriage] === state))
}

const idsOf = (orders: readonly OrderRow[]) => orders.map(({ id }) => id)

export async function readRows(core: Core, orders: readonly OrderRow[]): Promise<DeskOrderRow[]> {
  const bags = await listBags(core, idsOf(orders))
  const owners = await findUsers(
    core,
    orders.map(({ user_id }) => user_id),
  )
  return orders.map((order) => {
    const own = bags.get(order.id) ?? []
    const { agent, branch } = endsOf(order.type, own[0])
    const owner = owners.get(order.user_id)
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
      owner: owner
        ? { userId: owner.id, name: maskedName(owner.name ?? ''), phone: maskedPhone(owner.phone ?? '') }
        : null,
      bags: own.map((bag) => ({
        awb: bag.awb,
        state: stateOfCarriage[bag.carriage],
        lastEventAt: bag.last_event_at === null ? null : isoOf(bag.last_event_at),
      })),
    }
  })
}

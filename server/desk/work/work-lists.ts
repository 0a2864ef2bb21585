import type { Core } from '#server/core.ts'
import { failure } from '#server/platform/errors.ts'
import { factsIn } from '#server/platform/fact-texts.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { workErrors } from '#shared/desk/work/work.errors.ts'
import type { WorkFilter, WorkList, WorkOverview, WorkRow } from '#shared/desk/work/work.schemas.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { stateOfCarriage } from '#shared/orders/travel.rules.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { type WorkKind, workKinds } from '#shared/platform/desk-words.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { currency } from '#shared/platform/money.ts'
import {
  findTaken,
  listAgentAlerts,
  listAlarms,
  listBags,
  listFailedMessages,
  listFindings,
  listLastScans,
  listLateLabels,
  listLateRefunds,
  listOpenClaims,
  listPeople,
  listRefused,
  listSilentBags,
  listStoppedLabels,
  listTaken,
  listUnresolvedPayments,
  listWaitingApprovals,
  type Person,
  type RowKey,
  type RowsOf,
  type TakenRow,
} from './work.queries.ts'
import {
  agentItems,
  approvalItems,
  bagItems,
  claimItems,
  type Item,
  isOf,
  isStale,
  labelItems,
  messageItems,
  paymentItems,
  refundItems,
  waitsFor,
  workRules,
} from './work.rules.ts'
import { approvalText, workText } from './work.texts.ts'

interface Reader {
  readonly person: Pick<Staff, 'issuer' | 'subject' | 'roles'>
  readonly language: LanguageCode
}

const hourMs = 60 * 60_000
const rowsShown = 100

type Holders = ReadonlyMap<string, TakenRow>
const keyOf = ({ kind, reference }: RowKey) => `${kind} ${reference}`

const readers: Readonly<Record<WorkKind, (core: Core, of?: RowsOf) => Promise<Item[]>>> = {
  labels: async (core, of) =>
    labelItems(
      await listStoppedLabels(core, of),
      await listLateLabels(core, core.clock.now() - workRules.labels.limitMs, of),
    ),
  refunds: async (core, of) =>
    refundItems(await listLateRefunds(core, core.clock.now() - workRules.refunds.limitMs, of)),
  payments: async (core, of) =>
    paymentItems(await listUnresolvedPayments(core, of), await listFindings(core, of)),
  bags: async (core, of) => {
    const silenceMs = core.config.TRACKING_SILENCE_HOURS * hourMs
    return bagItems(
      await listAlarms(core, of),
      await listSilentBags(core, core.clock.now() - silenceMs, of),
      silenceMs,
    )
  },
  messages: async (core, of) =>
    messageItems(await listFailedMessages(core, core.clock.now() - workRules.messages.shownMs, of)),
  claims: async (core, of) => claimItems(await listOpenClaims(core, of)),
  agents: async (core, of) => agentItems(await listAgentAlerts(core, core.clock.now(), of)),
  approvals: async (core, of) => approvalItems(await listWaitingApprovals(core, core.clock.now(), of)),
}

export const numberIn = (reference: string) => Number(/\d+$/.exec(reference)?.[0])

export async function readItem(core: Core, { kind, reference }: RowKey): Promise<Item | undefined> {
  const items = await readers[kind](core, { id: numberIn(reference) })
  return items.find((item) => item.reference === reference)
}

export async function readItems(core: Core, of?: RowsOf): Promise<Item[]> {
  const items: Item[] = []
  for (const kind of workKinds) items.push(...(await readers[kind](core, of)))
  return items
}

export async function readOverview(
  core: Core,
  reader: Reader,
  { order }: { readonly order?: number | undefined } = {},
): Promise<WorkOverview> {
  const { person } = reader
  const now = core.clock.now()
  const items = (await readItems(core)).filter(waitsFor(person))
  const holders = await readHolders(core)
  const held = items.flatMap((item) => {
    const holder = holders.get(keyOf(item))
    return holder === undefined ? [] : [{ item, holder }]
  })
  const mine = held.filter(({ holder }) => isOf(person, holder)).map(({ item }) => item)
  const first = mine.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, rowsShown)
  const people = await listPeople(core, now)
  const refused = await listRefused(core, person, now - workRules.refusals.shownMs)
  const ofOrder = order === undefined ? [] : items.filter((item) => item.orderId === order)
  return {
    lists: listsOf(items, holders, now),
    mine: await readRows(core, first, holders, reader),
    colleagues: people
      .filter(({ issuer, subject }) => issuer === person.issuer && subject !== person.subject)
      .map((each) => ({
        id: each.subject,
        name: each.name,
        has: held.filter(({ holder }) => isOf(each, holder)).length,
      })),
    ofOrder: await readRows(core, ofOrder.slice(0, rowsShown), holders, reader),
    refused: refused.map((row) => ({
      approvalId: row.id,
      orderId: row.order_id,
      by: row.decided_by ?? '',
      note: row.decision ?? '',
      at: isoOf(row.decided_at ?? now),
      text: approvalText({ act: row.act, amount: row.halalas, currency }, reader.language),
    })),
  }
}

export async function listWork(
  core: Core,
  kind: WorkKind,
  reader: Reader,
  { whose }: WorkFilter,
): Promise<WorkRow[]> {
  const items = (await readers[kind](core)).filter(waitsFor(reader.person))
  const holders = await readHolders(core)
  const isWanted = (item: Item) => {
    const holder = holders.get(keyOf(item))
    if (whose === 'free') return holder === undefined
    return whose === undefined || (holder !== undefined && isOf(reader.person, holder))
  }
  return readRows(core, items.filter(isWanted).slice(0, rowsShown), holders, reader)
}

export async function readWorkRow(core: Core, row: RowKey, reader: Reader): Promise<WorkRow> {
  const item = await readItem(core, row)
  const taken = await findTaken(core, row, core.clock.now())
  const holders = new Map(taken ? [[keyOf(taken), taken]] : [])
  const [read] = item ? await readRows(core, [item], holders, reader) : []
  if (!read) throw failure(workErrors, 'WORK_NOT_FOUND')
  return read
}

export const readLists = async (core: Core): Promise<WorkList[]> =>
  listsOf(await readItems(core), await readHolders(core), core.clock.now())

const readHolders = async (core: Core): Promise<Holders> =>
  new Map((await listTaken(core, core.clock.now())).map((row) => [keyOf(row), row]))

const listsOf = (items: readonly Item[], holders: Holders, now: number): WorkList[] =>
  workKinds.map((kind) => listOf(kind, items, holders, now))

function listOf(kind: WorkKind, all: readonly Item[], holders: Holders, now: number): WorkList {
  const own = all.filter((item) => item.kind === kind)
  return {
    kind,
    count: own.length,
    late: own.filter(({ dueAt }) => dueAt < now).length,
    free: own.filter((item) => !holders.has(keyOf(item))).length,
    oldest: own.length === 0 ? null : isoOf(Math.min(...own.map(({ since }) => since))),
    nextDueAt: own.length === 0 ? null : isoOf(Math.min(...own.map(({ dueAt }) => dueAt))),
  }
}

async function readRows(
  core: Core,
  items: readonly Item[],
  holders: Holders,
  { person, language }: Reader,
): Promise<WorkRow[]> {
  const now = core.clock.now()
  const orderIds = [...new Set(items.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))]
  const bags = await listBags(core, orderIds)
  const lastScans = await listLastScans(
    core,
    bags.map(({ id }) => id),
  )
  const scans = new Map(lastScans.map((scan) => [scan.bookingId, scan]))
  return items.map((item) => {
    const bag =
      bags.find(({ id }) => id === item.bookingId) ?? bags.find(({ order_id }) => order_id === item.orderId)
    const place = bag === undefined ? undefined : (JSON.parse(bag.destination) as Partial<Location>)
    const holder = holders.get(keyOf(item))
    return {
      kind: item.kind,
      id: item.reference,
      reason: item.reason,
      orderId: item.orderId,
      awb: bag?.awb ?? null,
      city: place?.city ?? null,
      lastNews: lastNewsOf(bag, scans, language),
      since: isoOf(item.since),
      dueAt: isoOf(item.dueAt),
      text: workText(item, language),
      data: { ...item.data },
      taken: holder === undefined ? null : takenOf(holder, person, now),
    }
  })
}

const takenOf = (row: TakenRow, person: Person, now: number): NonNullable<WorkRow['taken']> => ({
  name: row.name,
  isYou: isOf(person, row),
  since: isoOf(row.taken_at),
  movedAt: isoOf(row.moved_at),
  isStale: isStale(row, now),
  handedBy: row.handed_by,
  note: row.note,
})

type Bag = Awaited<ReturnType<typeof listBags>>[number]
type Scan = Awaited<ReturnType<typeof listLastScans>>[number]

function lastNewsOf(
  bag: Bag | undefined,
  scans: ReadonlyMap<number, Scan>,
  language: LanguageCode,
): WorkRow['lastNews'] {
  const state = bag ? stateOfCarriage[bag.carriage] : null
  if (!bag || state === null || state === 'AWAITING_LABEL' || state === 'READY') return null
  const { text = null, place = null } = scans.get(bag.id) ?? {}
  return {
    state,
    at: bag.last_event_at === null ? null : isoOf(bag.last_event_at),
    words: text === null ? null : inLanguage(text, language),
    place: place === null ? null : factsIn({ place }, language).place('place'),
  }
}

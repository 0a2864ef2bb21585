import type { AuditService } from '#server/features/audit/audit.service.ts'
import type { Core } from '#server/platform/core.ts'
import { failure } from '#server/platform/errors.ts'
import { factsIn } from '#server/platform/fact-texts.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { durationInWords } from '#server/platform/waiting.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { inLanguage } from '#shared/platform/bilingual.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { currency } from '#shared/platform/money.ts'
import { workErrors } from '#shared/work/work.errors.ts'
import {
  type WorkFilter,
  type WorkKind,
  type WorkList,
  type WorkOverview,
  type WorkRow,
  workKinds,
  workStaleMs,
} from '#shared/work/work.schemas.ts'
import {
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
import type { Person, RowKey, TakenRow, WorkStore } from './work.store.ts'
import { wishText, workText } from './work.texts.ts'

export interface WorkDeps extends Pick<Core, 'database' | 'clock'> {
  /** Another number after each act at the desk. Absent: every reading is a new one. */
  readonly revision?: () => number
  readonly store: WorkStore
  readonly audit: Pick<AuditService, 'record' | 'once'>
  /** TRACKING_SILENCE_HOURS, in milliseconds. */
  readonly silenceMs: number
}

/** An act also happens where a colleague has the row, if it is the one that the person was asked about: since when. */
export interface ActWish {
  readonly over?: string | undefined
}

export type WorkService = ReturnType<typeof createWork>

const listedAtMost = 100

/** A row of which a person says that nothing is left to do. */
interface SeenRow extends RowKey {
  readonly kind: 'payments' | 'messages'
}

/** Who reads the lists, in which language. */
interface Reader {
  readonly person: Pick<Staff, 'issuer' | 'subject' | 'roles'>
  readonly language: LanguageCode
}

/** Null also for a day that there is not. */
const instantIn = (text: string | undefined) => {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? null : at
}

const keyOf = ({ kind, reference }: RowKey) => `${kind} ${reference}`

/** Whether a row is one that a person has. */
function heldBy(person: Person, taken: readonly TakenRow[]) {
  const held = new Set(taken.filter((row) => isOf(person, row)).map(keyOf))
  return (item: Item) => held.has(keyOf(item))
}

/** What waits for a person, and who has it. */
export function createWork(deps: WorkDeps) {
  const lists = createLists(deps)
  const takes = createTakes(deps, lists)
  return { ...createReading(deps, lists), ...takes }
}

/** The rows of each list in their order, to 1,000. */
function createLists({ store, clock, silenceMs }: WorkDeps) {
  const read: Readonly<Record<WorkKind, () => Promise<Item[]>>> = {
    labels: async () =>
      labelItems(
        await store.listStoppedLabels(),
        await store.listLateLabels(clock.now() - workRules.labels.limitMs),
      ),
    refunds: async () => refundItems(await store.listLateRefunds(clock.now() - workRules.refunds.limitMs)),
    payments: async () => paymentItems(await store.listUnresolvedPayments(), await store.listFindings()),
    bags: async () =>
      bagItems(await store.listAlarms(), await store.listSilentBags(clock.now() - silenceMs), silenceMs),
    messages: async () =>
      messageItems(await store.listFailedMessages(clock.now() - workRules.messages.shownMs)),
    claims: async () => claimItems(await store.listOpenClaims()),
    approvals: async () => approvalItems(await store.listWaitingApprovals(clock.now())),
  }
  return {
    readItems: (kind: WorkKind) => read[kind](),
    async readAll(): Promise<Item[]> {
      const items: Item[] = []
      for (const kind of workKinds) items.push(...(await read[kind]()))
      return items
    },
  }
}

type Lists = ReturnType<typeof createLists>

interface Reading {
  readonly items: readonly Item[]
  readonly byKey: ReadonlyMap<string, Item>
  readonly taken: readonly TakenRow[]
  readonly lists: WorkList[]
}

/** A reading that no desk has changed since serves others for so long: what pilgrims and time change is told by streams later. */
const readingMs = 250

function createReading({ store, clock, revision }: WorkDeps, { readItems, readAll }: Lists) {
  /** Of all streams at once one reading. */
  let reading: Promise<Reading> | undefined
  /** The last one that began. */
  let last: { readonly read: Promise<Reading>; readonly at: number; readonly revision: number } | undefined

  function listOf(kind: WorkKind, own: readonly Item[], taken: readonly TakenRow[]): WorkList {
    const now = clock.now()
    const held = new Map(taken.map((row) => [keyOf(row), row]))
    return {
      ...{ kind, count: own.length, late: own.filter(({ dueAt }) => dueAt < now).length },
      free: own.filter((item) => !held.has(keyOf(item))).length,
      oldest: own.length === 0 ? null : isoOf(Math.min(...own.map(({ since }) => since))),
      nextDueAt: own.length === 0 ? null : isoOf(Math.min(...own.map(({ dueAt }) => dueAt))),
      stamp: hashOf(
        JSON.stringify(
          own.map((item) => {
            const holder = held.get(keyOf(item))
            return [item.reference, item.reason, item.dueAt, holder?.subject, holder?.moved_at]
          }),
        ),
      ).slice(0, 12),
    }
  }

  /** Approvals alone do not wait for everyone. */
  function listsFor(person: Reader['person'], { items, taken, lists }: Reading): WorkList[] {
    const approvals = items.filter(({ kind }) => kind === 'approvals')
    const own = approvals.filter(waitsFor(person))
    if (own.length === approvals.length) return lists
    return lists.map((list) => (list.kind === 'approvals' ? listOf('approvals', own, taken) : list))
  }

  async function rowsOf(
    items: readonly Item[],
    taken: readonly TakenRow[],
    { person, language }: Reader,
  ): Promise<WorkRow[]> {
    const now = clock.now()
    const held = new Map(taken.map((row) => [keyOf(row), row]))
    const orderIds = [...new Set(items.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))]
    const bags = await store.listBags(orderIds)
    const heard = await store.listLastScans(bags.map(({ id }) => id))
    const scans = new Map(heard.map((scan) => [scan.booking_id, scan]))
    return items.map((item) => {
      const bag =
        bags.find(({ id }) => id === item.bookingId) ?? bags.find(({ order_id }) => order_id === item.orderId)
      const place = bag === undefined ? undefined : (JSON.parse(bag.destination) as Partial<Location>)
      const holder = held.get(keyOf(item))
      return {
        ...{ kind: item.kind, id: item.reference, reason: item.reason, orderId: item.orderId },
        ...{ awb: bag?.awb ?? null, city: place?.city ?? null, lastNews: newsOf(bag, scans, language) },
        ...{ since: isoOf(item.since), dueAt: isoOf(item.dueAt) },
        ...{ text: workText(item, language), data: { ...item.data } },
        taken:
          holder === undefined
            ? null
            : {
                ...{ name: holder.name, isYou: isOf(person, holder), since: isoOf(holder.taken_at) },
                ...{ movedAt: isoOf(holder.moved_at), isStale: isStale(holder, now) },
                ...{ handedBy: holder.handed_by, note: holder.note },
              },
      }
    })
  }

  async function readNow(): Promise<Reading> {
    const items = await readAll()
    const taken = await store.listTaken(clock.now())
    const lists = workKinds.map((kind) =>
      listOf(
        kind,
        items.filter((item) => item.kind === kind),
        taken,
      ),
    )
    const byKey = new Map(items.map((item) => [keyOf(item), item]))
    return { items, byKey, taken, lists }
  }

  function read(): Promise<Reading> {
    const own = { read: readNow(), at: clock.now(), revision: revision?.() ?? 0 }
    last = own
    own.read.catch(() => {
      if (last === own) last = undefined
    })
    return own.read
  }

  /** One that began after the last act at the desk: thirty people read again after each. */
  const readRecent = (): Promise<Reading> =>
    last !== undefined && last.revision === revision?.() && clock.now() < last.at + readingMs
      ? last.read
      : read()

  return {
    /** @param order whose rows are asked for, too */
    async readOverview(
      reader: Reader,
      { order }: { readonly order?: number | undefined } = {},
    ): Promise<WorkOverview> {
      const { person } = reader
      const now = clock.now()
      const recent = await readRecent()
      const { items, byKey, taken } = recent
      const isTheirs = waitsFor(person)
      const itemsOf = (holder: Person) =>
        taken
          .filter((row) => isOf(holder, row))
          .flatMap((row) => byKey.get(keyOf(row)) ?? [])
          .filter(isTheirs)
      const mine = itemsOf(person).toSorted((one, other) => one.dueAt - other.dueAt)
      const people = await store.listPeople(person.issuer, now)
      const refused = await store.listRefused(person, now - workRules.refusals.shownMs)
      const ofOrder =
        order === undefined ? [] : items.filter((item) => item.orderId === order && isTheirs(item))
      return {
        lists: listsFor(person, recent),
        mine: await rowsOf(mine.slice(0, listedAtMost), taken, reader),
        colleagues: people
          .filter(({ subject }) => subject !== person.subject)
          .map(({ subject, name }) => ({
            ...{ id: subject, name },
            has: itemsOf({ issuer: person.issuer, subject }).length,
          })),
        ofOrder: await rowsOf(ofOrder.slice(0, listedAtMost), taken, reader),
        refused: refused.map((row) => ({
          ...{
            approvalId: row.id,
            orderId: row.order_id,
            by: row.decided_by ?? '',
            note: row.decision ?? '',
          },
          at: isoOf(row.decided_at ?? now),
          text: wishText({ act: row.act, amount: row.halalas, currency }, reader.language),
        })),
      }
    },

    async list(kind: WorkKind, reader: Reader, { whose }: WorkFilter): Promise<WorkRow[]> {
      const { items: all, taken } = await readRecent()
      const items = all.filter((item) => item.kind === kind && waitsFor(reader.person)(item))
      const held = new Set(taken.map(keyOf))
      const isAsked = {
        all: () => true,
        free: (item: Item) => !held.has(keyOf(item)),
        mine: heldBy(reader.person, taken),
      }[whose ?? 'all']
      return rowsOf(items.filter(isAsked).slice(0, listedAtMost), taken, reader)
    },

    /** One row. @throws Failure WORK_NOT_FOUND */
    async readRow(row: RowKey, reader: Reader): Promise<WorkRow> {
      const item = (await readItems(row.kind)).find(({ reference }) => reference === row.reference)
      const taken = await store.findTaken(row, clock.now())
      const [read] = item ? await rowsOf([item], taken ? [taken] : [], reader) : []
      if (!read) throw failure(workErrors, 'WORK_NOT_FOUND')
      return read
    },

    /** The lists as they are, for streams and metrics. @param person for whom; absent: all rows */
    async readLists(person?: Reader['person']): Promise<WorkList[]> {
      reading ??= read().finally(() => {
        reading = undefined
      })
      const shared = await reading
      return person === undefined ? shared.lists : listsFor(person, shared)
    },
  }
}

function createTakes({ store, audit, clock, database }: WorkDeps, { readItems, readAll }: Lists) {
  /** @throws Failure WORK_NOT_FOUND */
  async function find(staff: Staff, { kind, reference }: RowKey): Promise<Item> {
    const item = (await readItems(kind)).filter(waitsFor(staff)).find((each) => each.reference === reference)
    if (!item) throw failure(workErrors, 'WORK_NOT_FOUND')
    return item
  }

  const takenError = (holder: TakenRow | undefined) =>
    failure(workErrors, 'WORK_TAKEN', {
      values: {
        who: holder?.name ?? '',
        time: durationInWords(clock.now() - (holder?.taken_at ?? clock.now())),
      },
    })

  const about = ({ kind, reference, orderId }: Pick<Item, 'kind' | 'reference' | 'orderId'>) => ({
    about: `${kind} ${reference}`,
    ...(orderId !== null && { orderId }),
  })

  type Given = Pick<Item, 'kind' | 'reference' | 'orderId'>
  type Giving = ActWish & { to?: Person & { name: string }; note?: string | null }

  /** Inside a transaction. @throws Failure WORK_TAKEN */
  async function giveRow(
    staff: Staff,
    item: Given,
    { to = staff, note = null, over }: Giving,
    now: number,
  ): Promise<void> {
    const { kind, reference, orderId } = item
    const before = await store.findTaken(item, now)
    const won = await store.giveRow(
      {
        ...{ kind, reference, order_id: orderId, issuer: to.issuer, subject: to.subject, name: to.name },
        ...{ taken_at: now, moved_at: now, handed_by: note === null ? null : staff.name, note },
      },
      {
        ...{ by: staff, now, staleBefore: now - workStaleMs },
        over: instantIn(over),
      },
    )
    if (!won) throw takenError(await store.findTaken(item, now))
    if (before && isOf(to, before)) return
    await audit.record({
      ...{ by: staff, action: note === null ? 'work-taken' : 'work-handed', ...about(item) },
      ...(note !== null && { reason: note }),
      ...(before && { before: { has: before.name } }),
      after: { has: to.name },
    })
  }

  /** All of them, at one moment, or none. @throws Failure WORK_TAKEN */
  async function give(staff: Staff, items: readonly Given[], giving: Giving): Promise<void> {
    if (items.length === 0) return
    const now = clock.now()
    await database.transaction(async () => {
      for (const item of items) await giveRow(staff, item, giving, now)
    })
  }

  return {
    /** @throws Failure WORK_NOT_FOUND, WORK_TAKEN */
    async take(staff: Staff, row: RowKey, wish: ActWish): Promise<void> {
      await give(staff, [await find(staff, row)], wish)
    },

    /** Gives it back to the list. @throws Failure WORK_TAKEN */
    async release(staff: Staff, row: RowKey): Promise<void> {
      const before = await store.findTaken(row, clock.now())
      if (before && !isOf(staff, before)) throw takenError(before)
      await database.transaction(async () => {
        if (!(await store.releaseRow(row, staff))) return
        const item = { ...row, orderId: before?.order_id ?? null }
        await audit.record({ by: staff, action: 'work-released', ...about(item) })
      })
    },

    /** Once under its key. @throws Failure WORK_NOT_FOUND, WORK_TAKEN, COLLEAGUE_NOT_FOUND */
    async hand(
      staff: Staff,
      row: RowKey,
      request: StaffRequest,
      { to, note }: { readonly to: string; readonly note: string },
    ): Promise<void> {
      const { issuer } = staff
      const perform = async () => {
        const item = await find(staff, row)
        const people = await store.listPeople(issuer, clock.now())
        const colleague = people.find(({ subject }) => subject === to && subject !== staff.subject)
        // Not to whom it does not wait for either: the person who asked for it, or who may not decide it.
        if (!colleague || !waitsFor({ issuer, ...colleague })(item))
          throw failure(workErrors, 'COLLEAGUE_NOT_FOUND')
        const { subject, name } = colleague
        await giveRow(staff, item, { to: { issuer, subject, name }, note }, clock.now())
        return {}
      }
      await audit.once(staff, request, { perform })
    },

    /**
     * A person who acts on something has it: what is free is taken, what is the person's is moved, and what a colleague has is
     * refused without `over`. Of an order these are all its rows; what is in no list is free for all. @throws Failure WORK_TAKEN
     */
    async act(staff: Staff, what: RowKey | { readonly orderId: number }, wish: ActWish = {}): Promise<void> {
      const items =
        'kind' in what
          ? (await readItems(what.kind)).filter(({ reference }) => reference === what.reference)
          : (await readAll()).filter(({ orderId }) => orderId === what.orderId)
      await give(staff, items.filter(waitsFor(staff)), wish)
    },

    /** A person has looked, and nothing is left to do; once under its key. @throws Failure WORK_NOT_FOUND, WORK_TAKEN */
    async endRow(staff: Staff, row: SeenRow, request: StaffRequest, reason: string): Promise<void> {
      const id = Number(/\d+$/.exec(row.reference)?.[0])
      const end = (now: number) => {
        if (row.kind === 'messages') return store.markSeen('messages', id, now)
        return row.reference.startsWith('f')
          ? store.closeFinding(id, now)
          : store.markSeen('payment_events', id, now)
      }
      const perform = async () => {
        const item = await find(staff, row)
        const now = clock.now()
        await giveRow(staff, item, {}, now)
        if (!(await end(now))) throw failure(workErrors, 'WORK_NOT_FOUND')
        await audit.record({ by: staff, action: 'work-seen', ...about(item), reason })
        return {}
      }
      await audit.once(staff, request, { perform })
    },

    /** Inside the transaction in which the last session of a person ends: nothing is theirs any more. */
    async free(person: Pick<Staff, 'issuer' | 'subject' | 'name' | 'roles'>): Promise<void> {
      database.assertTransaction()
      for (const row of await store.releaseAll(person))
        await audit.record({
          ...{ by: person, action: 'work-released', reason: 'the session ended' },
          ...about({ ...row, orderId: row.order_id }),
        })
    },
  }
}

type Bag = Awaited<ReturnType<WorkStore['listBags']>>[number]

type Scan = Awaited<ReturnType<WorkStore['listLastScans']>>[number]

function newsOf(
  bag: Bag | undefined,
  scans: ReadonlyMap<number, Scan>,
  language: LanguageCode,
): WorkRow['lastNews'] {
  if (bag?.travel_state == null) return null
  const { text = null, place = null } = scans.get(bag.id) ?? {}
  return {
    ...{ state: bag.travel_state, at: bag.last_event_at === null ? null : isoOf(bag.last_event_at) },
    words: text === null ? null : inLanguage(text, language),
    place: place === null ? null : factsIn({ place }, language).place('place'),
  }
}

import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { type Act, type Person as DeskPerson, recordAct, staffActor } from '#server/features/history/acts.ts'
import type { Changed } from '#server/features/history/history.kinds.ts'
import { failure } from '#server/platform/errors.ts'
import { factsIn } from '#server/platform/fact-texts.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { durationInWords } from '#server/platform/waiting.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { stateOfCarriage } from '#shared/orders/travel.rules.ts'
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
import type { Person, RowKey, RowsOf, TakenRow, WorkStore } from './work.store.ts'
import { wishText, workText } from './work.texts.ts'

export interface WorkDeps extends Pick<Core, 'database' | 'clock'> {
  readonly store: WorkStore
  readonly audit: Pick<AuditService, 'once'>
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

/** What waits for a person, and who has it. */
export function createWork(deps: WorkDeps) {
  const lists = createLists(deps)
  const takes = createTakes(deps, lists)
  return { ...createReading(deps, lists), ...takes }
}

/** The rows of each list in their order, to 1,000; of one row, or of an order, those alone. */
function createLists({ store, clock, silenceMs }: WorkDeps) {
  const read: Readonly<Record<WorkKind, (of?: RowsOf) => Promise<Item[]>>> = {
    labels: async (of) =>
      labelItems(
        await store.listStoppedLabels(of),
        await store.listLateLabels(clock.now() - workRules.labels.limitMs, of),
      ),
    refunds: async (of) =>
      refundItems(await store.listLateRefunds(clock.now() - workRules.refunds.limitMs, of)),
    payments: async (of) =>
      paymentItems(await store.listUnresolvedPayments(of), await store.listFindings(of)),
    bags: async (of) =>
      bagItems(
        await store.listAlarms(of),
        await store.listSilentBags(clock.now() - silenceMs, of),
        silenceMs,
      ),
    messages: async (of) =>
      messageItems(await store.listFailedMessages(clock.now() - workRules.messages.shownMs, of)),
    claims: async (of) => claimItems(await store.listOpenClaims(of)),
    agents: async (of) => agentItems(await store.listAgentAlerts(clock.now(), of)),
    approvals: async (of) => approvalItems(await store.listWaitingApprovals(clock.now(), of)),
  }
  return {
    read,
    async readItem({ kind, reference }: RowKey): Promise<Item | undefined> {
      const items = await read[kind]({ id: numberIn(reference) })
      return items.find((item) => item.reference === reference)
    },
    async readAll(of?: RowsOf): Promise<Item[]> {
      const items: Item[] = []
      for (const kind of workKinds) items.push(...(await read[kind](of)))
      return items
    },
  }
}

type Lists = ReturnType<typeof createLists>

const numberIn = (reference: string) => Number(/\d+$/.exec(reference)?.[0])

/** Rows that people have, by `keyOf`. */
type Holders = ReadonlyMap<string, TakenRow>

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

function createReading({ store, clock }: WorkDeps, { read, readItem, readAll }: Lists) {
  const readHolders = async (): Promise<Holders> =>
    new Map((await store.listTaken(clock.now())).map((row) => [keyOf(row), row]))

  const listsOf = (items: readonly Item[], holders: Holders): WorkList[] =>
    workKinds.map((kind) => listOf(kind, items, holders, clock.now()))

  async function rowsOf(
    items: readonly Item[],
    holders: Holders,
    { person, language }: Reader,
  ): Promise<WorkRow[]> {
    const now = clock.now()
    const orderIds = [...new Set(items.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])))]
    const bags = await store.listBags(orderIds)
    const heard = await store.listLastScans(bags.map(({ id }) => id))
    const scans = new Map(heard.map((scan) => [scan.bookingId, scan]))
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
        lastNews: newsOf(bag, scans, language),
        since: isoOf(item.since),
        dueAt: isoOf(item.dueAt),
        text: workText(item, language),
        data: { ...item.data },
        taken: holder === undefined ? null : takenOf(holder, person, now),
      }
    })
  }

  return {
    /** @param order whose rows are asked for, too */
    async readOverview(
      reader: Reader,
      { order }: { readonly order?: number | undefined } = {},
    ): Promise<WorkOverview> {
      const { person } = reader
      const now = clock.now()
      const items = (await readAll()).filter(waitsFor(person))
      const holders = await readHolders()
      const held = items.flatMap((item) => {
        const holder = holders.get(keyOf(item))
        return holder === undefined ? [] : [{ item, holder }]
      })
      const mine = held.filter(({ holder }) => isOf(person, holder)).map(({ item }) => item)
      const first = mine.toSorted((one, other) => one.dueAt - other.dueAt).slice(0, listedAtMost)
      const people = await store.listPeople(now)
      const refused = await store.listRefused(person, now - workRules.refusals.shownMs)
      const ofOrder = order === undefined ? [] : items.filter((item) => item.orderId === order)
      return {
        lists: listsOf(items, holders),
        mine: await rowsOf(first, holders, reader),
        colleagues: people
          .filter(({ issuer, subject }) => issuer === person.issuer && subject !== person.subject)
          .map((each) => ({
            id: each.subject,
            name: each.name,
            has: held.filter(({ holder }) => isOf(each, holder)).length,
          })),
        ofOrder: await rowsOf(ofOrder.slice(0, listedAtMost), holders, reader),
        refused: refused.map((row) => ({
          approvalId: row.id,
          orderId: row.order_id,
          by: row.decided_by ?? '',
          note: row.decision ?? '',
          at: isoOf(row.decided_at ?? now),
          text: wishText({ act: row.act, amount: row.halalas, currency }, reader.language),
        })),
      }
    },

    async list(kind: WorkKind, reader: Reader, { whose }: WorkFilter): Promise<WorkRow[]> {
      const items = (await read[kind]()).filter(waitsFor(reader.person))
      const holders = await readHolders()
      const isAsked = (item: Item) => {
        const holder = holders.get(keyOf(item))
        if (whose === 'free') return holder === undefined
        return whose === undefined || (holder !== undefined && isOf(reader.person, holder))
      }
      return rowsOf(items.filter(isAsked).slice(0, listedAtMost), holders, reader)
    },

    /** One row. @throws Failure WORK_NOT_FOUND */
    async readRow(row: RowKey, reader: Reader): Promise<WorkRow> {
      const item = await readItem(row)
      const taken = await store.findTaken(row, clock.now())
      const holders = new Map(taken ? [[keyOf(taken), taken]] : [])
      const [read] = item ? await rowsOf([item], holders, reader) : []
      if (!read) throw failure(workErrors, 'WORK_NOT_FOUND')
      return read
    },

    /** The lists with all rows, for metrics. */
    readLists: async (): Promise<WorkList[]> => listsOf(await readAll(), await readHolders()),
  }
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

function createTakes({ store, audit, clock, database }: WorkDeps, { readItem, readAll }: Lists) {
  /** @throws Failure WORK_NOT_FOUND */
  async function find(staff: Staff, row: RowKey): Promise<Item> {
    const item = await readItem(row)
    if (!item || !waitsFor(staff)(item)) throw failure(workErrors, 'WORK_NOT_FOUND')
    return item
  }

  const takenError = (holder: TakenRow | undefined) =>
    failure(workErrors, 'WORK_TAKEN', {
      values: {
        who: holder?.name ?? '',
        time: durationInWords(clock.now() - (holder?.taken_at ?? clock.now())),
      },
    })

  /** Inside a transaction: records what a person did with a row of a list. */
  const record = (
    by: DeskPerson,
    kind: 'work-taken' | 'work-handed' | 'work-released' | 'work-settled',
    { kind: list, reference, orderId }: Given,
    act: Pick<Act, 'changed' | 'reason'>,
  ) =>
    recordAct(
      { database },
      {
        ...act,
        kind,
        by: staffActor(by),
        orderId: orderId ?? undefined,
        about: `${list} ${reference}`,
      },
    )

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
        kind,
        reference,
        order_id: orderId,
        issuer: to.issuer,
        subject: to.subject,
        name: to.name,
        taken_at: now,
        moved_at: now,
        handed_by: note === null ? null : staff.name,
        note,
      },
      {
        by: staff,
        now,
        staleBefore: now - workStaleMs,
        over: instantIn(over),
      },
    )
    if (!won) throw takenError(await store.findTaken(item, now))
    if (before && isOf(to, before)) return
    const changed = { has: [before?.name ?? null, to.name] } satisfies Changed
    await record(staff, note === null ? 'work-taken' : 'work-handed', item, { changed, reason: note })
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
        await record(staff, 'work-released', item, { changed: { has: [staff.name, null] } })
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
        const people = await store.listPeople(clock.now())
        const colleague = people.find((each) => each.subject === to && each.issuer === issuer)
        // Not to whom it does not wait for either: the person who asked for it, or who may not decide it.
        if (!colleague || isOf(staff, colleague) || !waitsFor(colleague)(item))
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
      const items = 'reference' in what ? [await readItem(what)] : await readAll(what)
      await give(staff, items.filter((item) => item !== undefined).filter(waitsFor(staff)), wish)
    },

    /** A person has looked, and nothing is left to do; once under its key. @throws Failure WORK_NOT_FOUND, WORK_TAKEN */
    async endRow(staff: Staff, row: SeenRow, request: StaffRequest, reason: string): Promise<void> {
      const id = numberIn(row.reference)
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
        await record(staff, 'work-settled', item, { reason })
        return {}
      }
      await audit.once(staff, request, { perform })
    },

    /** Inside the transaction in which the last session of a person ends: nothing is theirs any more. */
    async free(person: Pick<Staff, 'issuer' | 'subject' | 'name' | 'roles'>): Promise<void> {
      database.assertTransaction()
      for (const row of await store.releaseAll(person)) {
        const item = { ...row, orderId: row.order_id }
        const changed = { has: [person.name, null] } satisfies Changed
        await record(person, 'work-released', item, { changed, reason: 'the session ended' })
      }
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

import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { changedBetween, type NamedActor, recordAct, staffActor } from '#server/features/history/acts.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { isRecentSignIn } from '#server/platform/recent-sign-in.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deskActionsErrors } from '#shared/desk-actions/desk-actions.errors.ts'
import type { Stop } from '#shared/platform/stop.ts'
import { stopsErrors } from '#shared/stops/stops.errors.ts'
import { type Sale, stopOf } from '#shared/stops/stops.rules.ts'
import type { NewStop, StaffStop, StopsRequest, StopsResponse } from '#shared/stops/stops.schemas.ts'
import { isSame, type KnownLists, lasting, newRow, refusalOf, shownStop, staffStop } from './stops.rules.ts'
import type { OpenStop, StopsStore } from './stops.store.ts'

/** Who changes the stops, and why. */
export interface StopsOrigin {
  readonly by: NamedActor
  readonly reason: string
}

type StopsList = Omit<StopsResponse, 'success'>

/** What is wanted in place of the stops as they are. */
type Decide = (current: readonly StaffStop[], open: readonly OpenStop[]) => Promise<readonly NewStop[]>

interface StopsDeps extends Pick<Core, 'database'> {
  readonly store: StopsStore
  readonly audit: Pick<AuditService, 'once'>
  readonly readLists: () => Promise<KnownLists>
}

export type StopsService = ReturnType<typeof createStops>

/** What is not sold: for the calls that create an order, and for staff. */
export function createStops({ database, store, audit, readLists }: StopsDeps) {
  /** Who changed the stops last. */
  async function lastChangedBy(open: readonly OpenStop[]): Promise<string> {
    const [set, ended] = [open.at(-1), await store.findLastEnded()]
    return (ended?.ended_at ?? 0) > (set?.set_at ?? 0) ? (ended?.ended_by ?? '') : (set?.set_by ?? '')
  }

  /** Sets what is added and ends what is not wanted any more. @throws Failure STOPS_REFUSED naming every field, REAUTHENTICATION_REQUIRED. */
  async function apply(
    { by: { name: by }, reason }: StopsOrigin,
    {
      open,
      wanted,
      lists,
      mayStopAll,
    }: {
      readonly open: readonly OpenStop[]
      readonly wanted: readonly NewStop[]
      readonly lists: KnownLists
      /** Stops of everything may be set and ended. */
      readonly mayStopAll: boolean
    },
  ): Promise<void> {
    const now = await store.readTime()
    const kept = new Set<number>()
    const added = wanted.filter((stop) => {
      // One that has run out since it was read is as it is, too.
      const row = open.find((each) => !kept.has(each.id) && isSame(each, stop, now))
      if (row) kept.add(row.id)
      return row === undefined
    })
    const refused = added.flatMap((stop) => {
      const refusal = refusalOf(stop, lists, now)
      return refusal ? [{ field: `stops.${wanted.indexOf(stop)}.${refusal.field}`, text: refusal.text }] : []
    })
    if (refused.length > 0) throw failure(stopsErrors, 'STOPS_REFUSED', { fields: refused })
    const gone = open.filter(({ id }) => !kept.has(id))
    if (!mayStopAll && [...added, ...lasting(gone)].some(({ what }) => what === 'all'))
      throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
    const ended = gone.map(({ id }) => id)
    if (ended.length > 0) await store.endStops(ended, { at: now, by, because: reason })
    if (added.length > 0) await store.addStops(added.map((stop) => newRow(stop, { now, by, reason })))
  }

  /** Inside a transaction. */
  async function carryOut(
    origin: StopsOrigin,
    lists: KnownLists,
    decide: Decide,
    { mayStopAll = true } = {},
  ): Promise<StopsList> {
    // First, so that what is read is what is replaced.
    await store.lockSales()
    const open = await store.listOpen()
    await apply(origin, { open, wanted: await decide(listOf(open).stops, open), lists, mayStopAll })
    const after = await store.listOpen()
    const changed = changedBetween(inWords(open), inWords(after))
    await recordAct({ database }, { ...origin, kind: 'stops-changed', changed })
    return listOf(after)
  }

  const list = async () => listOf(await store.listOpen())

  return {
    list,

    /**
     * Replaces the stops by what `decide` makes of them, in one transaction with its event. An order whose creation began
     * before is in the database when this resolves, and none is made against the new stops from then on.
     * @throws Failure STOPS_REFUSED, and what `decide` throws.
     */
    async change(origin: StopsOrigin, decide: Decide): Promise<StopsList> {
      const lists = await readLists()
      return database.transaction(() => carryOut(origin, lists, decide))
    },

    /**
     * `change` to what a request names, once under its key: a repetition changes nothing, and has the stops as they are then.
     * @throws Failure STOPS_CHANGED where another change came first, REAUTHENTICATION_REQUIRED.
     */
    async replace(
      staff: Staff,
      request: StaffRequest,
      { stops, revision, reason }: StopsRequest,
      at: number,
    ): Promise<StopsList> {
      const lists = await readLists()
      const origin = { by: staffActor(staff), reason }
      const decide: Decide = async (_, open) => {
        if (revision !== undefined && revision !== listOf(open).revision)
          throw failure(stopsErrors, 'STOPS_CHANGED', { values: { who: await lastChangedBy(open) } })
        return stops
      }
      const perform = async () => {
        const options = { mayStopAll: isRecentSignIn(staff, at) }
        await carryOut(origin, lists, decide, options)
        return {}
      }
      await audit.once(staff, request, { perform })
      return list()
    },

    guardOf: store.guardOf,

    /** Why a sale was not made under its guard; undefined where no stop is in force for it. */
    async findRefusal(sale: Sale): Promise<Failure | undefined> {
      const open = await store.listOpen()
      const stop = stopOf(open.map(shownStop), sale, open[0]?.now ?? 0)
      return stop && failure(stopsErrors, 'SALES_STOPPED', { values: { text: stop.text }, stop })
    },
  }
}

interface ShownStopsDeps extends Pick<Core, 'log'> {
  readonly store: Pick<StopsStore, 'listOpen'>
  /** How long a reader waits for the database. */
  readonly waitMs?: number
}

export type ShownStops = ReturnType<typeof createShownStops>

/** What browsers mark. It only informs: what was read last is good enough while the database does not answer. */
export function createShownStops({ store, log, waitMs = 1_000 }: ShownStopsDeps) {
  let known: readonly Stop[] = []
  let reading: Promise<readonly Stop[]> | undefined

  async function read(): Promise<readonly Stop[]> {
    try {
      known = lasting(await store.listOpen()).map(shownStop)
    } catch (err) {
      log.warn({ event: 'stops.unread', err })
    }
    return known
  }

  return {
    /** What is not sold, and what will not be from a time. */
    async listShown(): Promise<readonly Stop[]> {
      reading ??= read().finally(() => {
        reading = undefined
      })
      const late = Promise.withResolvers<readonly Stop[]>()
      const timer = setTimeout(() => late.resolve(known), waitMs)
      return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer))
    },
  }
}

function listOf(open: readonly OpenStop[]): StopsList {
  return { stops: lasting(open).map(staffStop), revision: hashOf(open.map(({ id }) => id).join()) }
}

/** As the audit shows them. */
const inWords = (open: readonly OpenStop[]) =>
  Object.fromEntries(open.map((row) => [`stop ${row.id}`, describe(row)]))

function describe(row: OpenStop): string {
  const { what, code, from, until, text } = shownStop(row)
  const target = code === undefined ? what : `${what} ${code}`
  return `${target}, from ${from}${until === undefined ? '' : ` until ${until}`}: ${text.ar} / ${text.en}`
}

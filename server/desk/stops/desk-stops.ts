import type { Core } from '#server/core.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import { changedBetween, type NamedActor, recordAct, staffActor } from '#server/features/history/acts.ts'
import { listAgents, listCenters } from '#server/features/partner/partner.ts'
import {
  addStops,
  endStops,
  findLastEndedStop,
  listOpenStops,
  lockSales,
  type OpenStop,
} from '#server/features/stops/stops.queries.ts'
import { lasting, shownStop } from '#server/features/stops/stops.rules.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { failure } from '#server/platform/errors.ts'
import { isRecentSignIn } from '#server/platform/recent-sign-in.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deskActionsErrors } from '#shared/desk/actions/actions.errors.ts'
import { stopsErrors } from '#shared/stops/stops.errors.ts'
import type { NewStop, StaffStop, StopsRequest, StopsResponse } from '#shared/stops/stops.schemas.ts'
import { isSame, type KnownLists, newRow, refusalOf, staffStop } from './desk-stops.rules.ts'

export interface StopsOrigin {
  readonly by: NamedActor
  readonly reason: string
}

type StopsList = Omit<StopsResponse, 'success'>

type Decide = (current: readonly StaffStop[], open: readonly OpenStop[]) => Promise<readonly NewStop[]>

interface Replacement {
  readonly open: readonly OpenStop[]
  readonly wanted: readonly NewStop[]
  readonly lists: KnownLists
  readonly mayStopAll: boolean
}

export async function listStops(core: QueryCore): Promise<StopsList> {
  return listOf(await listOpenStops(core))
}

/**
 * After the change every order whose creation began earlier is in the database, and later orders obey the new stops.
 * @throws Failure STOPS_REFUSED, and the errors of `decide`
 */
export const changeStops = (
  core: QueryCore,
  lists: KnownLists,
  origin: StopsOrigin,
  decide: Decide,
): Promise<StopsList> =>
  core.database.transaction(() => changeWithin(core, origin, decide, { lists, mayStopAll: true }))

/**
 * A repeated request changes nothing and gets the current stops.
 * @throws Failure STOPS_CHANGED, STOPS_REFUSED, REAUTHENTICATION_REQUIRED
 */
export async function replaceStops(
  core: Core,
  staff: Staff,
  request: StaffRequest,
  { stops, revision, reason }: StopsRequest,
): Promise<StopsList> {
  const lists = await readLists(core)
  const mayStopAll = isRecentSignIn(staff, core.clock.now())
  const decide: Decide = async (_, open) => {
    if (revision !== undefined && revision !== listOf(open).revision)
      throw failure(stopsErrors, 'STOPS_CHANGED', { values: { who: await findLastEditor(core, open) } })
    return stops
  }
  await actOnce(core, staff, request, {
    async perform() {
      await changeWithin(core, { by: staffActor(staff), reason }, decide, { lists, mayStopAll })
      return {}
    },
  })
  return listStops(core)
}

/** Staff can stop sales even while a list of the partner is not available. */
async function readLists(core: Core): Promise<KnownLists> {
  const [agents, centers] = await Promise.allSettled([listAgents(core), listCenters(core)])
  return {
    agents: agents.status === 'fulfilled' ? agents.value.rows : undefined,
    centers: centers.status === 'fulfilled' ? centers.value.rows : undefined,
  }
}

async function changeWithin(
  core: QueryCore,
  origin: StopsOrigin,
  decide: Decide,
  options: Pick<Replacement, 'lists' | 'mayStopAll'>,
): Promise<StopsList> {
  // The lock of sales must come before the stops are read: exactly those that were read are replaced.
  await lockSales(core)
  const open = await listOpenStops(core)
  const wanted = await decide(listOf(open).stops, open)
  await replaceWithin(core, origin, { ...options, open, wanted })
  const after = await listOpenStops(core)
  const changed = changedBetween(inWords(open), inWords(after))
  await recordAct(core, { ...origin, kind: 'stops-changed', changed })
  return listOf(after)
}

async function replaceWithin(
  core: QueryCore,
  { by: { name: by }, reason }: StopsOrigin,
  { open, wanted, lists, mayStopAll }: Replacement,
) {
  const now = await core.database.readNow()
  const kept = new Set<number>()
  const added = wanted.filter((stop) => {
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
  if (ended.length > 0) await endStops(core, ended, { at: now, by, because: reason })
  if (added.length > 0)
    await addStops(
      core,
      added.map((stop) => newRow(stop, { now, by, reason })),
    )
}

async function findLastEditor(core: QueryCore, open: readonly OpenStop[]) {
  const set = open.at(-1)
  const ended = await findLastEndedStop(core)
  return (ended?.ended_at ?? 0) > (set?.set_at ?? 0) ? (ended?.ended_by ?? '') : (set?.set_by ?? '')
}

function listOf(open: readonly OpenStop[]): StopsList {
  return {
    stops: lasting(open).map(staffStop),
    revision: hashOf(open.map(({ id }) => id).join()),
  }
}

const inWords = (open: readonly OpenStop[]) =>
  Object.fromEntries(open.map((row) => [`stop ${row.id}`, describe(row)]))

function describe(row: OpenStop) {
  const { what, code, from, until, text } = shownStop(row)
  const target = code === undefined ? what : `${what} ${code}`
  return `${target}, from ${from}${until === undefined ? '' : ` until ${until}`}: ${text.ar} / ${text.en}`
}

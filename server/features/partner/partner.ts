import type { Core } from '#server/core.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { type EncodedBody, encodeBody, tagOf } from '#server/platform/encoded-body.ts'
import { failure } from '#server/platform/errors.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { runTraced } from '#server/platform/worker.ts'
import { partnerErrors } from '#shared/partner/partner.errors.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { ReadList } from './partner.provider.ts'
import { findStoredList, forgetHalvedLists, recordHalvedList, storeList } from './partner.queries.ts'
import type { CachedList, ListKind } from './partner-lists.ts'

export interface ServedList<T> {
  readonly rows: readonly T[]
  readonly answer: Promise<EncodedBody>
  readonly isStale: boolean
}

interface ListSource<T> {
  readonly kind: ListKind
  readonly unavailable: keyof typeof partnerErrors
  readonly fetchRows: (core: Core) => Promise<ReadList<T>>
  readonly cacheOf: (core: Core) => CachedList<T>
}

const freshMs = 5 * 60_000
/** An outage must not slow down every request, so the partner is asked again only after this time. */
const retryMs = 3_000
const refusedRetryMs = 60_000
const halvedAcceptedAfterMs = 24 * 60 * 60_000

const centers: ListSource<Center> = {
  kind: 'centers',
  unavailable: 'CENTERS_UNAVAILABLE',
  fetchRows: ({ providers }) => providers.partner.fetchCenters(),
  cacheOf: ({ partnerLists }) => partnerLists.centers,
}

const agents: ListSource<PartnerAgent> = {
  kind: 'agents',
  unavailable: 'AGENTS_UNAVAILABLE',
  fetchRows: ({ providers }) => providers.partner.fetchAgents(),
  cacheOf: ({ partnerLists }) => partnerLists.agents,
}

/** @throws Failure CENTERS_UNAVAILABLE when the partner is down and there is no copy */
export const listCenters = (core: Core): Promise<ServedList<Center>> => readList(core, centers)

/** @throws Failure AGENTS_UNAVAILABLE when the partner is down and there is no copy */
export const listAgents = (core: Core): Promise<ServedList<PartnerAgent>> => readList(core, agents)

export async function findCenter(core: Core, code: string): Promise<Center | undefined> {
  return (await listCenters(core)).rows.find((center) => center.code === code)
}

export async function findAgent(core: Core, id: string): Promise<PartnerAgent | undefined> {
  return (await listAgents(core)).rows.find((agent) => agent.id === id)
}

/** @param phone E.164; the partner can write it in another form */
export async function findAgentByPhone(core: Core, phone: string): Promise<PartnerAgent | undefined> {
  const { rows } = await listAgents(core)
  const { partnerLists } = core
  if (partnerLists.phoneBook?.rows !== rows)
    partnerLists.phoneBook = {
      rows,
      byPhone: agentsByPhone(rows),
    }
  return partnerLists.phoneBook.byPhone.get(phone)
}

export async function warmUp(core: Core): Promise<void> {
  await Promise.allSettled([listCenters(core), listAgents(core)])
}

function agentsByPhone(rows: readonly PartnerAgent[]): ReadonlyMap<string, PartnerAgent> {
  const byPhone = new Map<string, PartnerAgent>()
  for (const agent of rows) {
    const phone = canonicalPhone(agent.phone)
    if (phone && !byPhone.has(phone)) byPhone.set(phone, agent)
  }
  return byPhone
}

async function readList<T>(core: Core, source: ListSource<T>): Promise<ServedList<T>> {
  const list = source.cacheOf(core)
  list.loading ??= loadStored(core, source).catch((error: unknown) => {
    list.loading = undefined
    throw error
  })
  await list.loading
  const now = elapsedBy(core.clock)
  const isFresh = list.copy !== undefined && now < list.copy.freshUntil
  if (!isFresh && now >= list.nextTryAt) {
    list.refreshing ??= runTraced(core.startSpan, 'partner.refresh', () => refresh(core, source)).finally(
      () => {
        list.refreshing = undefined
      },
    )
    if (!list.copy) await list.refreshing
  }
  if (!list.copy) throw failure(partnerErrors, source.unavailable, { retryAfterSeconds: retryMs / 1000 })
  const { rows, answer, freshUntil } = list.copy
  return {
    rows,
    answer,
    isStale: elapsedBy(core.clock) >= freshUntil,
  }
}

async function loadStored<T>(core: Core, source: ListSource<T>) {
  const stored = await findStoredList(core, source.kind)
  // Older versions accepted empty lists, so their stored copy can be empty.
  if (stored && stored.body !== '[]' && stored.fetchedAt > (source.cacheOf(core).fetchedAt ?? 0))
    cacheCopy(core, source, stored.body, stored.fetchedAt)
}

async function refresh<T>(core: Core, source: ListSource<T>) {
  const { kind } = source
  try {
    const { rows, dropped } = await source.fetchRows(core)
    reportDropped(core, source, dropped)
    if (await isRefused(core, source, rows.length)) return
    const body = JSON.stringify(rows)
    const fetchedAt = core.clock.now()
    cacheCopy(core, source, body, fetchedAt)
    await storeList(core, kind, body, fetchedAt)
  } catch (error) {
    source.cacheOf(core).nextTryAt = elapsedBy(core.clock) + retryMs
    core.log.warn({ event: 'partner.list-unavailable', kind, err: error })
  }
}

function reportDropped<T>(core: Core, { kind, cacheOf }: ListSource<T>, dropped: ReadList<T>['dropped']) {
  for (const [reason, count] of Object.entries(dropped))
    core.counters.partnerRowsDropped.inc({ list: kind, reason }, count)
  const list = cacheOf(core)
  const current = JSON.stringify(dropped)
  if (current !== list.loggedDropped) core.log.warn({ event: 'partner.rows-dropped', kind, dropped })
  list.loggedDropped = current
}

async function isRefused<T>(core: Core, source: ListSource<T>, rows: number) {
  const { clock } = core
  const { kind } = source
  const list = source.cacheOf(core)
  const reason = await refusalOf(core, source, rows)
  if (!reason) return false
  const now = clock.now()
  if (reason === 'empty') await forgetHalvedLists(core, kind)
  // The time of the first halved list is stored, because a restart must not begin the 24 hours again.
  else if (now - (await recordHalvedList(core, kind, now)) >= halvedAcceptedAfterMs) return false
  list.nextTryAt = elapsedBy(clock) + (list.copy ? refusedRetryMs : retryMs)
  core.counters.partnerListsRefused.inc({ list: kind, reason })
  core.log.error({ event: 'partner.list-refused', kind, reason, rows, kept: list.copy?.rows.length ?? 0 })
  return true
}

async function refusalOf<T>(
  core: Core,
  source: ListSource<T>,
  rows: number,
): Promise<'empty' | 'halved' | undefined> {
  if (rows === 0) return 'empty'
  const isHalved = () => rows < (source.cacheOf(core).copy?.rows.length ?? 0) / 2
  // Another gateway has possibly accepted a shorter list.
  if (isHalved()) await loadStored(core, source)
  return isHalved() ? 'halved' : undefined
}

function cacheCopy<T>(core: Core, { kind, cacheOf }: ListSource<T>, body: string, fetchedAt: number) {
  const { clock } = core
  const list = cacheOf(core)
  list.fetchedAt = fetchedAt
  const freshUntil = elapsedBy(clock) + Math.min(freshMs, fetchedAt + freshMs - clock.now())
  const tag = tagOf(body)
  list.copy =
    list.copy?.tag === tag
      ? { ...list.copy, freshUntil }
      : {
          rows: JSON.parse(body) as T[],
          answer: encodeBody(`{"success":true,"${kind}":${body}}`),
          tag,
          freshUntil,
        }
}

import type { Core } from '#server/core.ts'
import { elapsedBy } from '#server/platform/clock.ts'
import { type EncodedBody, encodeBody, tagOf } from '#server/platform/encoded-body.ts'
import { failure } from '#server/platform/errors.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { runTraced } from '#server/platform/worker.ts'
import { partnerErrors } from '#shared/partner/partner.errors.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { PartnerProvider, ReadList } from './partner.provider.ts'
import { type ListKind, listKinds, type PartnerStore } from './partner.store.ts'

export type PartnerService = ReturnType<typeof createPartner>

export interface PartnerDeps extends Pick<Core, 'clock' | 'log' | 'metrics' | 'startSpan'> {
  readonly provider: PartnerProvider
  readonly store: PartnerStore
}

/** Cached per list, because every request of an agent needs one. */
const phoneBooks = new WeakMap<readonly PartnerAgent[], ReadonlyMap<string, PartnerAgent>>()

/** Agents by phone in E.164; where two share a number, the first of the list. */
function phoneBook(rows: readonly PartnerAgent[]): ReadonlyMap<string, PartnerAgent> {
  const known = phoneBooks.get(rows)
  if (known) return known
  const byPhone = new Map<string, PartnerAgent>()
  for (const agent of rows) {
    const phone = canonicalPhone(agent.phone)
    if (phone && !byPhone.has(phone)) byPhone.set(phone, agent)
  }
  phoneBooks.set(rows, byPhone)
  return byPhone
}

export function createPartner({ provider, store, clock, log, metrics, startSpan }: PartnerDeps) {
  const fetchedAt = new Map<ListKind, number>()
  metrics.gaugeBy(
    'amtiati_partner_list_age_seconds',
    'Since a list of the partner was fetched that is served. Lists are fetched again when they are read.',
    'list',
    listKinds,
    async () => new Map([...fetchedAt].map(([list, at]) => [list, (clock.now() - at) / 1_000])),
  )
  const deps = {
    store,
    clock,
    log,
    startSpan,
    fetchedAt,
    droppedRows: metrics.counter(
      'amtiati_partner_rows_dropped_total',
      'Rows of the partner’s lists that could not be used, by list and reason.',
      ['list', 'reason'],
    ),
    refusedLists: metrics.counter(
      'amtiati_partner_lists_refused_total',
      'Lists of the partner that were not taken because they were empty or suddenly less than half as long.',
      ['list', 'reason'],
      listKinds.flatMap((list) => ['empty', 'halved'].map((reason) => ({ list, reason }))),
    ),
  }
  const listCenters = createCachedList<Center>('centers', provider.fetchCenters, 'CENTERS_UNAVAILABLE', deps)
  const listAgents = createCachedList<PartnerAgent>(
    'agents',
    provider.fetchAgents,
    'AGENTS_UNAVAILABLE',
    deps,
  )

  /** All methods but `warmUp` throw as the lists: Failure CENTERS_UNAVAILABLE or AGENTS_UNAVAILABLE without any copy. */
  return {
    listCenters,
    listAgents,
    async findCenter(code: string): Promise<Center | undefined> {
      return (await listCenters()).rows.find((center) => center.code === code)
    },
    async findAgent(id: string): Promise<PartnerAgent | undefined> {
      return (await listAgents()).rows.find((agent) => agent.id === id)
    },
    /** `phone` is E.164; the directory may spell it differently. */
    async findAgentByPhone(phone: string): Promise<PartnerAgent | undefined> {
      return phoneBook((await listAgents()).rows).get(phone)
    },
    /** Fetches both lists before the first request; failures are logged, not thrown. */
    async warmUp(): Promise<void> {
      await Promise.allSettled([listCenters(), listAgents()])
    },
  }
}

/** A list as it is served. */
export interface ServedList<T> {
  readonly rows: readonly T[]
  /** `{ success, centers or agents }`; made once per list. */
  readonly answer: Promise<EncodedBody>
  /** True when it was fetched `freshMs` ago or earlier. */
  readonly isStale: boolean
}

interface ListDeps extends Pick<Core, 'clock' | 'log' | 'startSpan'> {
  readonly store: PartnerStore
  /** When each list that is served was fetched. */
  readonly fetchedAt: Map<ListKind, number>
  readonly droppedRows: ReturnType<Metrics['counter']>
  readonly refusedLists: ReturnType<Metrics['counter']>
}

/** Branches and agents change a few times a season. */
const freshMs = 5 * 60_000
/** Pause after a failure, so that an outage of the partner does not slow every request down. */
const retryMs = 3_000

/** Pause after a list that was refused. */
const refusedRetryMs = 60_000
/** A list of less than half of the cached one is accepted once the partner has returned such lists for this long. */
const halvedAcceptedAfterMs = 24 * 60 * 60_000

/** Why a list does not replace the cached one. */
function refusalOf(rows: number, cachedRows: number): 'empty' | 'halved' | undefined {
  if (rows === 0) return 'empty'
  return rows < cachedRows / 2 ? 'halved' : undefined
}

/**
 * A list of the partner, cached in memory and stored. It is refreshed while the cached copy is served, and awaited only
 * without one. The returned function throws Failure `code` when the partner is down and there is no copy.
 */
function createCachedList<T>(
  kind: ListKind,
  fetchRows: () => Promise<ReadList<T>>,
  code: keyof typeof partnerErrors,
  { store, clock, log, startSpan, fetchedAt: fetchTimes, droppedRows, refusedLists }: ListDeps,
): () => Promise<ServedList<T>> {
  let cached:
    | { rows: readonly T[]; answer: Promise<EncodedBody>; tag: string; freshUntil: number }
    | undefined
  /** By `elapsedBy`, as `freshUntil`: the clock of the machine may be set. */
  let nextTryAt = 0
  let refreshing: Promise<void> | undefined
  let loaded: Promise<void> | undefined
  let loggedDropped = '{}'

  function reportDropped(dropped: ReadList<T>['dropped']): void {
    for (const [reason, count] of Object.entries(dropped)) droppedRows.inc({ list: kind, reason }, count)
    const current = JSON.stringify(dropped)
    if (current !== loggedDropped) log.warn({ event: 'partner.rows-dropped', kind, dropped })
    loggedDropped = current
  }

  /** True for a list of implausibly few rows, compared with the cached one. */
  async function isRefused(rows: number): Promise<boolean> {
    const reason = refusalOf(rows, cached?.rows.length ?? 0)
    if (!reason) return false
    const now = clock.now()
    if (reason === 'empty') await store.endHalved(kind)
    // Stored, so that a restart does not begin the 24 hours anew.
    else if (now - (await store.noteHalved(kind, now)) >= halvedAcceptedAfterMs) return false
    nextTryAt = elapsedBy(clock) + (cached ? refusedRetryMs : retryMs)
    refusedLists.inc({ list: kind, reason })
    log.error({ event: 'partner.list-refused', kind, reason, rows, kept: cached?.rows.length ?? 0 })
    return true
  }

  function setCached(body: string, fetchedAt: number): void {
    fetchTimes.set(kind, fetchedAt)
    const freshUntil = elapsedBy(clock) + Math.min(freshMs, fetchedAt + freshMs - clock.now())
    const tag = tagOf(body)
    if (cached?.tag === tag) cached = { ...cached, freshUntil }
    else {
      const answer = encodeBody(`{"success":true,"${kind}":${body}}`)
      cached = { rows: JSON.parse(body) as T[], answer, tag, freshUntil }
    }
  }

  async function refresh(): Promise<void> {
    try {
      const { rows, dropped } = await fetchRows()
      reportDropped(dropped)
      if (await isRefused(rows.length)) return
      const body = JSON.stringify(rows)
      const fetchedAt = clock.now()
      setCached(body, fetchedAt)
      await store.saveList(kind, body, fetchedAt)
    } catch (error) {
      nextTryAt = elapsedBy(clock) + retryMs
      log.warn({ event: 'partner.list-unavailable', kind, err: error })
    }
  }

  async function loadStored(): Promise<void> {
    const copy = await store.findList(kind)
    // An empty copy was stored before empty lists were refused.
    if (copy && copy.body !== '[]' && !cached) setCached(copy.body, copy.fetchedAt)
  }

  return async () => {
    // Once per process; a failed read is tried again with the next request.
    loaded ??= loadStored().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    await loaded
    const now = elapsedBy(clock)
    const isFresh = cached !== undefined && now < cached.freshUntil
    if (!isFresh && now >= nextTryAt) {
      // A work of its own: every request that needs the list waits for it.
      refreshing ??= runTraced(startSpan, 'partner.refresh', refresh).finally(() => {
        refreshing = undefined
      })
      // With a cached copy no request waits for the partner.
      if (!cached) await refreshing
    }
    if (!cached) throw failure(partnerErrors, code, { retryAfterSeconds: retryMs / 1000 })
    return { rows: cached.rows, answer: cached.answer, isStale: elapsedBy(clock) >= cached.freshUntil }
  }
}

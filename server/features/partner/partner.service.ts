import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/logging.ts'
import type { Metrics } from '#server/platform/metrics.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { createCachedList } from './lists.service.ts'
import type { PartnerProvider } from './partner.provider.ts'
import { type ListKind, listKinds, type PartnerStore } from './partner.store.ts'

export type PartnerService = ReturnType<typeof createPartner>

export interface PartnerDeps {
  readonly provider: PartnerProvider
  readonly store: PartnerStore
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
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

export function createPartner({ provider, store, clock, log, metrics }: PartnerDeps) {
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

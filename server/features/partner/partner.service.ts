import { createHash } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import type { Log } from '#server/platform/logging.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { partnerErrors } from '#shared/partner/partner.errors.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { PartnerGateway } from './partner.gateway.ts'
import type { ListKind, PartnerStore } from './partner.store.ts'

/** A list as it is served: the rows, a strong tag over them, and whether the partner could not confirm it. */
export interface ServedList<T> {
  readonly rows: readonly T[]
  readonly etag: string
  readonly isStale: boolean
}

export interface PartnerService {
  /** @throws Failure CENTERS_UNAVAILABLE when the partner is down and no copy was ever kept. */
  listCenters(): Promise<ServedList<Center>>
  /** @throws Failure AGENTS_UNAVAILABLE likewise. */
  listAgents(): Promise<ServedList<PartnerAgent>>
  /** @throws as the lists. */
  findCenter(code: string): Promise<Center | undefined>
  findAgent(id: string): Promise<PartnerAgent | undefined>
  /** `phone` is E.164; the directory may spell it otherwise. */
  findAgentByPhone(phone: string): Promise<PartnerAgent | undefined>
  /** Fetches both lists ahead of the first visitor; failures are logged, not thrown. */
  warmUp(): Promise<void>
}

export interface PartnerDeps {
  readonly gateway: PartnerGateway
  readonly store: PartnerStore
  readonly clock: Clock
  readonly log: Log
}

/** Branches and agents change a few times a season; five minutes of delay is nothing, a call per visitor is much. */
const freshMs = 5 * 60_000
/** After a failure the partner is left alone this long, so that its outage does not slow every visitor down. */
const retryMs = 3_000

/** Made once per list: every request of an agent asks it. */
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

export function createPartner({ gateway, store, clock, log }: PartnerDeps): PartnerService {
  const centers = keptList<Center>('centers', gateway.fetchCenters, 'CENTERS_UNAVAILABLE')
  const agents = keptList<PartnerAgent>('agents', gateway.fetchAgents, 'AGENTS_UNAVAILABLE')

  function keptList<T>(kind: ListKind, fetchRows: () => Promise<T[]>, code: keyof typeof partnerErrors) {
    let kept: { rows: readonly T[]; etag: string; fetchedAt: number } | undefined
    let nextTryAt = 0
    let underWay: Promise<void> | undefined
    let loaded: Promise<void> | undefined

    function keep(body: string, fetchedAt: number): void {
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
      kept = { rows: JSON.parse(body) as T[], etag, fetchedAt }
    }

    async function refresh(): Promise<void> {
      try {
        const body = JSON.stringify(await fetchRows())
        const fetchedAt = clock.now()
        keep(body, fetchedAt)
        await store.keepList(kind, body, fetchedAt)
      } catch (error) {
        nextTryAt = clock.now() + retryMs
        log.warn({ event: 'partner.list-unavailable', kind, err: error })
      }
    }

    async function loadCopy(): Promise<void> {
      const copy = await store.findList(kind)
      if (copy && !kept) keep(copy.body, copy.fetchedAt)
    }

    return async (): Promise<ServedList<T>> => {
      // Once per process; a copy that could not be read is read again.
      loaded ??= loadCopy().catch((error: unknown) => {
        loaded = undefined
        throw error
      })
      await loaded
      const now = clock.now()
      const isFresh = kept !== undefined && now - kept.fetchedAt < freshMs
      if (!isFresh && now >= nextTryAt) {
        underWay ??= refresh().finally(() => {
          underWay = undefined
        })
        // With a copy at hand nobody waits for the partner.
        if (!kept) await underWay
      }
      if (!kept) throw failure(partnerErrors, code, { retryAfterSeconds: retryMs / 1000 })
      return { rows: kept.rows, etag: kept.etag, isStale: clock.now() - kept.fetchedAt >= freshMs }
    }
  }

  return {
    listCenters: centers,
    listAgents: agents,
    async findCenter(code) {
      return (await centers()).rows.find((center) => center.code === code)
    },
    async findAgent(id) {
      return (await agents()).rows.find((agent) => agent.id === id)
    },
    async findAgentByPhone(phone) {
      return phoneBook((await agents()).rows).get(phone)
    },
    async warmUp() {
      await Promise.allSettled([centers(), agents()])
    },
  }
}

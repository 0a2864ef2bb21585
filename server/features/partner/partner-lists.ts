import type { EncodedBody } from '#server/platform/encoded-body.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

export const listKinds = ['centers', 'agents'] as const
export type ListKind = (typeof listKinds)[number]

/** A copy of a list in memory. */
interface CachedCopy<T> {
  readonly rows: readonly T[]
  /** `{ success, centers or agents }`; made once per list. */
  readonly answer: Promise<EncodedBody>
  readonly tag: string
  /** By `elapsedBy`: the clock of the machine may be set. */
  readonly freshUntil: number
}

/** One list as this gateway holds it. */
export interface CachedList<T> {
  copy: CachedCopy<T> | undefined
  /** When the partner answered with the copy, in epoch milliseconds. */
  fetchedAt: number | undefined
  /** By `elapsedBy`, like `freshUntil`. */
  nextTryAt: number
  /** Reads the stored copy, once per process. */
  loading: Promise<void> | undefined
  refreshing: Promise<void> | undefined
  /** The dropped rows that were logged last, as JSON. */
  loggedDropped: string
}

/** The lists of the partner in the memory of a gateway. */
export interface PartnerLists {
  readonly centers: CachedList<Center>
  readonly agents: CachedList<PartnerAgent>
  /** Agents by phone, made once per list, because every request of an agent needs one. */
  phoneBook:
    | { readonly rows: readonly PartnerAgent[]; readonly byPhone: ReadonlyMap<string, PartnerAgent> }
    | undefined
}

const emptyList = <T>(): CachedList<T> => ({
  copy: undefined,
  fetchedAt: undefined,
  nextTryAt: 0,
  loading: undefined,
  refreshing: undefined,
  loggedDropped: '{}',
})

export const emptyPartnerLists = (): PartnerLists => ({
  centers: emptyList(),
  agents: emptyList(),
  phoneBook: undefined,
})

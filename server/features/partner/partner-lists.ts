import type { EncodedBody } from '#server/platform/encoded-body.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

export const listKinds = ['centers', 'agents'] as const
export type ListKind = (typeof listKinds)[number]

interface CachedCopy<T> {
  readonly rows: readonly T[]
  readonly answer: Promise<EncodedBody>
  readonly tag: string
  /** A time of `elapsedBy`, because the wall clock can be set back. */
  readonly freshUntil: number
}

export interface CachedList<T> {
  copy: CachedCopy<T> | undefined
  fetchedAt: number | undefined
  nextTryAt: number
  loading: Promise<void> | undefined
  refreshing: Promise<void> | undefined
  loggedDropped: string
}

export interface PartnerLists {
  readonly centers: CachedList<Center>
  readonly agents: CachedList<PartnerAgent>
  /** Every request of an agent needs this map, so it is built once per list. */
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

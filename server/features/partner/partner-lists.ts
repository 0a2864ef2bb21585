import type { EncodedBody } from '#server/platform/encoded-body.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

export const listKinds = ['centers', 'agents'] as const
export type ListKind = (typeof listKinds)[number]

interface CachedCopy<T> {
  readonly rows: readonly T[]
  /** The body `{ success, centers }` or `{ success, agents }` of the response, encoded once per list. */
  readonly answer: Promise<EncodedBody>
  readonly tag: string
  /** This is a time of `elapsedBy`, because the machine's clock may be changed. */
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
  /** Finds agents by phone. The map is built once per list, because every request of an agent needs it. */
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

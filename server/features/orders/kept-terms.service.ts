import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import type { OrdersStore } from './orders.store.ts'

type TermsStore = Pick<OrdersStore, 'findTerms' | 'findOrder'>

export type KeptTermsService = ReturnType<typeof createKeptTerms>

/** The terms that orders were made on. Each version is read once: its text never changes. */
export function createKeptTerms(store: TermsStore) {
  const known = new Map<string, KeptTerms>()

  /** Terms by their versions; null stands for an order without terms. */
  async function find(versions: readonly (string | null)[]): Promise<ReadonlyMap<string | null, KeptTerms>> {
    const missing = versions.filter((version) => version !== null && !known.has(version))
    for (const [version, body] of await store.findTerms([...new Set(missing as string[])]))
      known.set(version, JSON.parse(body) as KeptTerms)
    return known as ReadonlyMap<string | null, KeptTerms>
  }

  return {
    find,

    /** The promises that held when the order was made; undefined for an unknown order and for one without kept terms. */
    async findPromises(orderId: number): Promise<Promises | undefined> {
      const order = await store.findOrder(orderId)
      if (!order) return undefined
      return (await find([order.terms_version])).get(order.terms_version)?.promises
    },
  }
}

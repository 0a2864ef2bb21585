import type { Core } from '#server/core.ts'
import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { findTerms } from './order-creation.queries.ts'
import { findOrder } from './orders.queries.ts'

/** Each version is read once, because its text never changes. */
export async function readKeptTerms(
  core: Core,
  versions: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, KeptTerms>> {
  const { keptTerms } = core
  const missing = versions.filter((version) => version !== null && !keptTerms.has(version))
  for (const [version, body] of await findTerms(core, [...new Set(missing as string[])]))
    keptTerms.set(version, JSON.parse(body) as KeptTerms)
  return keptTerms as ReadonlyMap<string | null, KeptTerms>
}

/** The promises that held when the order was made; undefined for an unknown order and for one without kept terms. */
export async function findPromises(core: Core, orderId: number): Promise<Promises | undefined> {
  const order = await findOrder(core, orderId)
  if (!order) return undefined
  return (await readKeptTerms(core, [order.terms_version])).get(order.terms_version)?.promises
}

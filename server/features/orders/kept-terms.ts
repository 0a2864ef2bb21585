import type { Core } from '#server/core.ts'
import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { findTerms } from './order-creation.queries.ts'
import { findOrder } from './orders.queries.ts'

/** Reads each version of the terms once, because its text never changes. */
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

/**
 * Returns the promises at the time when the order was made; undefined for an unknown order, or one without stored
 * terms.
 */
export async function findPromises(core: Core, orderId: number): Promise<Promises | undefined> {
  const order = await findOrder(core, orderId)
  if (!order) return undefined
  return (await readKeptTerms(core, [order.terms_version])).get(order.terms_version)?.promises
}

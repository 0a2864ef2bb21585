import type { Core } from '#server/core.ts'
import type { KeptTerms } from '#shared/orders/terms.schemas.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { findTerms } from './order-creation.queries.ts'
import { findOrder } from './orders.queries.ts'

/** The text of a version of the terms never changes, so it stays in memory. */
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

/** Returns the promises that were shown when the order was created. Undefined when they were not stored. */
export async function findPromises(core: Core, orderId: number): Promise<Promises | undefined> {
  const order = await findOrder(core, orderId)
  if (!order) return undefined
  return (await readKeptTerms(core, [order.terms_version])).get(order.terms_version)?.promises
}

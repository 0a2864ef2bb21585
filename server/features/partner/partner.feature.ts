import type { Core } from '#server/core.ts'
import { partnerRoutes } from './partner.routes.ts'
import { warmUp } from './partner.ts'
import { listKinds } from './partner-lists.ts'

export function registerPartner(core: Core): void {
  const { clock, metrics, partnerLists, routes } = core
  metrics.gaugeBy(
    'amtiati_partner_list_age_seconds',
    'Since a list of the partner was fetched that is served. Lists are fetched again when they are read.',
    'list',
    listKinds,
    async () => {
      const ages = new Map<string, number>()
      for (const kind of listKinds) {
        const { fetchedAt } = partnerLists[kind]
        if (fetchedAt !== undefined) ages.set(kind, (clock.now() - fetchedAt) / 1_000)
      }
      return ages
    },
  )
  // The start does not wait for the lists, because the partner is possibly down.
  const warm = async () => void warmUp(core)
  routes.push(partnerRoutes, (_, { app }) => void app.addHook('onReady', warm))
}

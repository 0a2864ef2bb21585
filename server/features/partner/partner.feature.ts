import type { Core } from '#server/core.ts'
import { partnerRoutes } from './partner.routes.ts'
import { createPartner, type PartnerService } from './partner.service.ts'
import { createPartnerStore } from './partner.store.ts'

/** The lists of the shipping partner. */
export function registerPartner(core: Core): PartnerService {
  const partner = createPartner({
    ...core,
    store: createPartnerStore(core.database),
    provider: core.providers.partner,
  })
  core.routes.push((app, scope) => {
    partnerRoutes(app, scope, partner)
    // Not awaited: the gateway starts while the partner is down.
    app.addHook('onReady', async () => void partner.warmUp())
  })
  return partner
}

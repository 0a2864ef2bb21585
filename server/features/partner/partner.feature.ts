import type { Core } from '#server/platform/core.ts'
import { createPartnerProvider } from './partner.provider.http.ts'
import { partnerRoutes } from './partner.routes.ts'
import { createPartner, type PartnerService } from './partner.service.ts'
import { createPartnerStore } from './partner.store.ts'

/** The lists of the shipping partner. */
export function registerPartner(core: Core): PartnerService {
  const { SHIPPING_BASE_URL: baseUrl, SHIPPING_API_KEY: apiKey } = core.config
  const partner = createPartner({
    ...core,
    store: createPartnerStore(core.database),
    provider: createPartnerProvider({ baseUrl, apiKey }, core.externalService('shipping')),
  })
  core.routes.push((app, scope) => {
    partnerRoutes(app, scope, partner)
    // Not awaited: the gateway starts while the partner is down.
    app.addHook('onReady', async () => void partner.warmUp())
  })
  return partner
}

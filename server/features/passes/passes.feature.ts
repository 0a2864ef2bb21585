import type { Core } from '#server/core.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PartnerService } from '#server/features/partner/partner.feature.ts'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import { passesRoutes } from './passes.routes.ts'
import { createPasses } from './passes.service.ts'

interface PassesNeeds {
  readonly orders: OrdersService
  readonly partner: Pick<PartnerService, 'findCenter'>
}

/** The barcode of a bag in a wallet, and the hours of its branch in a calendar. @returns the wallets on offer. */
export function registerPasses(core: Core, { orders, partner }: PassesNeeds) {
  const { config, clock, providers } = core
  const passes = createPasses({
    orders,
    clock,
    publicUrl: config.PUBLIC_URL,
    findHours: async (branch) => (await partner.findCenter(branch))?.hours,
    wallet: providers.wallet,
  })
  core.routes.push((app, scope) => passesRoutes(app, scope, passes))
  const wallets: NonNullable<PublicConfig['wallets']> = providers.wallet ? ['google'] : []
  return { wallets }
}

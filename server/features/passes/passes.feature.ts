import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PartnerService } from '#server/features/partner/partner.service.ts'
import { type Config, simulatorForBrowsers } from '#server/platform/config.ts'
import type { Core } from '#server/platform/core.ts'
import { demoWalletAccount } from '#server/platform/demo-wallet-account.ts'
import type { PublicConfig } from '#shared/config/config.operations.ts'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { saveLink } from '#shared/wire/wallet/wallet.wire.ts'
import { createGoogleWallet } from './google-wallet.provider.ts'
import { passesRoutes } from './passes.routes.ts'
import { createPasses } from './passes.service.ts'

interface PassesNeeds {
  readonly orders: OrdersService
  readonly partner: Pick<PartnerService, 'findCenter'>
}

/** The barcode of a bag in a wallet, and the hours of its branch in a calendar. @returns the wallets on offer. */
export function registerPasses(core: Core, { orders, partner }: PassesNeeds) {
  const { config, clock } = core
  const account = walletAccountOf(config)
  const passes = createPasses({
    orders,
    clock,
    publicUrl: config.PUBLIC_URL,
    findHours: async (branch) => (await partner.findCenter(branch))?.hours,
    wallet: account && createGoogleWallet({ ...account, clock, isTest: config.MODE === 'demo' }),
  })
  core.routes.push((app, scope) => passesRoutes(app, scope, passes))
  const wallets: NonNullable<PublicConfig['wallets']> = account ? ['google'] : []
  return { wallets }
}

/** The operator's; in the demo one that only the simulator accepts. Undefined where passes are not offered. */
function walletAccountOf(config: Config) {
  const { GOOGLE_WALLET_ISSUER_ID: issuerId, GOOGLE_WALLET_ACCOUNT: account } = config
  if (issuerId !== undefined && account !== undefined) return { ...account, issuerId, saveLink }
  const simulator = config.MODE === 'demo' ? simulatorForBrowsers(config) : undefined
  if (simulator === undefined) return undefined
  const demo = { ...demoWalletAccount(), issuerId: demoAccounts.wallet.issuerId }
  return { ...demo, saveLink: `${simulator}/wallet${new URL(saveLink).pathname}` }
}

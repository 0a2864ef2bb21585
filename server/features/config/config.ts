import type { Core } from '#server/core.ts'
import { presentTerms } from '#server/features/orders/terms.rules.ts'
import { listShownStops } from '#server/features/stops/stops.ts'
import { promisesOf } from '#server/platform/config.ts'
import type { PublicConfig } from '#shared/config/config.api.ts'
import { presentPromises } from '#shared/platform/promises.rules.ts'
import { shownConfig } from './config.rules.ts'

export async function readPublicConfig(core: Core): Promise<Omit<PublicConfig, 'success'>> {
  const { config, providers } = core
  const now = core.clock.now()
  return {
    ...shownConfig(config),
    wallets: providers.wallet ? ['google'] : [],
    promises: presentPromises(promisesOf(config), now),
    termsVersion: presentTerms(config, now).version,
    stops: [...(await listShownStops(core))],
  }
}

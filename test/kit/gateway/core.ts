import { registerFeatures } from '#server/app.ts'
import { type Core, createCore, type Providers } from '#server/core.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/logging.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import type { Random } from '#server/platform/random.ts'
import { silentLog } from './feature-app.ts'
import { quietConfig } from './quiet-gateway.ts'

interface CoreOptions {
  readonly config?: Partial<Config>
  readonly providers?: Partial<Providers>
  readonly log?: Log
  readonly random?: Random
}

/** The core of a gateway on a test's database and clock. Without a double of a provider, its service does not answer. */
export async function openCore(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { config, log = silentLog, ...parts }: CoreOptions = {},
): Promise<Core> {
  const core = createCore({
    config: { ...(await quietConfig()), ...config },
    database,
    clock,
    log,
    metrics: createMetrics(),
    ...parts,
  })
  registerFeatures(core)
  return core
}

import type { Engine } from '#server/platform/database/database.ts'
import type { GatewayLimits } from '#server/platform/gateway-limits.ts'
import { isFull } from '../basics/full-run.ts'
import { freshPostgresUrl } from '../database/fresh-postgres.ts'
import { type ProcessStack, startStack } from './stack.ts'

/** The two ways to run the gateway: one process on an SQLite file, or two that share a PostgreSQL. */
export const deployments: readonly {
  readonly name: string
  readonly engine: Engine
  readonly gateways: number
}[] = [
  { name: 'one gateway on SQLite', engine: 'sqlite', gateways: 1 },
  { name: 'two gateways on PostgreSQL', engine: 'postgres', gateways: 2 },
]

/**
 * The deployments of a test whose outcome depends neither on the engine nor on the number of gateways: both in the full
 * run, the one on `short` in the short one. Races of payments, races of codes, stopping and the contracts of the stores run
 * on both engines every time.
 */
export const deploymentsOrOne = (short: Engine) =>
  isFull ? deployments : deployments.filter(({ engine }) => engine === short)

/** `PUBLIC_URL`. The gateways of one deployment share it, because the names of the cookies depend on it. */
const publicUrl = 'http://localhost:3000'

/** Starts a stack on one of the deployments, with the provider's callbacks sent to `callbackUrl`. The caller closes it. */
export async function startDeployment(
  { engine, gateways }: { engine: Engine; gateways: number },
  callbackUrl: string,
  env: Readonly<Record<string, string>> = {},
  limits: Partial<GatewayLimits> = {},
): Promise<ProcessStack> {
  const database =
    engine === 'postgres' && env.DATABASE_URL === undefined ? { DATABASE_URL: await freshPostgresUrl() } : {}
  return startStack({
    gateways,
    limits,
    env: { PUBLIC_URL: publicUrl, CALLBACK_URL: callbackUrl, ...env, ...database },
  })
}

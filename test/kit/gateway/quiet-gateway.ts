import type { FastifyInstance } from 'fastify'
import { createGateway, type GatewayParts } from '#server/app.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { registeredOperations } from '#server/platform/register-operation.ts'
import { patientLimits } from '../basics/patience.ts'
import { openMemory } from '../database/memory-database.ts'
import { silentLog } from './feature-app.ts'
import { newPerson, type Person } from './person.ts'
import { urlWithoutListener } from './stub-service.ts'

export const quietConfig = async (env?: Readonly<Record<string, string>>): Promise<Config> =>
  readQuietConfig(env)

/** A configuration in which none of the external services answers. */
export function readQuietConfig(env: Readonly<Record<string, string>> = {}): Config {
  const unreachable = urlWithoutListener
  const config = readConfig({
    OTP_BASE_URL: unreachable,
    PAYMENT_BASE_URL: unreachable,
    SHIPPING_BASE_URL: unreachable,
    ...env,
  })
  return { ...config, limits: patientLimits }
}

/** The whole gateway on a database in memory, while none of the external services answers. It does not listen yet. */
export async function openQuietGateway(
  env: Readonly<Record<string, string>> = {},
  change: Partial<GatewayParts> = {},
): Promise<FastifyInstance> {
  return createGateway({
    config: await quietConfig(env),
    database: await openMemory(),
    logger: silentLog,
    version: '1.2.3',
    ...change,
  })
}

/** Someone without cookies, at a gateway that listens from now on. */
export async function visitorOf(gateway: FastifyInstance): Promise<Person> {
  if (!gateway.server.listening) await gateway.listen({ host: '127.0.0.1', port: 0 })
  return newPerson({
    gatewayUrl: gateway.listeningOrigin,
    logs: () => [],
    operations: registeredOperations.get(gateway.server) ?? [],
    control: { codeFor: () => Promise.reject(new Error('no code reaches a phone')) },
  })
}

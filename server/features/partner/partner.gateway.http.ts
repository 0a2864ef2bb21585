import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Outsider } from '#server/platform/outsider.ts'
import {
  AgentsAnswer,
  apiKeyHeader,
  CitiesAnswer,
  OfficesAnswer,
  shippingPaths,
} from '#shared/wire/shipping/shipping.wire.ts'
import { agentsOf, centersOf } from './partner.gateway.map.ts'
import { PartnerAnswerError, type PartnerGateway } from './partner.gateway.ts'

export interface PartnerAccount {
  readonly baseUrl: string
  readonly apiKey: string
}

/** People wait for these lists; a copy is at hand where the partner is slow. */
const timeoutMs = 4_000

export function createPartnerGateway(account: PartnerAccount, outsider: Outsider): PartnerGateway {
  async function read<S extends TSchema>(path: string, schema: S): Promise<Static<S>> {
    const { status, body } = await outsider.read({
      method: 'GET',
      url: `${account.baseUrl}${path}`,
      headers: { [apiKeyHeader]: account.apiKey },
      timeoutMs,
    })
    if (status !== 200 || !Value.Check(schema, body)) throw new PartnerAnswerError(path, status)
    return body
  }

  return {
    async fetchCenters() {
      const [offices, cities] = await Promise.all([
        read(shippingPaths.offices, OfficesAnswer),
        read(shippingPaths.cities.replace(':country', 'SA'), CitiesAnswer),
      ])
      return centersOf(offices, cities)
    },
    async fetchAgents() {
      return agentsOf(await read(shippingPaths.agents, AgentsAnswer))
    },
  }
}

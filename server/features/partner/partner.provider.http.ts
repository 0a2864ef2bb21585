import { Value } from 'typebox/value'
import type { ExternalService } from '#server/platform/external-service.ts'
import { AnyRows, apiKeyHeader, shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { agentsOf, centersOf } from './partner.provider.map.ts'
import { PartnerAnswerError, type PartnerProvider } from './partner.provider.ts'

export interface PartnerAccount {
  readonly baseUrl: string
  readonly apiKey: string
}

/** The time-out is short: requests wait for the answer, and usually a cached copy exists. */
const timeoutMs = 4_000

export function createPartnerProvider(account: PartnerAccount, service: ExternalService): PartnerProvider {
  async function read(operation: string, path: string) {
    const { status, body } = await service.read({
      operation,
      method: 'GET',
      url: `${account.baseUrl}${path}`,
      headers: { [apiKeyHeader]: account.apiKey },
      timeoutMs,
    })
    if (status !== 200 || !Value.Check(AnyRows, body)) throw new PartnerAnswerError(path, status)
    return body
  }

  return {
    async fetchCenters() {
      const [offices, cities] = await Promise.all([
        read('list-branches', shippingPaths.offices),
        read('list-cities', shippingPaths.cities.replace(':country', 'SA')),
      ])
      return centersOf(offices, cities)
    },
    async fetchAgents() {
      return agentsOf(await read('list-agents', shippingPaths.agents))
    },
  }
}

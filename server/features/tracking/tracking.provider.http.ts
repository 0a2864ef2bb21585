import type { ExternalService } from '#server/platform/external-service.ts'
import type { HttpResponse } from '#server/platform/http-client.ts'
import { apiKeyHeader } from '#shared/wire/shipping/shipping.wire.ts'
import { trackingPaths } from '#shared/wire/tracking/tracking.wire.ts'
import { reportOf, textsOf } from './tracking.provider.map.ts'
import { type TrackingProvider, TrackingRefusal } from './tracking.provider.ts'
import { callTimeoutMs } from './tracking.rules.ts'

interface TrackingAccount {
  readonly baseUrl: string
  readonly apiKey: string
}

/** The limit of an answer is twice the size of twenty bags with a hundred scans each. */
const mostBytes = 2 * 1024 * 1024

export function createTrackingProvider(account: TrackingAccount, service: ExternalService): TrackingProvider {
  const addressed = (path: string) => ({
    url: `${account.baseUrl}${path}`,
    headers: { [apiKeyHeader]: account.apiKey },
    timeoutMs: callTimeoutMs,
    mostBytes,
  })

  function content<T>(
    what: string,
    { status, body }: HttpResponse,
    read: (body: unknown) => T | undefined,
  ): T {
    const found = status >= 200 && status < 300 ? read(body) : undefined
    if (found === undefined) throw new TrackingRefusal(what, status)
    return found
  }

  return {
    readPush: reportOf,

    async track(awbs) {
      const response = await service.request({
        operation: 'track-bags',
        method: 'POST',
        ...addressed(trackingPaths.bulk),
        json: awbs,
      })
      return content('bulk tracking', response, reportOf)
    },

    async readTexts() {
      const response = await service.request({
        operation: 'read-texts',
        method: 'GET',
        ...addressed(trackingPaths.statuses),
      })
      return content('status look-up', response, textsOf)
    },
  }
}

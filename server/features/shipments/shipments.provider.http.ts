import type { ExternalService } from '#server/platform/external-service.ts'
import type { HttpRequest } from '#server/platform/http-client.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import { apiKeyHeader, shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import {
  pdfOf,
  refusedFieldsOf,
  shipmentRequestOf,
  trackedNumberOf,
  waybillsOf,
} from './shipments.provider.map.ts'
import { type ShipmentProvider, ShipmentRefusal } from './shipments.provider.ts'
import { timeouts } from './shipments.rules.ts'

interface ShipmentAccount {
  readonly baseUrl: string
  readonly apiKey: string
}

export function createShipmentProvider(account: ShipmentAccount, service: ExternalService): ShipmentProvider {
  const addressed = (path: string): Pick<HttpRequest, 'url' | 'headers'> => ({
    url: `${account.baseUrl}${path}`,
    headers: { [apiKeyHeader]: account.apiKey },
  })

  const read = (operation: string, path: string) =>
    service.request({ operation, method: 'GET', ...addressed(path), timeoutMs: timeouts.readMs })

  async function query(number: string): Promise<ReturnType<typeof waybillsOf> | undefined> {
    const path = shippingPaths.queryB2c.replace(':awb', encodeURIComponent(number))
    const { status, body } = await read('query-shipment', path)
    if (status === 404) return undefined
    const waybills = isSuccess(status) ? waybillsOf(body) : []
    if (waybills.length === 0) throw outcomeUnknown('query', status)
    return waybills
  }

  return {
    async create(request) {
      const { status, body } = await service.request({
        operation: 'create-shipment',
        method: 'POST',
        ...addressed(shippingPaths.createB2c),
        json: shipmentRequestOf(request),
        timeoutMs: timeouts.createMs,
      })
      const [waybill] = isSuccess(status) ? waybillsOf(body) : []
      if (waybill) return { awb: waybill.awb, pdf: pdfOf(waybill.file) }
      const fields = refusedFieldsOf(status, body)
      if (fields) throw new ShipmentRefusal(status, fields)
      throw outcomeUnknown('create', status)
    },

    async findByReference(reference) {
      const path = shippingPaths.trackReference.replace(':reference', encodeURIComponent(reference))
      const { status, body } = await read('find-reference', path)
      if (status === 404) return undefined
      const number = isSuccess(status) ? trackedNumberOf(body, reference) : 'unreadable'
      if (number === 'unreadable') throw outcomeUnknown('track', status)
      if (number === undefined) return undefined
      // The partner's tracking answer contains the number of the shipment. The query accepts it and returns the number
      // of the piece.
      const [waybill] = (await query(number)) ?? []
      if (!waybill) throw outcomeUnknown('query after track', 404)
      return { awb: waybill.awb, pdf: pdfOf(waybill.file) }
    },

    async fetchLabel(awb) {
      const waybills = await query(awb)
      return pdfOf(waybills?.find((waybill) => waybill.awb === awb)?.file)
    },
  }
}

const outcomeUnknown = (what: string, status: number) =>
  new OutcomeUnknownError(`the shipping partner answered ${status} to ${what}`, { status })

const isSuccess = (status: number) => status >= 200 && status < 300

import { Value } from 'typebox/value'
import type { Exchange } from '#server/platform/http-client.ts'
import type { Outsider } from '#server/platform/outsider.ts'
import {
  apiKeyHeader,
  B2cShipment,
  shippingPaths,
  TrackReferenceAnswer,
  ValidationProblem,
} from '#shared/wire/shipping/shipping.wire.ts'
import { pdfOf, shipmentRequestOf } from './shipments.gateway.map.ts'
import { ShipmentDoubt, type ShipmentGateway, ShipmentRefusal } from './shipments.gateway.ts'
import { patience } from './shipments.rules.ts'

export interface ShipmentAccount {
  readonly baseUrl: string
  readonly apiKey: string
}

export function createShipmentGateway(account: ShipmentAccount, outsider: Outsider): ShipmentGateway {
  const addressed = (path: string): Pick<Exchange, 'url' | 'headers'> => ({
    url: `${account.baseUrl}${path}`,
    headers: { [apiKeyHeader]: account.apiKey },
  })

  // Asked once: the worker tries again by itself, and a try must end before its lease does.
  const read = (path: string) =>
    outsider.exchange({ method: 'GET', ...addressed(path), timeoutMs: patience.readMs })

  async function query(number: string): Promise<B2cShipment | undefined> {
    const path = shippingPaths.queryB2c.replace(':awb', encodeURIComponent(number))
    const { status, body } = await read(path)
    if (status === 404) return undefined
    if (status !== 200 || !Value.Check(B2cShipment, body)) throw new ShipmentDoubt('query', status)
    return body
  }

  return {
    async create(request) {
      const { status, body } = await outsider.exchange({
        method: 'POST',
        ...addressed(shippingPaths.createB2c),
        json: shipmentRequestOf(request),
        timeoutMs: patience.createMs,
      })
      // The validation problem may come with any status, 200 included.
      if (Value.Check(ValidationProblem, body)) throw new ShipmentRefusal(status, Object.keys(body.errors))
      if (status === 401 || status === 403) throw new ShipmentRefusal(status, [apiKeyHeader])
      const [waybill] = status === 200 && Value.Check(B2cShipment, body) ? body.waybills : []
      if (!waybill) throw new ShipmentDoubt('create', status)
      return { awb: waybill.awb, pdf: pdfOf(waybill.awbFile) }
    },

    async findByReference(reference) {
      const path = shippingPaths.trackReference.replace(':reference', encodeURIComponent(reference))
      const { status, body } = await read(path)
      if (status === 404) return undefined
      if (status !== 200 || !Value.Check(TrackReferenceAnswer, body)) throw new ShipmentDoubt('track', status)
      const [record] = (Array.isArray(body) ? body : [body]).filter(
        ({ Reference }) => Reference === reference,
      )
      if (!record) return undefined
      // Public samples show the shipment's number where the piece's belongs: the query knows both, and the piece.
      const [waybill] = (await query(record.AWB))?.waybills ?? []
      if (!waybill) throw new ShipmentDoubt('query after track', 404)
      return { awb: waybill.awb, pdf: pdfOf(waybill.awbFile) }
    },

    async fetchLabel(awb) {
      const shipment = await query(awb)
      return pdfOf(shipment?.waybills.find((waybill) => waybill.awb === awb)?.awbFile)
    },
  }
}

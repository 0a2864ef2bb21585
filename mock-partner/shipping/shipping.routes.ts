import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  apiKeyHeader,
  type B2cShipment,
  type PartnerProblem,
  shippingPaths,
  type TrackingRecord,
  type ValidationProblem,
  type Waybill,
} from '#shared/wire/shipping/shipping.wire.ts'
import { agents, citiesOf, offices } from './shipping.directory.ts'
import { createLabelCache, type LabelRenderer } from './shipping.label.ts'
import { checkCreateRequest, type FieldErrors, partnerTimeOf, scansAt } from './shipping.rules.ts'
import { type ShippingScenario, scenariosIn } from './shipping.scenarios.ts'
import type { ShipmentRecord, ShippingWorld } from './shipping.world.ts'
import { zplLabel } from './shipping.zpl.ts'

export interface ShippingRoutesOptions {
  readonly world: ShippingWorld
  /** The one key that is accepted. */
  readonly apiKey: string
  /** Makes the PDF of a piece; left out, real labels are drawn and the last ones kept. */
  readonly label?: LabelRenderer
}

/** How long a shipment of the scenario `not-indexed` stays unknown to every question. */
const indexingMs = 60_000

/** The shipping partner's API. Register it below the prefix that is the gateway's base URL. */
export async function registerShippingRoutes(
  app: FastifyInstance,
  { world, apiKey, label = createLabelCache() }: ShippingRoutesOptions,
): Promise<void> {
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status === 400) return reply.code(400).send(validationProblem(request, { $: [String(error)] }))
    return reply.code(status).send(problem(request, status))
  })

  /** The tester's view of a label; not part of the partner's API, so it asks for no key and counts nothing. */
  app.get<{ Params: { awb: string } }>('/labels/:awb(^\\d{12}).pdf', async (request, reply) => {
    const { awb } = request.params
    const shipment = world.findByNumber(awb)
    const pieceIndex = shipment?.awbs.indexOf(awb) ?? -1
    if (!shipment || pieceIndex < 0) return reply.code(404).send(problem(request, 404))
    return reply.type('application/pdf').send(await label(shipment, pieceIndex))
  })

  await app.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      if (request.headers[apiKeyHeader] !== apiKey) return reply.code(401).send(problem(request, 401))
    })

    api.post(shippingPaths.createB2c, async (request, reply) => {
      const checked = checkCreateRequest(request.body)
      if (!checked.isValid) return reply.code(400).send(validationProblem(request, checked.errors))
      const scenarios = scenariosOf(checked.request)

      if (scenarios.has('refused')) return reply.code(400).send(validationProblem(request, cityRefused))
      if (scenarios.has('failed')) return reply.code(500).send(problem(request, 500))
      if (scenarios.has('error-in-200')) return reply.send(validationProblem(request, cityRefused))

      const shipment = world.createShipment(checked.request)
      if (scenarios.has('created-but-500')) return reply.code(500).send(problem(request, 500))
      if (scenarios.has('text-in-200')) return reply.type('text/plain').send('Shipment created successfully')
      return reply.send(await answerOf(shipment, { isFirst: true }))
    })

    api.get<{ Params: { awb: string } }>(shippingPaths.queryB2c, async (request, reply) => {
      world.noteLookup()
      const shipment = findIndexed(request.params.awb)
      if (!shipment) return reply.code(404).send(problem(request, 404))
      return reply.send(await answerOf(shipment, { isFirst: false }))
    })

    api.get<{ Params: { awb: string } }>(shippingPaths.trackSingle, async (request, reply) => {
      world.noteLookup()
      const shipment = findIndexed(request.params.awb)
      if (!shipment) return reply.code(404).send(problem(request, 404))
      return reply.send(trackingOf(shipment))
    })

    api.get<{ Params: { reference: string } }>(shippingPaths.trackReference, async (request, reply) => {
      world.noteLookup()
      const { reference } = request.params
      const known = world
        .findShipments(reference)
        .filter((shipment) => shipment.reference === reference && isIndexed(shipment))
      const [first] = known
      if (first)
        return reply.send(
          scenariosOf(first.request).has('bare-record') ? trackingOf(first) : known.map(trackingOf),
        )
      const scenarios = scenariosIn(reference)
      if (scenarios.has('unknown-is-empty')) return reply.send([])
      if (scenarios.has('unknown-is-bodiless')) return reply.code(404).send()
      return reply.code(404).send(problem(request, 404))
    })

    api.get(shippingPaths.offices, async (_request, reply) => reply.send(offices))

    api.get<{ Params: { country: string } }>(shippingPaths.cities, async (request, reply) =>
      reply.send(citiesOf(request.params.country.toUpperCase())),
    )

    api.get(shippingPaths.agents, async (_request, reply) => reply.send(agents))
  })

  function isIndexed(shipment: ShipmentRecord): boolean {
    const isHeldBack = scenariosOf(shipment.request).has('not-indexed')
    return !isHeldBack || world.now() - shipment.createdAtMs >= indexingMs
  }

  function findIndexed(number: string): ShipmentRecord | undefined {
    const shipment = world.findByNumber(number)
    return shipment && isIndexed(shipment) ? shipment : undefined
  }

  async function answerOf(shipment: ShipmentRecord, { isFirst }: { isFirst: boolean }): Promise<B2cShipment> {
    const scenarios = scenariosOf(shipment.request)
    const lacksLastFile = scenarios.has('no-label') || (isFirst && scenarios.has('label-late'))
    const waybills: Waybill[] = []
    for (const [pieceIndex, awb] of shipment.awbs.entries()) {
      const isLast = pieceIndex === shipment.awbs.length - 1
      if (isLast && lacksLastFile) waybills.push({ awb })
      else waybills.push({ awb, awbFile: await fileOf(shipment, pieceIndex, scenarios) })
    }
    world.noteLabels(waybills.filter(({ awbFile }) => awbFile !== undefined).length)
    return {
      sawb: shipment.sawb,
      ...(scenarios.has('no-create-date') ? {} : { createDate: partnerTimeOf(shipment.createdAtMs) }),
      shipmentParcelsCount: shipment.awbs.length,
      waybills,
    }
  }

  async function fileOf(
    shipment: ShipmentRecord,
    pieceIndex: number,
    scenarios: ReadonlySet<ShippingScenario>,
  ): Promise<string> {
    const isZpl = shipment.request.WaybillType === 'ZPL' || scenarios.has('zpl')
    const bytes = isZpl ? Buffer.from(zplLabel(shipment, pieceIndex)) : await label(shipment, pieceIndex)
    return bytes.toString('base64')
  }

  function trackingOf(shipment: ShipmentRecord): TrackingRecord {
    const { request } = shipment
    const scenarios = scenariosOf(request)
    const scans = scansAt(request, shipment.createdAtMs, world.now())
    if (scenarios.has('unknown-scan'))
      scans.unshift({
        City: request.ShipperAddress.City,
        ScanType: 'ZZ9',
        ScanDescription: 'Undocumented',
        ScanDateTime: partnerTimeOf(world.now()),
        ScanTimeZone: '+03:00',
      })
    return {
      AWB: shipment.awb,
      Reference: shipment.reference,
      Pieces: shipment.awbs.length,
      CODAmount: request.CODAmount,
      ContentDesc: request.ContentDescription,
      RecipientName: request.ConsigneeAddress.ContactName,
      OriginCity: request.ShipperAddress.City,
      OriginCountry: request.ShipperAddress.Country,
      DesinationCity: request.ConsigneeAddress.City,
      DesinationCountry: request.ConsigneeAddress.Country,
      ...(scans.some(({ ScanType }) => ScanType === 'DL') ? { isDelivered: true } : {}),
      ...(scenarios.has('no-scans') ? {} : { Scans: scans }),
    }
  }
}

function scenariosOf(request: ShipmentRecord['request']): ReadonlySet<ShippingScenario> {
  return scenariosIn(request.OrderNumber, request.ContentDescription, request.ConsigneeAddress.ContactName)
}

const cityRefused: FieldErrors = { 'ConsigneeAddress.City': ['City is not in the list of served cities.'] }

/** ASP.NET's titles, and the sections of RFC 7231 and 7235 it points at. */
const problems: Record<number, { title: string; section: string }> = {
  401: { title: 'Unauthorized', section: 'rfc7235#section-3.1' },
  404: { title: 'Not Found', section: 'rfc7231#section-6.5.4' },
  413: { title: 'Payload Too Large', section: 'rfc7231#section-6.5.11' },
  415: { title: 'Unsupported Media Type', section: 'rfc7231#section-6.5.13' },
  500: { title: 'An error occurred while processing your request.', section: 'rfc7231#section-6.6.1' },
}

function problem(request: FastifyRequest, status: number): PartnerProblem {
  const { title, section } = problems[status] ?? { title: 'Error', section: 'rfc7231#section-6' }
  return { type: `https://tools.ietf.org/html/${section}`, title, status, traceId: request.id }
}

function validationProblem(request: FastifyRequest, errors: FieldErrors): ValidationProblem {
  return {
    type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    traceId: request.id,
    errors,
  }
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 ? status : 500
}

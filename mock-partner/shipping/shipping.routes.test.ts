import Fastify, { type FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { Errors, Parse } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Clock, createClock } from '#mock/platform/clock.ts'
import { createScheduler } from '#mock/platform/scheduler.ts'
import {
  AgentsAnswer,
  apiKeyHeader,
  B2cShipment,
  CitiesAnswer,
  OfficesAnswer,
  PartnerProblem,
  shippingPaths,
  TrackingRecord,
  TrackReferenceAnswer,
  ValidationProblem,
} from '#shared/wire/shipping/shipping.wire.ts'
import { trackingPaths } from '#shared/wire/tracking/tracking.wire.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'
import { agents, citiesOf, offices } from './shipping.directory.ts'
import { createJourneys, type Journeys } from './shipping.journey.ts'
import { registerShippingRoutes } from './shipping.routes.ts'
import { type ShippingScenario, shippingScenarios } from './shipping.scenarios.ts'
import { createShippingControl, type ListShape, type ShippingControl } from './shipping.settings.ts'
import { createShippingState, type ShippingState } from './shipping.state.ts'
import { registerTrackingRoutes } from './shipping.tracking.routes.ts'
import { createShipmentAnswers } from './shipping.wire.ts'

const apiKey = 'a-key'
const noon = Date.UTC(2027, 4, 18, 12, 30)
const hourMs = 3_600_000
const pdf = Buffer.from('%PDF-1.3 a label')

let clock: Clock
let state: ShippingState
let journeys: Journeys
let control: ShippingControl
let app: FastifyInstance

beforeEach(async () => {
  clock = createClock(() => noon)
  state = createShippingState({ clock })
  app = Fastify()
  control = createShippingControl(0, () => 0.25)
  journeys = createJourneys({ state, scheduler: createScheduler(clock, () => () => {}) })
  const parts = { state, journeys, control, label: async () => pdf }
  await app.register((scope) => registerShippingRoutes(scope, { ...parts, apiKey }), { prefix: '/shipping' })
  const answers = createShipmentAnswers(parts)
  await app.register(
    (scope) => registerTrackingRoutes(scope, { answers, apiKey, counts: state.trackingCounts }),
    { prefix: '/shipping' },
  )
})

afterEach(() => app.close())

function pathOf(pattern: string, value = ''): string {
  return `/shipping${pattern.replace(/:\w+/, encodeURIComponent(value))}`
}

function get(pattern: string, value?: string) {
  return app.inject({ url: pathOf(pattern, value), headers: { [apiKeyHeader]: apiKey } })
}

function post(path: string, payload: string, headers: Record<string, string> = {}) {
  const usual = { [apiKeyHeader]: apiKey, 'content-type': 'application/json' }
  return app.inject({ method: 'POST', url: pathOf(path), headers: { ...usual, ...headers }, payload })
}

const create = (payload: unknown = createRequest()) => post(shippingPaths.createB2c, JSON.stringify(payload))

/** The statuses of the three look-ups of a shipment. */
async function lookUps(number: string, reference: string): Promise<number[]> {
  const asked = [
    get(shippingPaths.queryB2c, number),
    get(shippingPaths.trackSingle, number),
    get(shippingPaths.trackReference, reference),
  ]
  return (await Promise.all(asked)).map(({ statusCode }) => statusCode)
}

/** The body, checked against the wire. */
function read<T extends TSchema>(schema: T, response: { json(): unknown }) {
  const body = response.json()
  expect([...Errors(schema, body)]).toEqual([])
  return Parse(schema, body)
}

function refusedFields(response: { json(): unknown }): string[] {
  return Object.keys(read(ValidationProblem, response).errors).toSorted()
}

describe('the key', () => {
  it.each([
    ['POST', shippingPaths.createB2c],
    ['GET', shippingPaths.queryB2c],
    ['GET', shippingPaths.trackSingle],
    ['GET', shippingPaths.trackReference],
    ['GET', shippingPaths.offices],
    ['GET', shippingPaths.cities],
    ['GET', shippingPaths.agents],
  ] as const)('is required by %s %s', async (method, path) => {
    for (const headers of [{}, { [apiKeyHeader]: 'another-key' }]) {
      const response = await app.inject({ method, url: pathOf(path, 'x'), headers })
      expect(response.statusCode).toBe(401)
      expect(read(PartnerProblem, response).status).toBe(401)
    }
    expect(state.counters()).toEqual({ shipments: 0, labels: 0, lookups: 0 })
  })

  it('is read under any spelling of the header', async () => {
    const response = await app.inject({ url: pathOf(shippingPaths.agents), headers: { ApiKey: apiKey } })
    expect(response.statusCode).toBe(200)
  })
})

describe('create', () => {
  it('answers a shipment with one waybill and its label', async () => {
    const response = await create()
    expect(response.statusCode).toBe(200)
    const shipment = read(B2cShipment, response)
    const [known] = state.findShipments('OD-42-1')
    expect(shipment).toEqual({
      sawb: known?.sawb,
      createDate: '2027-05-18T15:30:00',
      shipmentParcelsCount: 1,
      waybills: [{ awb: known?.awb, awbFile: pdf.toString('base64') }],
    })
    expect(known?.request).toEqual(createRequest())
    expect(state.counters()).toEqual({ shipments: 1, labels: 1, lookups: 0 })
  })

  it('answers one waybill for each parcel', async () => {
    const shipment = read(B2cShipment, await create(createRequest({ Parcels: 3 })))
    expect(shipment.shipmentParcelsCount).toBe(3)
    expect(new Set(shipment.waybills.map(({ awb }) => awb)).size).toBe(3)
    expect(state.counters().labels).toBe(3)
  })

  it('makes a second shipment when the same order number is sent again', async () => {
    const first = read(B2cShipment, await create())
    const second = read(B2cShipment, await create())
    expect(second.waybills[0]?.awb).not.toBe(first.waybills[0]?.awb)
    expect(state.findShipments('OD-42-1')).toHaveLength(2)
  })

  it('sends ZPL when asked for it', async () => {
    const shipment = read(B2cShipment, await create(createRequest({ WaybillType: 'ZPL' })))
    const [waybill] = shipment.waybills
    const text = Buffer.from(waybill?.awbFile ?? '', 'base64').toString('utf8')
    expect(text).toMatch(/^\^XA[\s\S]+\^XZ$/)
    expect(text).toContain(`^FD>;${waybill?.awb}^FS`)
  })

  const consignee = (fields: object) => ({
    ...createRequest(),
    ConsigneeAddress: { ...createRequest().ConsigneeAddress, ...fields },
  })
  const shipper = (fields: object) => ({
    ...createRequest(),
    ShipperAddress: { ...createRequest().ShipperAddress, ...fields },
  })

  it.each<[string, string, unknown]>([
    ['a one-word name', 'ConsigneeAddress.ContactName', consignee({ ContactName: 'علي' })],
    ['a name of 151 characters', 'ShipperAddress.ContactName', shipper({ ContactName: 'x'.repeat(151) })],
    ['no name', 'ConsigneeAddress.ContactName', consignee({ ContactName: undefined })],
    ['no phone', 'ConsigneeAddress.ContactPhoneNumber', consignee({ ContactPhoneNumber: '' })],
    ['a short address', 'ConsigneeAddress.AddressLine1', consignee({ AddressLine1: 'شارع 7' })],
    [
      'an address of 101 characters',
      'ShipperAddress.AddressLine1',
      shipper({ AddressLine1: 'x'.repeat(101) }),
    ],
    ['a long second line', 'ConsigneeAddress.AddressLine2', consignee({ AddressLine2: 'x'.repeat(101) })],
    ['a city it does not serve', 'ConsigneeAddress.City', consignee({ City: 'Atlantis' })],
    ['a city in Arabic', 'ConsigneeAddress.City', consignee({ City: 'الرياض' })],
    ['a city of another country', 'ConsigneeAddress.City', consignee({ Country: 'AE' })],
    ['coordinates of one number', 'ShipperAddress.Coordinates', shipper({ Coordinates: '24.6' })],
    ['a short address code on the shipper', 'ShipperAddress.ShortCode', shipper({ ShortCode: 'RRRD2929' })],
    ['a malformed short address code', 'ConsigneeAddress.ShortCode', consignee({ ShortCode: 'RRR29299' })],
    ['no shipper', 'ShipperAddress', { ...createRequest(), ShipperAddress: undefined }],
    ['no order number', 'OrderNumber', createRequest({ OrderNumber: '' })],
    ['an order number of 51 characters', 'OrderNumber', createRequest({ OrderNumber: 'x'.repeat(51) })],
    ['no contents', 'ContentDescription', { ...createRequest(), ContentDescription: undefined }],
    ['a declared value of nothing', 'DeclaredValue', createRequest({ DeclaredValue: 0 })],
    ['a negative cash amount', 'CODAmount', createRequest({ CODAmount: -1 })],
    ['half a parcel', 'Parcels', createRequest({ Parcels: 1.5 })],
    ['no parcel', 'Parcels', createRequest({ Parcels: 0 })],
    ['a parcel count as text', 'Parcels', { ...createRequest(), Parcels: '1' }],
    ['no weight', 'Weight', createRequest({ Weight: 0 })],
    ['a weight in stones', 'WeightUnit', { ...createRequest(), WeightUnit: 'ST' }],
    ['a date with a zone', 'ShipDate', createRequest({ ShipDate: '2027-05-18T15:30:00Z' })],
    ['a day that does not exist', 'ShipDate', createRequest({ ShipDate: '2027-02-30T15:30:00' })],
    ['a currency by its sign', 'ShipmentCurrency', createRequest({ ShipmentCurrency: 'SR' })],
    ['a service the account lacks', 'ServiceCode', createRequest({ ServiceCode: 'XXXX' })],
    ['an office that does not exist', 'SMSARetailID', createRequest({ SMSARetailID: '99999' })],
    ['a picture as label', 'WaybillType', { ...createRequest(), WaybillType: 'PNG' }],
    ['a flag as text', 'VatPaid', { ...createRequest(), VatPaid: 'true' }],
  ])('refuses %s, naming %s and nothing else', async (_what, field, payload) => {
    const response = await create(payload)
    expect(response.statusCode).toBe(400)
    expect(refusedFields(response)).toEqual([field])
    expect(state.counters().shipments).toBe(0)
  })

  it.each([
    ['name', { ContactName: 'x'.repeat(5) }],
    ['name', { ContactName: 'x'.repeat(150) }],
    ['address', { AddressLine1: 'x'.repeat(10), AddressLine2: 'x'.repeat(100) }],
    ['address', { AddressLine1: 'x'.repeat(100), AddressLine2: '' }],
  ])('accepts %s at the limit', async (_what, fields) => {
    expect((await create(consignee(fields))).statusCode).toBe(200)
  })

  it('names all refused fields at once', async () => {
    const response = await create({})
    expect(refusedFields(response)).toEqual(
      [
        'CODAmount',
        'ConsigneeAddress',
        'ContentDescription',
        'DeclaredValue',
        'OrderNumber',
        'Parcels',
        'ShipDate',
        'ShipmentCurrency',
        'ShipperAddress',
        'Weight',
        'WeightUnit',
      ].toSorted(),
    )
  })

  it.each(['{"OrderNumber":', '[]', '"text"', ''])(
    'refuses the body %j with a validation body',
    async (payload) => {
      const response = await post(shippingPaths.createB2c, payload)
      expect(response.statusCode).toBe(400)
      expect(refusedFields(response)).toEqual(['$'])
    },
  )

  it('refuses a body that is not JSON', async () => {
    const response = await post(shippingPaths.createB2c, '<order/>', { 'content-type': 'application/xml' })
    expect(response.statusCode).toBe(415)
    expect(read(PartnerProblem, response).status).toBe(415)
  })
})

describe('query', () => {
  it('answers as the creation did, by the number of the piece or of the shipment', async () => {
    const created = read(B2cShipment, await create())
    for (const number of [created.waybills[0]?.awb ?? '', created.sawb]) {
      const response = await get(shippingPaths.queryB2c, number)
      expect(response.statusCode).toBe(200)
      expect(read(B2cShipment, response)).toEqual(created)
    }
    expect(state.counters()).toEqual({ shipments: 1, labels: 3, lookups: 2 })
  })
})

describe('tracking', () => {
  it('answers one record for each shipment of a reference, oldest first', async () => {
    await create()
    await create()
    const response = await get(shippingPaths.trackReference, 'OD-42-1')
    expect(response.statusCode).toBe(200)
    const records = read(TrackReferenceAnswer, response)
    expect(records).toMatchObject(
      state.findShipments('OD-42-1').map(({ awb }) => ({ AWB: awb, Reference: 'OD-42-1', Scans: [] })),
    )
    expect(records).toHaveLength(2)
  })

  it('finds a reference with special characters', async () => {
    const reference = 'OD/42 #1 طلب'
    await create(createRequest({ OrderNumber: reference }))
    const records = read(TrackReferenceAnswer, await get(shippingPaths.trackReference, reference))
    expect(records).toMatchObject([{ Reference: reference }])
  })

  it('answers 404 for an unknown reference, also for one that is an AWB', async () => {
    const created = read(B2cShipment, await create())
    for (const reference of ['OD-43-1', created.sawb]) {
      const response = await get(shippingPaths.trackReference, reference)
      expect(response.statusCode).toBe(404)
      expect(read(PartnerProblem, response).title).toBe('Not Found')
    }
  })

  it('shows the scans of a shipment from none to delivered as it is advanced, newest first', async () => {
    const created = read(B2cShipment, await create())
    const awb = created.waybills[0]?.awb ?? ''
    const track = async () => read(TrackingRecord, await get(shippingPaths.trackSingle, awb))
    expect(await track()).toEqual({
      AWB: awb,
      Reference: 'OD-42-1',
      Pieces: 1,
      CODAmount: 0,
      ContentDesc: 'Pilgrim luggage',
      RecipientName: 'عبدالرحمن العتيبي',
      OriginCity: 'Mina',
      OriginCountry: 'SA',
      DesinationCity: 'Riyadh',
      DesinationCountry: 'SA',
      Scans: [],
    })
    const [shipment] = state.findShipments('OD-42-1')
    if (!shipment) throw new Error('there is a shipment')
    clock.advance(26 * hourMs)
    expect((await track()).Scans).toEqual([])
    journeys.advance(shipment, 'at-branch')
    const waiting = await track()
    expect(waiting.isDelivered).toBeUndefined()
    expect(waiting.Scans?.map(({ ScanType }) => ScanType)).toEqual(['CC', 'AF', 'HOP', 'PU'])
    expect(waiting.Scans?.[0]).toMatchObject({
      City: 'Riyadh',
      ScanDateTime: '2027-05-19T17:30:00',
      ScanTimeZone: '+03:00',
    })
    journeys.advance(shipment)
    const delivered = await track()
    expect(delivered.isDelivered).toBe(true)
    expect(delivered.Scans?.[0]).toMatchObject({ ScanType: 'DL', ReceivedBy: 'عبدالرحمن العتيبي' })
  })

  it('answers 404 for an unknown AWB', async () => {
    expect((await get(shippingPaths.trackSingle, '000000000000')).statusCode).toBe(404)
  })
})

describe('bulk tracking', () => {
  const bulk = (payload: unknown, key = apiKey) =>
    post(trackingPaths.bulk, JSON.stringify(payload), { [apiKeyHeader]: key })

  it('answers the records of known numbers, and leaves out unknown ones', async () => {
    const created = read(B2cShipment, await create())
    const awb = created.waybills[0]?.awb ?? ''
    const response = await bulk([awb, '000000000000'])
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject([{ AWB: awb, Scans: [] }])
  })

  it('refuses a body that is no list of numbers, and a wrong key', async () => {
    expect((await bulk({ AWB: '231200000001' })).statusCode).toBe(400)
    expect((await bulk(['short'])).statusCode).toBe(400)
    expect((await bulk(['231200000001'], 'another')).statusCode).toBe(401)
  })
})

describe('look-ups', () => {
  it('serve the offices, foreign ones among them', async () => {
    expect(read(OfficesAnswer, await get(shippingPaths.offices))).toEqual(offices)
  })

  it('serve the agents as a bare array', async () => {
    expect(read(AgentsAnswer, await get(shippingPaths.agents))).toEqual(agents)
  })

  it('serve the cities of a country, by which foreign offices are recognised', async () => {
    const saudi = read(CitiesAnswer, await get(shippingPaths.cities, 'SA')).map(({ cityName }) => cityName)
    expect(saudi).toContain('Riyadh')
    expect(saudi).not.toContain('Dubai')
    expect(
      read(CitiesAnswer, await get(shippingPaths.cities, 'ae')).map(({ cityName }) => cityName),
    ).toContain('Dubai')
    expect(read(CitiesAnswer, await get(shippingPaths.cities, 'FR'))).toEqual([])
  })
})

describe('the control of the partner', () => {
  it('hides shipments from look-ups for a random time, and never from testers', async () => {
    control.change({ lagMs: 40_000 })
    const created = read(B2cShipment, await create(createRequest({ OrderNumber: 'OD-7-7' })))
    const awb = created.waybills[0]?.awb ?? ''
    const statuses = () => lookUps(awb, 'OD-7-7')
    expect(await statuses()).toEqual([404, 404, 404])
    expect(state.findShipments('OD-7-7')).toHaveLength(1)
    clock.advance(9_999)
    expect(await statuses()).toEqual([404, 404, 404])
    clock.advance(1)
    expect(await statuses()).toEqual([200, 200, 200])
  })

  it('keeps in a snapshot when a shipment becomes visible', () => {
    const { visibleAtMs } = state.createShipment(createRequest(), 9_000)
    const kept = structuredClone(state.snapshot())
    state.reset()
    state.restore(kept)
    expect(state.listShipments()).toMatchObject([{ visibleAtMs }])
  })

  it('applies a scenario to every request', async () => {
    control.change({ scenarios: ['created-201', 'sparse'] })
    const response = await create()
    expect([response.statusCode, response.json().sawb]).toEqual([201, null])
  })

  it.each([
    ['offices', shippingPaths.offices, '', () => offices],
    ['agents', shippingPaths.agents, '', () => agents],
    ['cities', shippingPaths.cities, 'SA', () => citiesOf('SA')],
  ] as const)(
    'gives the %s empty, halved, with one bad row and unusual',
    async (list, path, param, rowsOf) => {
      const rows = rowsOf()
      const answer = async (shape: ListShape) => {
        control.change({ [list]: shape })
        return (await get(path, param)).json() as unknown[]
      }
      expect(await answer('empty')).toEqual([])
      const halved = await answer('halved')
      expect(halved.length).toBeGreaterThan(0)
      expect(halved.length).toBeLessThan(rows.length / 2)
      expect(await answer('one-bad-row')).toEqual([null, ...rows.slice(1)])
      const unusual = await answer('unusual')
      expect(unusual).toHaveLength(rows.length)
      expect(unusual).not.toEqual(rows)
      expect(await answer('usual')).toEqual(rows)
    },
  )

  it('returns to its initial settings', () => {
    const started = createShippingControl(5)
    const before = started.read()
    started.change({ lagMs: 9, scenarios: ['zpl'], offices: 'empty' })
    started.reset()
    expect(started.read()).toEqual(before)
  })
})

describe('the tester’s view of a label', () => {
  it('is a PDF, needs no key and counts nothing', async () => {
    const { awb } = state.createShipment(createRequest())
    const response = await app.inject({ url: `/shipping/labels/${awb}.pdf` })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/pdf')
    expect(response.rawPayload).toEqual(pdf)
    expect(state.counters()).toEqual({ shipments: 1, labels: 0, lookups: 0 })
  })
})

describe('scenarios', () => {
  const triggered = (scenario: ShippingScenario, parts: Parameters<typeof createRequest>[0] = {}) =>
    createRequest({ ContentDescription: `Luggage ${shippingScenarios[scenario]}`, ...parts })

  it.each([
    ['OrderNumber', createRequest({ OrderNumber: 'TEST-FAILED-1' })],
    ['ContentDescription', createRequest({ ContentDescription: 'x TEST-FAILED' })],
    ['ContactName of the consignee', createRequest({ ConsigneeAddress: { ContactName: 'TEST-FAILED' } })],
  ])('are triggered from %s', async (_where, request) => {
    expect((await create(request)).statusCode).toBe(500)
  })

  it('have triggers that do not contain each other', () => {
    const triggers = Object.values(shippingScenarios)
    for (const trigger of triggers)
      expect(triggers.filter((other) => other.includes(trigger))).toHaveLength(1)
  })

  type Answer = Awaited<ReturnType<typeof create>>
  interface Effect {
    readonly parts?: Parameters<typeof createRequest>[0]
    /** Of the answer to the creation; 200 unless it says otherwise. */
    readonly status?: number
    /** How many shipments it makes; one unless it says otherwise. */
    readonly made?: number
    readonly shows?: (answer: Answer) => void | Promise<void>
  }

  const namesTheCity = (answer: Answer) => expect(refusedFields(answer)).toEqual(['ConsigneeAddress.City'])
  const hasFiles = (answer: { json(): unknown }) =>
    read(B2cShipment, answer).waybills.map((waybill) => 'awbFile' in waybill)
  const queried = (answer: Answer) => get(shippingPaths.queryB2c, String(answer.json().sawb))
  const tracked = (reference = 'OD-42-1') => get(shippingPaths.trackReference, reference)
  const trackedOne = async (answer: Answer) =>
    read(TrackingRecord, await get(shippingPaths.trackSingle, answer.json().sawb))

  const effects = {
    refused: { status: 400, made: 0, shows: namesTheCity },
    failed: {
      status: 500,
      made: 0,
      shows: (answer) => expect(read(PartnerProblem, answer).status).toBe(500),
    },
    'created-but-500': {
      status: 500,
      shows: async () => expect(read(TrackReferenceAnswer, await tracked())).toHaveLength(1),
    },
    'error-in-200': { made: 0, shows: namesTheCity },
    'text-in-200': { shows: ({ headers }) => expect(headers['content-type']).toMatch(/^text\/plain/) },
    'created-but-502': {
      status: 502,
      shows: ({ headers }) => expect(headers['content-type']).toBe('text/html'),
    },
    'refused-in-words': { status: 400, made: 0, shows: ({ body }) => expect(body).toBe('Bad Request') },
    'created-201': {
      status: 201,
      shows: (answer) => expect(read(B2cShipment, answer).waybills).toHaveLength(1),
    },
    numbers: {
      async shows(answer) {
        const { sawb, waybills } = answer.json()
        expect([typeof sawb, typeof waybills[0].awb]).toEqual(['number', 'number'])
        expect((await queried(answer)).json().waybills[0].awb).toBe(waybills[0].awb)
        expect((await tracked()).json()).toMatchObject([{ AWB: waybills[0].awb, Reference: 'OD-42-1' }])
      },
    },
    'null-file': {
      async shows(answer) {
        expect(answer.json().waybills[0].awbFile).toBeNull()
        expect(state.counters().labels).toBe(0)
        expect((await queried(answer)).json().waybills[0].awbFile).toBe(pdf.toString('base64'))
      },
    },
    sparse: {
      shows: (answer) =>
        expect(answer.json()).toEqual({ sawb: null, routeCode: 'R7', waybills: [expect.anything()] }),
    },
    'no-create-date': {
      async shows(answer) {
        for (const each of [answer, await queried(answer)])
          expect(read(B2cShipment, each)).not.toHaveProperty('createDate')
      },
    },
    'label-late': {
      parts: { Parcels: 2 },
      async shows(answer) {
        expect(hasFiles(answer)).toEqual([true, false])
        expect(hasFiles(await queried(answer))).toEqual([true, true])
      },
    },
    'no-label': {
      parts: { Parcels: 2 },
      async shows(answer) {
        for (const each of [answer, await queried(answer)]) expect(hasFiles(each)).toEqual([true, false])
        expect(state.counters().labels).toBe(2)
      },
    },
    zpl: {
      parts: { WaybillType: 'PDF' },
      shows(answer) {
        const file = read(B2cShipment, answer).waybills[0]?.awbFile ?? ''
        expect(Buffer.from(file, 'base64').toString('utf8')).toMatch(/^\^XA/)
      },
    },
    'not-indexed': {
      async shows(answer) {
        const { sawb } = answer.json()
        clock.advance(59_999)
        expect(await lookUps(sawb, 'OD-42-1')).toEqual([404, 404, 404])
        clock.advance(1)
        expect(await lookUps(sawb, 'OD-42-1')).toEqual([200, 200, 200])
      },
    },
    lagging: {
      async shows() {
        const references = Array.from({ length: 12 }, (_, index) => `OD-${index}-lag`)
        for (const OrderNumber of references) await create(triggered('lagging', { OrderNumber }))
        const seen = async () =>
          (await Promise.all(references.map(tracked))).filter(({ statusCode }) => statusCode === 200).length
        expect(await seen()).toBeLessThan(12)
        clock.advance(40_000)
        expect(await seen()).toBe(12)
      },
    },
    'bare-record': {
      shows: async () => expect(read(TrackingRecord, await tracked()).Reference).toBe('OD-42-1'),
    },
    'no-scans': {
      async shows(answer) {
        clock.advance(100 * hourMs)
        expect(await trackedOne(answer)).not.toHaveProperty('Scans')
      },
    },
    'unknown-scan': {
      shows: async (answer) => expect((await trackedOne(answer)).Scans?.[0]?.ScanType).toBe('ZZ9'),
    },
    'unknown-is-empty': {
      async shows() {
        const answer = await tracked('TEST-UNKNOWN-EMPTY')
        expect([answer.statusCode, read(TrackReferenceAnswer, answer)]).toEqual([200, []])
      },
    },
    'unknown-is-bodiless': {
      async shows() {
        const { statusCode, body } = await tracked('TEST-UNKNOWN-BODILESS')
        expect([statusCode, body]).toEqual([404, ''])
      },
    },
  } satisfies Record<ShippingScenario, Effect>

  it.each<[string, Effect]>(Object.entries(effects))(
    '%s: the answer and its effect',
    async (scenario, { parts, status = 200, made = 1, shows }) => {
      const answer = await create(triggered(scenario as ShippingScenario, parts))
      expect([answer.statusCode, state.counters().shipments]).toEqual([status, made])
      await shows?.(answer)
    },
  )
})

import { describe, expect, it } from 'vitest'
import { createExternalService } from '#server/platform/external-service.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import { openStubService, type Reply, sampleOf } from '#test/kit/gateway/stub-service.ts'
import { createShipmentProvider } from './shipments.provider.http.ts'
import { shipmentRequestOf } from './shipments.provider.map.ts'
import { ShipmentRefusal, type ShipmentRequest } from './shipments.provider.ts'

const pdf = Buffer.from('%PDF-1.4\n%stored sample', 'latin1')
const awb = '231200021879'
const shipmentNumber = '231200021000'
const reference = 'REF1234567895'

const createPath = '/api/shipment/b2c/new'
const trackPath = `/api/track/reference/${reference}`
const queryPath = (number: string) => `/api/shipment/b2c/query/${number}`

async function openProvider(replies: Record<string, Reply>) {
  const service = await openStubService()
  for (const [path, reply] of Object.entries(replies)) service.always(path, reply)
  const account = { baseUrl: service.url, apiKey: 'key-1' }
  return { service, provider: createShipmentProvider(account, createExternalService('shipping')) }
}

/** The stored answer, with a whole file in place of the first bytes that the documents show. */
const shipment = (file: string | undefined = pdf.toString('base64')) => ({
  ...sampleOf('shipping', 'b2c-shipment'),
  waybills: [{ awb, ...(file === undefined ? {} : { awbFile: file }) }],
})
const created = { status: 200, json: shipment() }
const unknown = { status: 404, json: sampleOf('shipping', 'partner-problem') }
const read = { accept: 'application/json', apikey: 'key-1' }

const shipmentRequest: ShipmentRequest = {
  reference,
  orderId: 42,
  branchCode: '17',
  origin: {
    name: 'Mina Agent 1',
    address: 'Jamarat side, camp 14',
    city: 'Mina',
    phone: '+966500000101',
    coordinates: null,
  },
  destination: { addressEN: 'Al Suwaidi Main St.', city: 'Riyadh', coordinates: null },
  consignee: { name: 'Abdullah', phone: '+966512345678', secondPhone: null },
  ownerPhone: '+966500000009',
  weightKg: 15,
  shipAt: Date.UTC(2027, 4, 18, 12, 30),
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
}

describe('create', () => {
  it('requests the shipment of the booking with the API key, and returns number and label of the piece', async () => {
    const { service, provider } = await openProvider({ [createPath]: created })
    const bill = await provider.create(shipmentRequest)
    expect(bill.awb).toBe(awb)
    expect(Buffer.from(bill.pdf ?? []).equals(pdf)).toBe(true)
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual(shipmentRequestOf(shipmentRequest))
    expect(service.requests).toEqual([
      {
        method: 'POST',
        path: createPath,
        headers: { ...read, 'content-type': 'application/json' },
        body: expect.any(String),
      },
    ])
  })

  it.each<[string, object]>([
    ['cut short as in the documents', { ...shipment(), waybills: [{ awb }] }],
    ['ZPL', shipment(Buffer.from('^XA^XZ').toString('base64'))],
  ])('has no label where the file is %s', async (_, json) => {
    const { provider } = await openProvider({ [createPath]: { status: 200, json } })
    expect(await provider.create(shipmentRequest)).toEqual({ awb, pdf: undefined })
  })

  it.each<[string, object]>([
    ['numbers for strings', sampleOf('shipping', 'b2c-shipment.unusual')],
    ['only a number', { waybills: [{ awb }] }],
    ['no sawb and no file', { sawb: null, createDate: null, waybills: [{ awb, awbFile: null }] }],
    ['a piece that cannot be read before it', { waybills: [null, { awb: 12 }, { awb }] }],
    ['an empty list of errors beside it', { ...shipment(), errors: {} }],
    ['errors beside it', { waybills: [{ awb }], errors: { Note: ['printed late'] } }],
  ])('reads an answer with %s as a success', async (_, json) => {
    for (const status of [200, 201]) {
      const { provider } = await openProvider({ [createPath]: { status, json } })
      expect(await provider.create(shipmentRequest)).toMatchObject({ awb })
    }
  })

  it.each<[string, Reply]>([
    ['a 400 as plain text', { status: 400, text: 'Bad Request' }],
    ['a 400 with a body of another kind', { status: 400, json: { message: 'no' } }],
    ['a 404', unknown],
    ['a 429', { status: 429, text: '' }],
  ])('reads %s as a refusal without fields', async (_, reply) => {
    const { provider } = await openProvider({ [createPath]: reply })
    const error = await errorOf(provider.create(shipmentRequest))
    expect(error).toBeInstanceOf(ShipmentRefusal)
    expect(error).toMatchObject({ fields: [] })
  })

  it.each([400, 200, 422])(
    'reads a validation problem with %i as a refusal, with the partner’s field names',
    async (status) => {
      const { service, provider } = await openProvider({
        [createPath]: { status, json: sampleOf('shipping', 'validation-problem') },
      })
      const error = await errorOf(provider.create(shipmentRequest))
      expect(error).toBeInstanceOf(ShipmentRefusal)
      expect(error).toMatchObject({ fields: ['ConsigneeAddress.ContactName'] })
      expect(service.requests).toHaveLength(1)
    },
  )

  it.each([401, 403])('reads %i as a refusal of the key', async (status) => {
    const { provider } = await openProvider({ [createPath]: { status, text: '' } })
    expect(await errorOf(provider.create(shipmentRequest))).toBeInstanceOf(ShipmentRefusal)
  })

  it.each<[string, Reply]>([
    ['a 500', { status: 500, json: {} }],
    ['a 500 with a validation problem', { status: 500, json: sampleOf('shipping', 'validation-problem') }],
    ['a 502 of a proxy', { status: 502, text: '<html>' }],
    ['a 408', { status: 408, text: '' }],
    ['a 409', { status: 409, json: { title: 'Conflict', status: 409 } }],
    ['success without a body', { status: 204, text: '' }],
    ['an empty list of errors', { status: 200, json: { errors: {} } }],
    [
      'errors beside a number that is none',
      { status: 200, json: { errors: { a: ['b'] }, waybills: [{ awb: 'x' }] } },
    ],
    ['success as plain text', { status: 200, text: 'Shipment created successfully' }],
    ['success without a waybill', { status: 200, json: { ...shipment(), waybills: [] } }],
    ['a malformed number', { status: 200, json: { ...shipment(), waybills: [{ awb: '23-12' }] } }],
    ['a broken connection', 'reset'],
  ])('has an unknown outcome after %s, and is not repeated', async (_, reply) => {
    const { service, provider } = await openProvider({ [createPath]: reply })
    expect(await errorOf(provider.create(shipmentRequest))).toBeInstanceOf(OutcomeUnknownError)
    expect(service.requests).toHaveLength(1)
  })
})

describe('findByReference', () => {
  const tracked = { status: 200, json: sampleOf('shipping', 'tracking-record') }
  const queried = { [queryPath(shipmentNumber)]: created }

  it.each([
    ['tracking-record', 'one bare record'],
    ['track-reference.several', 'a list'],
  ])('asks by reference, then for the shipment by the number in the sample %s: %s', async (sample) => {
    const { service, provider } = await openProvider({
      [trackPath]: { status: 200, json: sampleOf('shipping', sample) },
      ...queried,
    })
    const bill = await provider.findByReference(reference)
    expect(service.requests).toEqual([
      { method: 'GET', path: trackPath, headers: read, body: '' },
      { method: 'GET', path: queryPath(shipmentNumber), headers: read, body: '' },
    ])
    // The number of the piece, not of the shipment in the tracking record.
    expect(bill?.awb).toBe(awb)
    expect(Buffer.from(bill?.pdf ?? []).equals(pdf)).toBe(true)
  })

  it.each<[string, Reply]>([
    ['a 404', unknown],
    ['a 404 without a body', { status: 404, text: '' }],
    ['an empty list', { status: 200, json: [] }],
    ['records of other references', { status: 200, json: [{ ...tracked.json, Reference: 'REF123456789' }] }],
  ])('finds none after %s', async (_, reply) => {
    const { provider } = await openProvider({ [trackPath]: reply, ...queried })
    expect(await provider.findByReference(reference)).toBeUndefined()
  })

  it('accepts numbers for strings, in the record and in the shipment', async () => {
    const json = sampleOf('shipping', 'track-reference.unusual')
    const unusual = sampleOf('shipping', 'b2c-shipment.unusual')
    const { provider } = await openProvider({
      [trackPath]: { status: 200, json },
      [queryPath(shipmentNumber)]: { status: 200, json: unusual },
    })
    expect(await provider.findByReference(reference)).toEqual({ awb, pdf: undefined })
  })

  it.each<[string, Record<string, Reply>]>([
    ['a record that cannot be read', { [trackPath]: { status: 200, json: [null] } }],
    [
      'its record without a number',
      { [trackPath]: { status: 200, json: [{ Reference: reference, AWB: null }] } },
    ],
    ['nothing', { [trackPath]: { status: 200, json: null } }],
    ['a 500', { [trackPath]: { status: 500, json: {} } }],
    ['no JSON', { [trackPath]: { status: 200, text: 'OK' } }],
    ['a refused key', { [trackPath]: { status: 401, json: {} } }],
    ['a shipment that cannot be read yet', { [trackPath]: tracked, [queryPath(shipmentNumber)]: unknown }],
    [
      'a shipment without a waybill',
      {
        [trackPath]: tracked,
        [queryPath(shipmentNumber)]: { status: 200, json: { ...shipment(), waybills: [] } },
      },
    ],
  ])('has an unknown outcome after %s, and never returns undefined', async (_, replies) => {
    const { provider } = await openProvider(replies)
    expect(await errorOf(provider.findByReference(reference))).toBeInstanceOf(OutcomeUnknownError)
  })

  it('encodes the reference in the path', async () => {
    const { service, provider } = await openProvider({})
    service.replies(unknown)
    await provider.findByReference('A/B ?')
    expect(service.requests[0]?.path).toBe('/api/track/reference/A%2FB%20%3F')
  })
})

describe('fetchLabel', () => {
  it('requests the shipment of the airway bill, and returns the file of that piece', async () => {
    const several = {
      ...shipment(),
      waybills: [
        { awb: '231200021880', awbFile: Buffer.from('%PDF-other').toString('base64') },
        ...shipment().waybills,
      ],
    }
    const { service, provider } = await openProvider({ [queryPath(awb)]: { status: 200, json: several } })
    expect(Buffer.from((await provider.fetchLabel(awb)) ?? []).equals(pdf)).toBe(true)
    expect(service.requests).toEqual([{ method: 'GET', path: queryPath(awb), headers: read, body: '' }])
  })

  it.each<[string, Reply]>([
    ['a 404', unknown],
    ['a piece without its file', { status: 200, json: { ...shipment(), waybills: [{ awb }] } }],
    ['files of other pieces', { status: 200, json: { ...shipment(), waybills: [{ awb: '231200021880' }] } }],
    ['ZPL', { status: 200, json: shipment(Buffer.from('^XA^XZ').toString('base64')) }],
  ])('returns none after %s', async (_, reply) => {
    const { provider } = await openProvider({ [queryPath(awb)]: reply })
    expect(await provider.fetchLabel(awb)).toBeUndefined()
  })

  it.each<[string, Reply]>([
    ['a 500', { status: 500, json: {} }],
    ['no JSON', { status: 200, text: '%PDF-1.4' }],
  ])('has an unknown outcome after %s', async (_, reply) => {
    const { provider } = await openProvider({ [queryPath(awb)]: reply })
    expect(await errorOf(provider.fetchLabel(awb))).toBeInstanceOf(OutcomeUnknownError)
  })
})

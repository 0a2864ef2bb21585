import { describe, expect, it } from 'vitest'
import { createOutsider } from '#server/platform/outsider.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import { nobodyThere, openOutsider, type Reply, sampleOf } from '#test/kit/outsider.ts'
import { createShipmentGateway } from './shipments.gateway.http.ts'
import { shipmentRequestOf } from './shipments.gateway.map.ts'
import { ShipmentDoubt, ShipmentRefusal, type ShipmentRequest } from './shipments.gateway.ts'

const pdf = Buffer.from('%PDF-1.4\n%stored sample', 'latin1')
const awb = '231200021879'
const shipmentNumber = '231200021000'
const reference = 'REF1234567895'

const createPath = '/api/shipment/b2c/new'
const trackPath = `/api/track/reference/${reference}`
const queryPath = (number: string) => `/api/shipment/b2c/query/${number}`

const gatewayAt = (baseUrl: string) =>
  createShipmentGateway({ baseUrl, apiKey: 'key-1' }, createOutsider('shipping'))

async function openGateway(replies: Record<string, Reply>) {
  const outsider = await openOutsider()
  for (const [path, reply] of Object.entries(replies)) outsider.always(path, reply)
  return { outsider, gateway: gatewayAt(outsider.url) }
}

/** The stored answer, with a whole file in place of the first bytes that the documents show. */
const shipment = (file: string | undefined = pdf.toString('base64')) => ({
  ...sampleOf('shipping', 'b2c-shipment'),
  waybills: [{ awb, ...(file === undefined ? {} : { awbFile: file }) }],
})
const created = { status: 200, json: shipment() }
const unknown = { status: 404, json: sampleOf('shipping', 'partner-problem') }
const read = { accept: 'application/json', apikey: 'key-1' }

const wish: ShipmentRequest = {
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
  customer: { name: 'Abdullah', phone: '+966512345678' },
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
  it('asks for exactly the shipment of the booking', async () => {
    const { outsider, gateway } = await openGateway({ [createPath]: created })
    await gateway.create(wish)
    expect(JSON.parse(outsider.heard[0]?.body ?? '')).toEqual(shipmentRequestOf(wish))
  })

  it('shows the key and nothing else', async () => {
    const { outsider, gateway } = await openGateway({ [createPath]: created })
    await gateway.create(wish)
    expect(outsider.heard).toEqual([
      {
        method: 'POST',
        path: createPath,
        headers: { ...read, 'content-type': 'application/json' },
        body: expect.any(String),
      },
    ])
  })

  it('answers the number of the piece and its label', async () => {
    const { gateway } = await openGateway({ [createPath]: created })
    const bill = await gateway.create(wish)
    expect(bill.awb).toBe(awb)
    expect(Buffer.from(bill.pdf ?? []).equals(pdf)).toBe(true)
  })

  it.each<[string, object]>([
    ['cut short as in the documents', { ...shipment(), waybills: [{ awb }] }],
    ['ZPL', shipment(Buffer.from('^XA^XZ').toString('base64'))],
  ])('has no label where the file is %s', async (_, json) => {
    const { gateway } = await openGateway({ [createPath]: { status: 200, json } })
    expect(await gateway.create(wish)).toEqual({ awb, pdf: undefined })
  })

  it.each([400, 200, 422])(
    'takes a validation problem with %i as a refusal, by the partner’s own names',
    async (status) => {
      const { outsider, gateway } = await openGateway({
        [createPath]: { status, json: sampleOf('shipping', 'validation-problem') },
      })
      const error = await errorOf(gateway.create(wish))
      expect(error).toBeInstanceOf(ShipmentRefusal)
      expect(error).toMatchObject({ fields: ['ConsigneeAddress.ContactName'] })
      expect(outsider.heard).toHaveLength(1)
    },
  )

  it.each([401, 403])('takes %i as a refusal of the key', async (status) => {
    const { gateway } = await openGateway({ [createPath]: { status, text: '' } })
    expect(await errorOf(gateway.create(wish))).toBeInstanceOf(ShipmentRefusal)
  })

  it.each<[string, Reply]>([
    ['a 500', { status: 500, json: {} }],
    ['a 400 that says nothing', { status: 400, text: 'Bad Request' }],
    ['a 404', unknown],
    ['success in words', { status: 200, text: 'Shipment created successfully' }],
    ['success without a waybill', { status: 200, json: { ...shipment(), waybills: [] } }],
    ['a number that is none', { status: 200, json: { ...shipment(), waybills: [{ awb: '23-12' }] } }],
  ])('is in doubt after %s, and asks once', async (_, reply) => {
    const { outsider, gateway } = await openGateway({ [createPath]: reply })
    expect(await errorOf(gateway.create(wish))).toBeInstanceOf(ShipmentDoubt)
    expect(outsider.heard).toHaveLength(1)
  })

  it('is in doubt when the connection breaks, and asks once', async () => {
    const { outsider, gateway } = await openGateway({ [createPath]: 'reset' })
    expect(await errorOf(gateway.create(wish))).toMatchObject({ name: 'Unreachable', doubtful: true })
    expect(outsider.heard).toHaveLength(1)
  })

  it('is in no doubt when nobody is there', async () => {
    const error = await errorOf(gatewayAt(await nobodyThere()).create(wish))
    expect(error).toMatchObject({ name: 'Unreachable', doubtful: false })
  })
})

describe('findByReference', () => {
  const tracked = { status: 200, json: sampleOf('shipping', 'tracking-record') }
  const queried = { [queryPath(shipmentNumber)]: created }

  it('asks by the reference, and then for the shipment by the number it learns', async () => {
    const { outsider, gateway } = await openGateway({ [trackPath]: tracked, ...queried })
    await gateway.findByReference(reference)
    expect(outsider.heard).toEqual([
      { method: 'GET', path: trackPath, headers: read, body: '' },
      { method: 'GET', path: queryPath(shipmentNumber), headers: read, body: '' },
    ])
  })

  it.each([
    ['tracking-record', 'one bare record'],
    ['track-reference.several', 'a list'],
  ])('reads the stored sample %s: %s', async (sample) => {
    const { gateway } = await openGateway({
      [trackPath]: { status: 200, json: sampleOf('shipping', sample) },
      ...queried,
    })
    const bill = await gateway.findByReference(reference)
    // The piece, and not the shipment that the tracking record names.
    expect(bill?.awb).toBe(awb)
    expect(Buffer.from(bill?.pdf ?? []).equals(pdf)).toBe(true)
  })

  it.each<[string, Reply]>([
    ['a 404', unknown],
    ['a 404 without a body', { status: 404, text: '' }],
    ['an empty list', { status: 200, json: [] }],
    ['records of other references', { status: 200, json: [{ ...tracked.json, Reference: 'REF123456789' }] }],
  ])('knows none after %s', async (_, reply) => {
    const { gateway } = await openGateway({ [trackPath]: reply, ...queried })
    expect(await gateway.findByReference(reference)).toBeUndefined()
  })

  it.each<[string, Record<string, Reply>]>([
    ['a 500', { [trackPath]: { status: 500, json: {} } }],
    ['no JSON', { [trackPath]: { status: 200, text: 'OK' } }],
    ['a refused key', { [trackPath]: { status: 401, json: {} } }],
    ['a shipment that is not to be had yet', { [trackPath]: tracked, [queryPath(shipmentNumber)]: unknown }],
    [
      'a shipment without a waybill',
      {
        [trackPath]: tracked,
        [queryPath(shipmentNumber)]: { status: 200, json: { ...shipment(), waybills: [] } },
      },
    ],
  ])('is in doubt after %s, and never says "none"', async (_, replies) => {
    const { gateway } = await openGateway(replies)
    expect(await errorOf(gateway.findByReference(reference))).toBeInstanceOf(ShipmentDoubt)
  })

  it('says so when the connection breaks', async () => {
    const { gateway } = await openGateway({ [trackPath]: 'reset' })
    expect(await errorOf(gateway.findByReference(reference))).toBeInstanceOf(Unreachable)
  })

  it('writes a reference into the address so that it stays one word', async () => {
    const { outsider, gateway } = await openGateway({})
    outsider.replies(unknown)
    await gateway.findByReference('A/B ?')
    expect(outsider.heard[0]?.path).toBe('/api/track/reference/A%2FB%20%3F')
  })
})

describe('fetchLabel', () => {
  it('asks for the shipment of the airway bill', async () => {
    const { outsider, gateway } = await openGateway({ [queryPath(awb)]: created })
    await gateway.fetchLabel(awb)
    expect(outsider.heard).toEqual([{ method: 'GET', path: queryPath(awb), headers: read, body: '' }])
  })

  it('gives the file of that piece', async () => {
    const several = {
      ...shipment(),
      waybills: [
        { awb: '231200021880', awbFile: Buffer.from('%PDF-other').toString('base64') },
        ...shipment().waybills,
      ],
    }
    const { gateway } = await openGateway({ [queryPath(awb)]: { status: 200, json: several } })
    expect(Buffer.from((await gateway.fetchLabel(awb)) ?? []).equals(pdf)).toBe(true)
  })

  it.each<[string, Reply]>([
    ['a 404', unknown],
    ['a piece without its file', { status: 200, json: { ...shipment(), waybills: [{ awb }] } }],
    ['files of other pieces', { status: 200, json: { ...shipment(), waybills: [{ awb: '231200021880' }] } }],
    ['ZPL', { status: 200, json: shipment(Buffer.from('^XA^XZ').toString('base64')) }],
  ])('has none yet after %s', async (_, reply) => {
    const { gateway } = await openGateway({ [queryPath(awb)]: reply })
    expect(await gateway.fetchLabel(awb)).toBeUndefined()
  })

  it.each<[string, Reply]>([
    ['a 500', { status: 500, json: {} }],
    ['no JSON', { status: 200, text: '%PDF-1.4' }],
  ])('is in doubt after %s', async (_, reply) => {
    const { gateway } = await openGateway({ [queryPath(awb)]: reply })
    expect(await errorOf(gateway.fetchLabel(awb))).toBeInstanceOf(ShipmentDoubt)
  })
})

import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { isShortForLabel } from '#shared/sessions/person-name.ts'
import { CreateB2cRequest } from '#shared/wire/shipping/shipping.wire.ts'
import { fitted, partnerTime, pdfOf, shipmentRequestOf } from './shipments.provider.map.ts'
import type { ShipmentRequest } from './shipments.provider.ts'

const bounds = { min: 5, max: 12 }

describe('fitted', () => {
  it.each([
    ['Abdullah', 'Abdullah'],
    ['  Abdullah   bin ', 'Abdullah bin'],
    ['Abdullah bin Omar', 'Abdullah bin'],
    ['علي', 'علي - Amtiat'],
    ['', 'Amtiati'],
    ['   ', 'Amtiati'],
    // A letter of the script of Adlam takes two units: the twelfth is the first half of one.
    ['Abdullah Om\u{1E900}\u{1E901}', 'Abdullah Om'],
  ])('turns %j into %j', (text, result) => {
    expect(fitted(text, bounds, 'Amtiati')).toBe(result)
  })
})

describe('partnerTime', () => {
  it('is Saudi time without a zone, also across midnight', () => {
    expect(partnerTime(Date.UTC(2027, 4, 18, 12, 30))).toBe('2027-05-18T15:30:00')
    expect(partnerTime(Date.UTC(2027, 11, 31, 22, 0, 0, 999))).toBe('2028-01-01T01:00:00')
  })
})

const shipmentRequest: ShipmentRequest = {
  reference: 'AM-1',
  orderId: 42,
  branchCode: '17',
  origin: {
    name: 'وكيل منى 1 · Mina Agent 1',
    address: 'جهة الجمرات، مخيم 14، منى',
    city: 'Mina',
    phone: '+966500000101',
    coordinates: { latitude: 21.4198, longitude: 39.8774 },
  },
  destination: {
    addressAR: 'حي السويدي',
    addressEN: 'Al Suwaidi Main St.',
    city: 'Riyadh',
    coordinates: null,
  },
  consignee: { name: 'علي', phone: '+966512345678', secondPhone: null },
  ownerPhone: '+966500000009',
  weightKg: 15,
  shipAt: Date.UTC(2027, 4, 18, 12, 30),
}

describe('shipmentRequestOf', () => {
  it('sends the bag from the agent to the pilgrim at the branch', () => {
    expect(shipmentRequestOf(shipmentRequest)).toEqual({
      ShipperAddress: {
        ContactName: 'وكيل منى 1 · Mina Agent 1',
        ContactPhoneNumber: '+966500000101',
        Country: 'SA',
        City: 'Mina',
        AddressLine1: 'جهة الجمرات، مخيم 14، منى',
        Coordinates: '21.4198,39.8774',
      },
      ConsigneeAddress: {
        ContactName: 'علي - Amtiati',
        ContactPhoneNumber: '+966512345678',
        Country: 'SA',
        City: 'Riyadh',
        AddressLine1: 'حي السويدي · Al Suwaidi Main St.',
      },
      OrderNumber: 'AM-1',
      ContentDescription: 'Luggage OD-42',
      DeclaredValue: 50,
      CODAmount: 0,
      Parcels: 1,
      ShipDate: '2027-05-18T15:30:00',
      ShipmentCurrency: 'SAR',
      Weight: 15,
      WeightUnit: 'KG',
      SMSARetailID: '17',
      WaybillType: 'PDF',
    })
  })

  it.each(['علي', 'سارة', 'Ali', ' Omar ', 'Sara A', 'عمر بن'])(
    'fills up the name %j exactly where the review asks whether it is whole',
    (name) => {
      const consignee = { name, phone: '+966512345678', secondPhone: null }
      const { ContactName } = shipmentRequestOf({ ...shipmentRequest, consignee }).ConsigneeAddress
      expect(ContactName.includes('Amtiati')).toBe(isShortForLabel(name))
    },
  )

  it('names the receiver and both numbers as the consignee, and the owner as a sender without a phone', () => {
    const consignee = { name: 'Huda Salem', phone: '+962790000000', secondPhone: '+966500000008' }
    const origin = shipmentRequest.destination
    const { ConsigneeAddress, ShipperAddress } = shipmentRequestOf({ ...shipmentRequest, consignee, origin })
    expect(ConsigneeAddress).toMatchObject({
      ContactName: consignee.name,
      ContactPhoneNumber: consignee.phone,
      ContactPhoneNumber2: consignee.secondPhone,
    })
    expect(ShipperAddress).toMatchObject({ ContactPhoneNumber: shipmentRequest.ownerPhone })
    expect(ShipperAddress).not.toHaveProperty('ContactPhoneNumber2')
  })

  it('names no branch where the bag goes to an agent', () => {
    expect(shipmentRequestOf({ ...shipmentRequest, branchCode: undefined }).SMSARetailID).toBe('0')
  })

  it.each<[string, Partial<ShipmentRequest>]>([
    ['as it stands', {}],
    ['without a name', { consignee: { name: '', phone: '+966512345678', secondPhone: null } }],
    [
      'with a very long name',
      { consignee: { name: 'ي'.repeat(300), phone: '+966512345678', secondPhone: null } },
    ],
    ['with a very short address', { destination: { address: 'x', city: 'Riyadh', coordinates: null } }],
    ['without an address', { destination: { city: 'Riyadh', coordinates: null } }],
    ['with a very long address', { origin: { address: 'م'.repeat(300), city: 'Mina', coordinates: null } }],
    [
      'from a branch',
      { origin: shipmentRequest.destination, destination: shipmentRequest.origin, branchCode: undefined },
    ],
  ])('stays within the partner’s bounds %s', (_, change) => {
    const request = shipmentRequestOf({ ...shipmentRequest, ...change })
    expect([...Value.Errors(CreateB2cRequest, request)]).toEqual([])
  })
})

describe('pdfOf', () => {
  const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

  it('returns the bytes of a PDF', () => {
    expect(Buffer.from(pdfOf(base64('%PDF-1.4\n\xff')) ?? []).toString('latin1')).toBe('%PDF-1.4\n\xff')
  })

  it.each([
    ['a data URL', `data:application/pdf;base64,${base64('%PDF-1.4\n')}`],
    ['a byte order mark', base64('\xef\xbb\xbf%PDF-1.4\n')],
    ['a line break', base64('\r\n%PDF-1.4\n')],
    ['1,000 bytes of something else', base64(`${'x'.repeat(1_000)}%PDF-1.4\n`)],
  ])('returns the bytes of a PDF after %s', (_, text) => {
    expect(Buffer.from(pdfOf(text) ?? []).toString('latin1')).toBe('%PDF-1.4\n')
  })

  it('finds no PDF behind more than 1,024 bytes of something else', () => {
    expect(pdfOf(base64(`${'x'.repeat(1_024)}%PDF-1.4\n`))).toBeUndefined()
  })

  it.each([undefined, '', 'not base64 at all', base64('^XA^FO50,50^FS^XZ'), base64('%PDF')])(
    'finds no PDF in %j',
    (text) => {
      expect(pdfOf(text)).toBeUndefined()
    },
  )
})

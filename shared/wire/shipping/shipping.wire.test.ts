import type { TSchema } from 'typebox'
import Type from 'typebox'
import { Check, Errors } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { wireSamples } from '#test/kit/gateway/wire-samples.ts'
import {
  AgentsAnswer,
  AnyAgent,
  AnyCity,
  AnyOffice,
  AnyRows,
  AnyShipment,
  AnyTrackingRecord,
  AnyWaybill,
  B2cShipment,
  CitiesAnswer,
  CreateB2cRequest,
  OfficesAnswer,
  PartnerCoordinates,
  PartnerProblem,
  PartnerTime,
  shippingLimits,
  TrackingRecord,
  TrackReferenceAnswer,
  TrackSingleAnswer,
  ValidationProblem,
} from './shipping.wire.ts'

const { readSample } = wireSamples(import.meta.url, {
  'create-b2c.request.json': [CreateB2cRequest],
  'b2c-shipment.json': [B2cShipment],
  'b2c-shipment.incomplete.json': [B2cShipment],
  'b2c-shipment.unusual.json': [AnyShipment],
  'track-reference.unusual.json': [Type.Array(AnyTrackingRecord)],
  'offices.unusual.json': [AnyRows],
  'tracking-record.json': [TrackingRecord, TrackSingleAnswer, TrackReferenceAnswer],
  'track-reference.several.json': [TrackReferenceAnswer],
  'offices.json': [OfficesAnswer],
  'cities.json': [CitiesAnswer],
  'agents.json': [AgentsAnswer],
  'validation-problem.json': [ValidationProblem],
  'partner-problem.json': [PartnerProblem],
})

function readObject(name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(readSample(name) as object))
}

describe('the shipping wire', () => {
  it.each<[string, TSchema, unknown[]]>([
    ['office', AnyOffice, readSample('offices.json') as unknown[]],
    ['city', AnyCity, readSample('cities.json') as unknown[]],
    ['agent', AnyAgent, readSample('agents.json') as unknown[]],
    ['record', AnyTrackingRecord, [readSample('tracking-record.json')]],
    ['piece', AnyWaybill, readObject('b2c-shipment.unusual.json').waybills as unknown[]],
  ])('reads every documented %s by the reader’s schema', (_what, schema, rows) => {
    for (const row of rows) expect([...Errors(schema, row)]).toEqual([])
  })

  it('accepts only twelve digits as an airway bill', () => {
    for (const awb of ['231200021879', 231_200_021_879]) expect(Check(AnyWaybill, { awb })).toBe(true)
    for (const awb of [null, '', '23120002187', 99_999_999_999, 1e12, 231_200_021_879.5])
      expect(Check(AnyWaybill, { awb })).toBe(false)
  })

  it('accepts unknown fields at every depth', () => {
    const shipment = readObject('b2c-shipment.json')
    const waybills = [{ awb: '231200021879', awbFile: 'JVBERi0=', routeCode: 'R7' }]
    expect(Check(B2cShipment, { ...shipment, waybills, isTest: true })).toBe(true)
    expect(Check(TrackReferenceAnswer, [{ ...readObject('tracking-record.json'), Extra: {} }])).toBe(true)
  })

  it('refuses an error body where a shipment is expected, so that a 200 proves nothing by itself', () => {
    expect(Check(B2cShipment, readSample('validation-problem.json'))).toBe(false)
    expect(Check(TrackReferenceAnswer, readSample('partner-problem.json'))).toBe(false)
  })

  it.each([
    ['a one-word name below five characters', { ContactName: 'علي' }],
    ['a short address line', { AddressLine1: 'شارع 7' }],
    ['an unreadable country', { Country: 'KSA' }],
  ])('refuses %s in a create request', (_what, field) => {
    const request = readObject('create-b2c.request.json')
    const consignee = { ...(request.ConsigneeAddress as object), ...field }
    expect(Check(CreateB2cRequest, { ...request, ConsigneeAddress: consignee })).toBe(false)
  })

  it('states the same limits as numbers and in the schema', () => {
    const request = readObject('create-b2c.request.json')
    const withOrder = (length: number) => ({ ...request, OrderNumber: 'x'.repeat(length) })
    expect(Check(CreateB2cRequest, withOrder(shippingLimits.orderNumberMax))).toBe(true)
    expect(Check(CreateB2cRequest, withOrder(shippingLimits.orderNumberMax + 1))).toBe(false)
    const named = (length: number) => ({
      ...request,
      ShipperAddress: { ...(request.ShipperAddress as object), ContactName: 'x'.repeat(length) },
    })
    for (const [length, isAccepted] of [
      [shippingLimits.contactName.min - 1, false],
      [shippingLimits.contactName.min, true],
      [shippingLimits.contactName.max, true],
      [shippingLimits.contactName.max + 1, false],
    ] as const)
      expect(Check(CreateB2cRequest, named(length))).toBe(isAccepted)
    expect(Check(CreateB2cRequest, { ...request, DeclaredValue: shippingLimits.declaredValueMin })).toBe(true)
    expect(Check(CreateB2cRequest, { ...request, DeclaredValue: 0 })).toBe(false)
  })

  it('accepts only times without a zone', () => {
    expect(Check(PartnerTime, '2027-05-18T15:30:00')).toBe(true)
    expect(Check(PartnerTime, '2027-05-18T12:30:00Z')).toBe(false)
  })

  it.each([
    ['24.598472,46.687158', true],
    ['24.598472, 46.687158', true],
    ['', true],
    ['0', false],
    ['north,east', false],
  ])('classifies coordinates %j as readable or not', (text, isTrusted) => {
    expect(Check(PartnerCoordinates, text)).toBe(isTrusted)
  })
})

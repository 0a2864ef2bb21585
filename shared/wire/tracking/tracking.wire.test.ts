import Type from 'typebox'
import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { wireSamples } from '#test/kit/gateway/wire-samples.ts'
import {
  AnyRecord,
  AnyRecords,
  AnyScan,
  AnyStatusText,
  BulkRequest,
  StatusTexts,
  TrackingRecords,
} from './tracking.wire.ts'

const { readSample } = wireSamples(import.meta.url, {
  'bulk-request.two.json': [BulkRequest],
  'push.delivered.json': [TrackingRecords, Type.Array(AnyRecord)],
  'push.several-bags.json': [TrackingRecords, Type.Array(AnyRecord)],
  'push.unusual.json': [AnyRecords],
  'statuses.json': [StatusTexts, Type.Array(AnyStatusText)],
  'statuses.unusual.json': [Type.Array(Type.Unknown())],
})

describe('the tracking wire', () => {
  it('reads a record with a number for its AWB, and refuses one without twelve digits', () => {
    const [unusual, short, none] = readSample('push.unusual.json') as unknown[]
    expect([unusual, short, none].map((record) => Check(AnyRecord, record))).toEqual([true, false, false])
  })

  it('reads a scan without text, city and zone, and refuses one without a code', () => {
    const [first] = readSample('push.unusual.json') as [{ Scans: unknown[] }]
    expect(first.Scans.map((scan) => Check(AnyScan, scan))).toEqual([true, true, true, false, false])
  })

  it('reads a text that is missing in one language, and refuses one without a code', () => {
    const rows = readSample('statuses.unusual.json') as unknown[]
    expect(rows.map((row) => Check(AnyStatusText, row))).toEqual([true, false, false])
  })
})

import { describe, expect, it } from 'vitest'
import { inEachTimeZone } from '#test/kit/basics/time-zones.ts'
import { sampleOf } from '#test/kit/gateway/stub-service.ts'
import { reportOf, textsOf } from './tracking.provider.map.ts'

const record = (scan: object, more: object = {}) => ({
  AWB: '231200000001',
  ...more,
  Scans: [{ ScanType: 'AF', ScanDateTime: '2027-05-18T15:30:00', ...scan }],
})
const scanOf = (scan: object, more?: object) => reportOf([record(scan, more)])?.shipments[0]?.scans[0]
const atOf = (scan: object) => {
  const at = scanOf(scan)?.at
  return at === undefined ? undefined : new Date(at).toISOString()
}

describe('a report', () => {
  it('is read from the sample of the documents, without the names in it', () => {
    const report = reportOf(sampleOf('tracking', 'push.delivered'))
    expect(report).toEqual({
      unreadable: 0,
      shipments: [
        {
          awb: '231200021000',
          reference: 'REF1234567895',
          scans: [
            {
              code: 'DL',
              at: Date.UTC(2024, 0, 10, 8),
              time: '2024-01-10T11:00:00',
              zone: '+03:00',
              city: 'Riyadh',
              text: 'Delivered',
            },
            expect.objectContaining({ code: 'OD', at: Date.UTC(2024, 0, 10, 7) }),
            expect.objectContaining({ code: 'HOP', at: Date.UTC(2024, 0, 10, 6) }),
          ],
        },
      ],
    })
    expect(JSON.stringify(report)).not.toContain('Abdulaziz')
  })

  it('of several bags is read without zones and without scans', () => {
    expect(reportOf(sampleOf('tracking', 'push.several-bags'))).toMatchObject({
      unreadable: 0,
      shipments: [
        { reference: 'OD42-0-7KQ2M9XD', scans: [{ code: 'PU', zone: '+03:00', city: 'Makkah' }] },
        { scans: [] },
        { scans: [] },
      ],
    })
  })

  it('in an unusual form is read as far as it can be, and the rest is counted', () => {
    expect(reportOf(sampleOf('tracking', 'push.unusual'))).toEqual({
      unreadable: 5,
      shipments: [
        {
          awb: '231200021000',
          reference: undefined,
          scans: [
            {
              code: 'ZZ9',
              at: Date.UTC(2027, 4, 19, 6, 12, 40),
              time: '2027-05-19T09:12:40.1234567',
              zone: '+03:00',
              city: undefined,
              text: undefined,
            },
            expect.objectContaining({ code: '68', text: '68', at: Date.UTC(2027, 4, 19, 6, 12, 40) }),
          ],
        },
      ],
    })
  })

  it('of one bare record is read as a list of one', () => {
    expect(reportOf(record({}))?.shipments).toHaveLength(1)
  })

  it.each([null, 'text', 7, {}, { AWB: 'x' }, undefined])('is not %j', (body) => {
    expect(reportOf(body)).toBeUndefined()
  })

  it('leaves out a text that names the receiver or who took the bag', () => {
    expect(scanOf({ ScanDescription: 'Delivered to ALI ', ReceivedBy: 'Ali' })?.text).toBeUndefined()
    expect(
      scanOf({ ScanDescription: 'Given to Sara Noor' }, { RecipientName: 'Sara Noor' })?.text,
    ).toBeUndefined()
    expect(scanOf({ ScanDescription: 'Delivered', ReceivedBy: 'Ali' })?.text).toBe('Delivered')
  })

  it('leaves out a city that names the receiver or who took the bag, unless it is one', () => {
    expect(scanOf({ City: 'Alice Wonder' }, { RecipientName: 'Alice Wonder' })?.city).toBeUndefined()
    expect(scanOf({ City: 'With ALI at home', ReceivedBy: 'Ali' })?.city).toBeUndefined()
    expect(scanOf({ City: 'Al Kharj', ReceivedBy: 'Al' })?.city).toBe('Al Kharj')
  })

  it.each(['\u009b', '\u0085', '\u061c', '\u200e', '\u200f', '\u202e', '\u2069'])(
    'has no control or direction character, such as %j',
    (mark) => {
      const scan = scanOf({ ScanDescription: `Held${mark}here`, City: `Riyadh${mark}` })
      expect([scan?.text, scan?.city]).toEqual(['Held here', 'Riyadh'])
    },
  )

  it('has texts without control and direction characters, in bounds', () => {
    const scan = scanOf({ ScanDescription: `a\u202eb\u0000 c${'x'.repeat(500)}`, City: ' Riyadh\n' })
    expect(scan?.text).toMatch(/^a b cx+$/)
    expect(scan?.text).toHaveLength(200)
    expect(scan?.city).toBe('Riyadh')
  })

  it('reads the scan of another code behind any number of the same, which a scanner that is stuck makes', () => {
    const scan = (ScanType: string) => ({ ScanType, ScanDateTime: '2027-05-18T15:30:00' })
    const codesOf = (Scans: object[]) =>
      reportOf([{ AWB: '231200000001', Scans }])?.shipments[0]?.scans.map(({ code }) => code)
    const stuck = Array.from({ length: 2_000 }, () => scan('PU'))
    // One of the two may be of another parcel.
    expect(codesOf([...stuck, scan('DL'), scan('DL')])).toEqual([
      ...Array.from({ length: 50 }, () => 'PU'),
      'DL',
      'DL',
    ])
    const many = Array.from({ length: 2_000 }, (_, index) => scan(`X${index}`))
    expect(codesOf([...stuck, ...many])).toHaveLength(1_000)
  })
})

inEachTimeZone(() => {
  describe('the time of a scan', () => {
    it.each([
      ['+03:00', '2027-05-18T12:30:00.000Z'],
      ['+04:00', '2027-05-18T11:30:00.000Z'],
      ['-05:00', '2027-05-18T20:30:00.000Z'],
      ['+0300', '2027-05-18T12:30:00.000Z'],
      ['+3', '2027-05-18T12:30:00.000Z'],
      ['UTC', '2027-05-18T15:30:00.000Z'],
      ['Z', '2027-05-18T15:30:00.000Z'],
      ['', '2027-05-18T12:30:00.000Z'],
      [null, '2027-05-18T12:30:00.000Z'],
      [undefined, '2027-05-18T12:30:00.000Z'],
      ['Arab Standard Time', '2027-05-18T12:30:00.000Z'],
      ['+99:00', '2027-05-18T12:30:00.000Z'],
    ])('with the zone %j', (zone, expected) => {
      expect(atOf({ ScanTimeZone: zone })).toBe(expected)
    })

    it.each([
      ['2027-05-18T15:30:00.1234567', '2027-05-18T12:30:00.000Z'],
      ['2027-05-18 15:30', '2027-05-18T12:30:00.000Z'],
      ['2027-05-18T15:30:00Z', '2027-05-18T15:30:00.000Z'],
      ['2027-05-18T15:30:00+04:00', '2027-05-18T11:30:00.000Z'],
      ['0001-01-01T00:00:00', '0000-12-31T21:00:00.000Z'],
      ['2027-02-30T15:30:00', undefined],
      ['2027-05-18T25:30:00', undefined],
      ['18/05/2027', undefined],
      ['soon', undefined],
    ])('written as %s', (time, expected) => {
      expect(atOf({ ScanDateTime: time })).toBe(expected)
    })

    it('that does not exist is kept as it was written; a text that is no time makes the scan unreadable', () => {
      expect(scanOf({ ScanDateTime: '2027-02-30T15:30:00' })).toMatchObject({
        at: undefined,
        time: '2027-02-30T15:30:00',
      })
      expect(scanOf({ ScanDateTime: '18/05/2027' })).toBeUndefined()
    })
  })
})

describe('the texts of codes', () => {
  it('are read from the sample', () => {
    expect(textsOf(sampleOf('tracking', 'statuses'))).toContainEqual({
      code: 'DL',
      ar: 'تم التسليم',
      en: 'Delivered',
    })
  })

  it('are read as far as they can be', () => {
    expect(textsOf(sampleOf('tracking', 'statuses.unusual'))).toEqual([
      { code: '68', ar: 'في الطريق', en: undefined },
    ])
    expect(textsOf({ Code: 'DL' })).toBeUndefined()
  })
})

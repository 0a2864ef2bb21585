import { describe, expect, it } from 'vitest'
import { slackOf, spread } from '#server/features/orders/following.rules.ts'
import { carriedOf } from '#shared/orders/travel.rules.ts'
import { eventKeyOf, isContradiction, meaningOf, pollFactor, type Route } from './tracking.rules.ts'

const route: Route = { from: 'Mina', to: 'Riyadh' }
const kindOf = (code: string, city?: string, way = route) => meaningOf({ code, city }, way).kind
const words = (text: string) => text.split('|').map((code) => [code.trim()] as const)

/** The meaning of a code in every city: the kind of its event, and the alert if a person has to act. */
const meanings = {
  unknown:
    'Data|SMS|ADV|PUX3|PUX03-1|PUX43|PUX-17|BK|NEW|PP|DATA RECEIVED|IC|CD|CR|CH|ST64|ST77|ZZ9|68|DELIVERED TO BRANCH|DEX3|ST60|dl2',
  'picked-up': 'PU|PKD|PICKED UP|Picked Up',
  'in-transit':
    'SOP|HIP|HOP|HOT|HOR|DF|ST68|ST44|ST50|DEX41|UTLX|FD|TN|AF|OD|DEX07|DEX07A|ST60-1|af|DEPARTED FORM ORIGIN|ARRIVED HUB FACILITY|DEPARTED HUB FACILITY|AT SMSA FACILITY|IN SMSA FACILITY|ARRIVED DELIVERY FACILITY|OUT FOR DELIVERY|Out for  Delivery|RTOPS|Collected from Retail',
  collected: 'DL|POD|DEX09|Proof of Delivery Captured',
  exception:
    'DE|DEX03|DEX03-1|DEX03-16|DEX08|DEX8X|NH|DEX29|RD|DEX42|WC|DEX93|DEX84|BA|CA|MS|OH|UTI|CONSIGNEE NO RESPONSE|CONSIGNEE MOBILE OFF|CONSIGNEE NOT AVAILABLE|CONSIGNEE DID NOT WAIT|CONSIGNEE ADDRESS CHANGED|INCORRECT DELIVERY ADDRESS|SHIPMENT ON HOLD|SHIPMENT REFUSE BY RECIPIENT',
  'exception damaged': 'DEX17|DMG',
  'exception destroyed': 'DEX34',
  'exception missing': 'MISS',
  'exception cancelled': 'CAN|CANCELLED ON CLIENTS REQUEST',
  'returning returning':
    'DEX14|PRC|RPMX|RTS|RTSIN|CODRTS|RTO|RTN|BTRO|RTI|BTRI|RETURN PROCESS STARTED|RETURNED TO CLIENT',
}

it.each(
  Object.entries(meanings).flatMap(([meaning, codes]) =>
    words(codes).map(([code]) => [code, meaning] as const),
  ),
)('the code %s is %s in any city', (code, meaning) => {
  const [kind, alert] = meaning.split(' ')
  for (const city of ['Mina', 'Riyadh', undefined])
    expect(meaningOf({ code, city }, route)).toEqual({ kind, ...(alert && { alert }) })
})

describe('codes of a counter', () => {
  const counters =
    'CC|RTIN|ST41|HAL|AT SMSA RETAIL CENTER|AWAITING CONSIGNEE FOR COLLECTION|PROCESSING FOR CONSIGNEE COLLECTION'

  it.each(words(counters))('%s is at the branch only in the city of the branch', (code) => {
    for (const city of ['Riyadh', 'RIYADH', 'Ar Riyadh', 'RUH', 'الرياض'])
      expect(kindOf(code, city)).toBe('at-branch')
    for (const city of ['Jeddah', undefined]) expect(kindOf(code, city)).toBe('unknown')
  })

  it.each(words('RTIN|ST41|AT SMSA RETAIL CENTER'))('%s in the city of the origin is handed over', (code) => {
    expect(kindOf(code, 'Mina')).toBe('handed-over')
    expect(kindOf(code, 'Makkah')).toBe('handed-over')
    expect(kindOf(code, 'Makkah', { from: 'Jeddah', to: 'Riyadh' })).toBe('unknown')
  })

  it.each(words('CC|HAL'))('%s in the city of the origin is no step', (code) => {
    expect(kindOf(code, 'Makkah')).toBe('unknown')
  })

  it('within one city is the branch after a movement, and the hand-over before', () => {
    const within: Route = { from: 'Makkah', to: 'Makkah' }
    expect(kindOf('RTIN', 'Makkah', within)).toBe('at-branch')
    const scan = (kind: 'at-branch' | 'in-transit', at: number) => ({ kind, at, source: 'courier' as const })
    expect(carriedOf([scan('at-branch', 1)])).toBe('received')
    expect(carriedOf([scan('at-branch', 3), scan('in-transit', 2), scan('at-branch', 1)])).toBe('at-branch')
  })

  it('without a known city is no step', () => {
    expect(kindOf('CC', 'Riyadh', { from: undefined, to: undefined })).toBe('unknown')
  })
})

it('a collection after a return is the way back', () => {
  const events = ['DL', 'RTS', 'PU'].map((code, index) => ({
    kind: kindOf(code, 'Riyadh'),
    at: 10 - index,
    source: 'courier' as const,
  }))
  expect(carriedOf(events)).toBe('exception')
})

describe('the identity of a scan', () => {
  const scan = { code: 'dl', at: 1, time: '2027-05-18T15:30:00', zone: '+03:00', city: 'Riyadh', text: 'x' }

  it('has number, code, time, zone and city', () => {
    const key = eventKeyOf('231200000001', scan)
    expect(eventKeyOf('231200000001', { ...scan, code: 'DL' })).toBe(key)
    const others = [
      { ...scan, code: 'PU' },
      { ...scan, time: '2027-05-18T15:30:01' },
      { ...scan, zone: '+02:00' },
      { ...scan, city: 'Jeddah' },
    ]
    const keys = [
      key,
      eventKeyOf('231200000002', scan),
      ...others.map((one) => eventKeyOf('231200000001', one)),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has no word of the courier', () => {
    const key = eventKeyOf('231200000001', { ...scan, code: 'Seen by Maryam' })
    expect(key).toMatch(/^[\w-]{22}$/)
  })

  it('does not depend on the words', () => {
    expect(eventKeyOf('1', { ...scan, text: undefined })).toBe(eventKeyOf('1', scan))
    expect(eventKeyOf('1', { ...scan, city: undefined })).not.toBe(eventKeyOf('1', scan))
  })
})

describe('a contradiction', () => {
  it.each([
    [['collected'], 'READY', 'COLLECTED', true],
    [['at-branch', 'collected'], 'AWAITING_LABEL', 'COLLECTED', true],
    [['picked-up', 'collected'], 'READY', 'COLLECTED', false],
    [['collected'], 'IN_TRANSIT', 'COLLECTED', false],
    [['at-branch'], 'READY', 'HANDED_OVER', false],
    [['picked-up'], 'CANCELLED', 'CANCELLED', true],
    [['unknown'], 'CANCELLED', 'CANCELLED', false],
    [['exception'], 'IN_TRANSIT', 'EXCEPTION', false],
  ] as const)('%j from %s to %s: %s', (kinds, before, after, expected) => {
    expect(isContradiction(kinds, before, after)).toBe(expected)
  })
})

describe('the next poll', () => {
  const half = 30 * 60_000
  const demo = 30_000

  it('is soon after news and rare in silence', () => {
    const factors = [0, 3, 4, 11, 12, 23, 24, 999].map((silent) => pollFactor('IN_TRANSIT', silent, half))
    expect(factors).toEqual([1, 1, 2, 2, 4, 4, 12, 12])
  })

  it('is every three hours at the branch and before the hand-over', () => {
    expect(pollFactor('AT_BRANCH', 0, half) * half).toBe(3 * 60 * 60_000)
    expect(pollFactor('READY', 50, half) * half).toBe(3 * 60 * 60_000)
  })

  it('is within two minutes in a demonstration, whatever happened', () => {
    for (const state of ['READY', 'HANDED_OVER', 'IN_TRANSIT', 'AT_BRANCH', 'EXCEPTION'] as const)
      for (const silent of [0, 5, 20, 1_000]) {
        const waitMs = spread(demo * pollFactor(state, silent, demo), 0.999)
        expect(waitMs).toBeLessThan(115_000)
      }
  })

  it('is spread by a tenth, and joined by bags that are due soon', () => {
    expect([spread(1_000, 0), spread(1_000, 0.5), spread(1_000, 0.9999)]).toEqual([900, 1_000, 1_100])
    expect(slackOf(half)).toBe(half / 4)
  })
})

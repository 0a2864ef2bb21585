import { describe, expect, it } from 'vitest'
import {
  describeMutant,
  digest,
  featureOf,
  isCurrent,
  parseResults,
  percentDead,
  type Result,
  reportOf,
} from './mutant-report.ts'

const result = (over: Partial<Result> = {}): Result => ({
  id: 'a1',
  file: 'server/features/payments/payments.rules.ts',
  start: 10,
  end: 11,
  line: 3,
  kind: 'boundary',
  original: '<',
  replacement: '<=',
  outcome: 'killed',
  source: 's',
  ...over,
})

describe('parseResults', () => {
  it('uses the last result of a mutant and ignores an incomplete line', () => {
    const lines = [result({ outcome: 'survived' }), result(), result({ id: 'b2' })].map((each) =>
      JSON.stringify(each),
    )
    const results = parseResults(`${lines.join('\n')}\n{"id":"c3","verd`)
    expect([...results.keys()]).toEqual(['a1', 'b2'])
    expect(results.get('a1')?.outcome).toBe('killed')
  })
})

describe('isCurrent', () => {
  it('is true while the file is unchanged', () => {
    expect(isCurrent(result(), 's', 't')).toBe(true)
    expect(isCurrent(result(), 'other', 't')).toBe(false)
    expect(isCurrent(undefined, 's', 't')).toBe(false)
  })

  it('is false for a survivor whose tests have changed', () => {
    const survivor = result({ outcome: 'survived', tests: 't' })
    expect(isCurrent(survivor, 's', 't')).toBe(true)
    expect(isCurrent(survivor, 's', 'other')).toBe(false)
  })
})

it('digest depends on the boundaries between texts', () => {
  expect(digest('ab', 'c')).not.toBe(digest('a', 'bc'))
})

it.each([
  ['server/features/payments/payments.rules.ts', 'server/features/payments'],
  ['server/platform/plugins/health.ts', 'server/platform'],
  ['shared/orders/orders.schemas.ts', 'shared/orders'],
  ['server/app.ts', 'server'],
])('featureOf(%s) is %s', (file, feature) => {
  expect(featureOf(file)).toBe(feature)
})

describe('reportOf', () => {
  const results = [
    result(),
    result({ id: 'b', outcome: 'late' }),
    result({ id: 'c', outcome: 'survived', line: 9, start: 90 }),
    result({ id: 'd', outcome: 'survived', line: 4, start: 40, replacement: ';', original: 'a(\n  b)' }),
    result({ id: 'e', file: 'client/ui/field.tsx' }),
  ]

  it('counts by feature, and counts a timeout as killed', () => {
    expect(percentDead(results)).toBe(60)
    expect(reportOf(results).split('\n').slice(2, 5)).toEqual([
      '| client/ui | 1 | 1 | 0 | 0 | 100 % |',
      '| server/features/payments | 4 | 1 | 1 | 2 | 50 % |',
      '| **all** | 5 | 2 | 1 | 2 | 60 % |',
    ])
  })

  it('lists the survivors by location', () => {
    expect(reportOf(results).split('\n').slice(-2)).toEqual([
      '- server/features/payments/payments.rules.ts:4 boundary: `a( b)` → removed',
      '- server/features/payments/payments.rules.ts:9 boundary: `<` → `<=`',
    ])
  })

  it('accepts an empty list', () => {
    expect(percentDead([])).toBe(0)
  })
})

it('describeMutant shortens long code', () => {
  expect(describeMutant(result({ original: 'x'.repeat(500) })).length).toBeLessThan(200)
})

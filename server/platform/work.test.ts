import { describe, expect, it } from 'vitest'
import { currentWork, during, nextSpanOf, readTraceparent, traceIdOf, writeTraceparent } from './work.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const sampled = `00-${traceId}-${spanId}-01`
const span = {
  traceId,
  spanId,
  traceFlags: 1,
  isRemote: true,
}

describe('readTraceparent', () => {
  it('reads the example of the standard, and writes it unchanged', () => {
    expect(readTraceparent(sampled)).toEqual(span)
    expect(writeTraceparent(span)).toBe(sampled)
    expect(readTraceparent(`00-${traceId}-${spanId}-02`)?.traceFlags).toBe(0)
  })

  it('reads a later version with more fields', () => {
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)).toEqual(span)
  })

  it.each([
    undefined,
    ['twice', sampled],
    '',
    'mine',
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}`,
    ` ${sampled}`,
    `${sampled}\n`,
  ])('refuses %j', (header) => {
    expect(readTraceparent(header)).toBeUndefined()
  })
})

describe('the trace of a work', () => {
  it('is the caller’s, with a span of its own for each request', () => {
    const work = { id: 'r1', span }
    expect(traceIdOf(work)).toBe(traceId)
    const [first, second] = [nextSpanOf(work), nextSpanOf(work)]
    expect(first).toMatchObject({ traceId, traceFlags: 1 })
    expect(first.spanId).toMatch(/^[\da-f]{16}$/)
    expect(new Set([spanId, first.spanId, second.spanId]).size).toBe(3)
  })

  it('follows from the id without one', () => {
    const id = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d'
    expect(traceIdOf({ id })).toBe('0b1c2d3e4f504a6b8c7d9e0f1a2b3c4d')
    const other = traceIdOf({ id: 'proxy:1234567890abcdef' })
    expect(other).toMatch(/^[\da-f]{32}$/)
    expect(traceIdOf({ id: 'proxy:1234567890abcdef' })).toBe(other)
    expect(nextSpanOf({ id }).traceFlags).toBe(0)
  })
})

describe('during', () => {
  it('lasts through what the work awaits, and ends with it', async () => {
    const [one, other] = [{ id: 'one' }, { id: 'other' }]
    const seen = await Promise.all(
      [one, other].map((work) =>
        during(work, async () => {
          await new Promise(setImmediate)
          return currentWork()
        }),
      ),
    )
    expect(seen).toEqual([one, other])
    expect(during(one, () => during(undefined, currentWork))).toBeUndefined()
    expect(currentWork()).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import {
  currentWork,
  during,
  newWork,
  nextContextOf,
  readTraceparent,
  traceIdOf,
  writeTraceparent,
} from './work.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const sampled = `00-${traceId}-${spanId}-01`

describe('readTraceparent', () => {
  it('reads the example of the standard, and writes it unchanged', () => {
    const context = readTraceparent(sampled)
    expect(context).toEqual({ traceId, spanId, isSampled: true })
    expect(context && writeTraceparent(context)).toBe(sampled)
    expect(readTraceparent(`00-${traceId}-${spanId}-00`)?.isSampled).toBe(false)
  })

  it('reads a later version with more fields', () => {
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)).toMatchObject({ traceId })
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
    const work = { id: 'r1', traceparent: sampled }
    expect(traceIdOf(work)).toBe(traceId)
    const [first, second] = [nextContextOf(work), nextContextOf(work)]
    expect(first).toMatchObject({ traceId, isSampled: true })
    expect(first.spanId).toMatch(/^[\da-f]{16}$/)
    expect(new Set([spanId, first.spanId, second.spanId]).size).toBe(3)
  })

  it.each([undefined, 'not a traceparent'])('follows from the id without one (%s)', (traceparent) => {
    const id = '0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d'
    expect(traceIdOf({ id, traceparent })).toBe('0b1c2d3e4f504a6b8c7d9e0f1a2b3c4d')
    const other = traceIdOf({ id: 'proxy:1234567890abcdef', traceparent })
    expect(other).toMatch(/^[\da-f]{32}$/)
    expect(traceIdOf({ id: 'proxy:1234567890abcdef' })).toBe(other)
    expect(nextContextOf({ id, traceparent }).isSampled).toBe(false)
  })
})

describe('during', () => {
  it('lasts through what the work awaits, and ends with it', async () => {
    const [one, other] = [newWork(), newWork()]
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

import { describe, expect, it } from 'vitest'
import { reportOf, type Sample } from './samples.ts'

const evenly = (count: number, change: (index: number) => Partial<Sample> = () => ({})): Sample[] =>
  Array.from({ length: count }, (_, index) => ({
    atMs: index * 100,
    operation: 'GET /a',
    ms: 20,
    ...change(index),
  }))

describe('the result of a level', () => {
  it('is passed when every response is right and 95 of 100 are in time', () => {
    const report = reportOf(evenly(100, (index) => (index < 5 ? { ms: 2_000 } : {})))
    expect(report).toMatchObject({ isHeld: true, firstBreak: undefined, failures: {}, requests: 100 })
    expect(report.all.slowest).toBe(2_000)
  })

  it('is failed at a p95 of 300 ms, and names the operation that was slowest at first', () => {
    const report = reportOf(
      evenly(200, (index) =>
        index < 100
          ? {}
          : { operation: index % 2 === 0 ? 'POST /b' : 'GET /a', ms: index % 2 === 0 ? 900 : 300 },
      ),
    )
    expect(report.isHeld).toBe(false)
    expect(report.firstBreak).toBe('POST /b: p95 900 ms in seconds 10 to 15')
  })

  it('is failed with a single failure', () => {
    const report = reportOf(evenly(1_000, (index) => (index === 60 ? { failure: '503 OVERLOADED' } : {})))
    expect(report).toMatchObject({ isHeld: false, failures: { '503 OVERLOADED': 1 } })
    expect(report.firstBreak).toBe('GET /a: 503 OVERLOADED in seconds 5 to 10')
    expect(report.byOperation).toMatchObject([{ operation: 'GET /a', failed: 1 }])
  })

  it('is failed without requests', () => {
    expect(reportOf([])).toMatchObject({ isHeld: false, firstBreak: 'nothing was answered' })
  })
})

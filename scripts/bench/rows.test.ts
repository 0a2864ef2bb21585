import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fixedAnswer } from './flood-row.ts'
import { type Row, rowsTable } from './row.ts'

const head = [
  'HTTP/1.1 200 OK',
  'content-type: application/json; charset=utf-8',
  'Date: Sat, 01 Jan 2027 00:00:00 GMT',
  'Connection: keep-alive',
  'Keep-Alive: timeout=72',
  'etag: "a:b"',
].join('\r\n')

describe('the response of the baseline', () => {
  it('equals the gateway’s, without the headers that Node adds', () => {
    expect(fixedAnswer({ status: 200, head, body: Buffer.from('{"success":true}') })).toEqual({
      status: 200,
      headers: [
        ['content-type', 'application/json; charset=utf-8'],
        ['etag', '"a:b"'],
        ['content-length', '16'],
      ],
      body: Buffer.from('{"success":true}').toString('base64'),
    })
  })

  it('is compressed where the gateway sends a large response uncompressed', () => {
    const body = Buffer.from('a'.repeat(5_000))
    const fixed = fixedAnswer({ status: 200, head, body })
    expect(fixed.headers).toContainEqual(['content-encoding', 'br'])
    expect(brotliDecompressSync(Buffer.from(fixed.body, 'base64'))).toEqual(body)
    expect(fixed.headers).toContainEqual(['content-length', String(Buffer.from(fixed.body, 'base64').length)])
  })

  it('is unchanged where the gateway compresses', () => {
    const body = Buffer.alloc(5_000, 7)
    const fixed = fixedAnswer({ status: 200, head: `${head}\r\ncontent-encoding: gzip`, body })
    expect(Buffer.from(fixed.body, 'base64')).toEqual(body)
    expect(fixed.headers.filter(([name]) => name === 'content-encoding')).toEqual([
      ['content-encoding', 'gzip'],
    ])
  })
})

describe('the table of promised numbers', () => {
  const row = (measure: number, isMoreBetter: boolean): Row => ({
    what: 'session check',
    unit: 'requests/s',
    gateway: 5_000,
    baseline: 10_000,
    baselineIs: 'bare node:http',
    measure,
    floor: isMoreBetter ? 0.4 : 1.5,
    goal: isMoreBetter ? 0.6 : 1.1,
    isMoreBetter,
    note: 'processor time 0.5',
  })

  it.each([
    [0.39, true, 'below'],
    [0.4, true, 'floor'],
    [0.6, true, 'goal'],
    [1.51, false, 'below'],
    [1.5, false, 'floor'],
    [1.1, false, 'goal'],
    [Number.NaN, true, 'below'],
  ])('reports %d, where more is better: %s, as %s', (measure, isMoreBetter, reached) => {
    expect(rowsTable([row(measure, isMoreBetter)])).toMatch(new RegExp(`  ${reached} +bare node:http`))
  })

  it('shows the details of a number below it', () => {
    expect(rowsTable([row(0.5, true)])).toContain('\n\nsession check: processor time 0.5.')
  })
})

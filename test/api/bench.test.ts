import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFull } from '#test/kit/full-run.ts'
import { repoRoot } from '#test/kit/repo-files.ts'

/**
 * Runs the benchmarks with counts too small for meaningful numbers, to check that they measure every operation they
 * name and that nothing is lost or done twice meanwhile.
 */

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'amtiati-bench-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function bench(...args: string[]) {
  const out = join(folder, `${args[0]}.json`)
  const child = spawn(process.execPath, [join(repoRoot, 'scripts/bench/main.ts'), ...args, '--out', out], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
  })
  const text = { out: '', error: '' }
  child.stdout.on('data', (bytes) => {
    text.out += bytes
  })
  child.stderr.on('data', (bytes) => {
    text.error += bytes
  })
  const [code] = await once(child, 'close')
  const json = await readFile(out, 'utf8').catch(() => undefined)
  if (code === null || (code !== 2 && json === undefined))
    throw new Error(`it ended with ${code}: ${text.error}${text.out}`)
  return { code, ...text, json: json === undefined ? undefined : JSON.parse(json) }
}

/** On a busy machine the gateway may shed load, which is no fault. */
const beyondLoad = (faults: readonly string[]) => faults.filter((fault) => !/\b503\b/.test(fault))

const timeout = 480_000

it('npm run bench prints its usage for an unknown benchmark', async () => {
  const { code, error } = await bench('week')
  expect(code).toBe(2)
  expect(error).toContain('there is no benchmark week')
  expect(error).toContain('usage: npm run bench')
})

/** Each takes a minute of both cores. */
if (isFull)
  describe('npm run bench', () => {
    it(
      'prints every promised number beside its baseline',
      async () => {
        const { json, out } = await bench(
          ...['rows', '--rounds', '1', '--seconds', '1', '--journeys', '3', '--sizes', '500,700'],
        )
        expect(beyondLoad(json.result.faults)).toEqual([])
        const rows: { what: string; gateway: number; baseline: number; measure: number }[] = json.result.rows
        expect(rows.map(({ what }) => what)).toEqual([
          'session check',
          expect.stringMatching(/^partner list \(\d+ offices\)$/),
          'whole journeys (3)',
          'order list at 700 orders',
          'checkout at 700 orders',
          'cold start until ready',
          'resident memory after 3 journeys',
        ])
        const wasOverloaded = beyondLoad(json.result.faults).length < json.result.faults.length
        // Under overload all of the few requests may have been refused.
        for (const { what, gateway, baseline, measure } of wasOverloaded ? [] : rows)
          for (const number of [gateway, baseline, measure]) expect(number, what).toBeGreaterThan(0)
        expect(json.result.details.journeys).toMatchObject({ lost: [], double: [] })
        expect(json.machine).toMatchObject({ cores: expect.any(Number), node: process.version })
        expect(out).toContain('session check')
      },
      timeout,
    )

    it(
      'measures every operation at every size, and the other requests meanwhile',
      async () => {
        const { json } = await bench('scale', '--sizes', '500', '--rounds', '2')
        expect(beyondLoad(json.result.faults)).toEqual([])
        const lines: {
          engine: string
          operation: string
          count: number
          median: number
          failure?: string
        }[] = json.result.lines
        for (const own of Map.groupBy(lines, (line) => line.engine).values()) {
          expect(own.map(({ operation }) => operation.replace(/,? (of )?\d.*/, ''))).toEqual(
            expect.arrayContaining([
              ...['quiet', 'session check', 'order list', 'order', 'label', 'checkout', 'whole journey'],
              ...['agent list, first page', 'scrape', 'export', 'deletion', 'expiry'],
            ]),
          )
          for (const { operation, count, median, failure } of own)
            if (operation !== 'quiet' && failure === undefined)
              expect([operation, count > 0 && median > 0]).toEqual([operation, true])
        }
        expect(new Set(lines.map((line) => line.engine)).size).toBe(2)
      },
      timeout,
    )

    it(
      'simulates the peak day of Mina, and nothing is lost or done twice',
      async () => {
        const { json } = await bench('day', '--seconds', '2', '--most', '1')
        expect(beyondLoad(json.result.faults)).toEqual([])
        const levels: {
          factor: number
          orders: number
          lost: number
          double: number
          outcome: { visits: number; report: { byOperation: { operation: string }[] } }
        }[] = json.result.levels
        expect(levels).toHaveLength(2)
        for (const { factor, lost, double, outcome } of levels) {
          expect({ factor, lost, double }).toEqual({ factor: 1, lost: 0, double: 0 })
          expect(outcome.visits).toBeGreaterThan(5)
          expect(outcome.report.byOperation.map(({ operation }) => operation)).toContain(
            'POST /api/auth/request-otp',
          )
        }
      },
      timeout,
    )

    it(
      'follows bags in transit, and no scan is lost or stored twice',
      async () => {
        const { code, json } = await bench('transit', '--sizes', '500', '--rounds', '10')
        expect([code, json.result.faults]).toEqual([0, []])
        const lines: {
          scenario: string
          hour: number
          calls: number
          newScans: number
          bagsPerCall: number
        }[] = json.result.lines
        expect(lines).toHaveLength(40)
        const of = (scenario: string, hour: number) =>
          lines.find((line) => line.scenario === scenario && line.hour === hour)
        expect(of('silence', 1)?.bagsPerCall).toBeGreaterThan(5)
        expect(of('silence', 10)?.calls).toBeLessThan(of('silence', 1)?.calls ?? 0)
        expect(lines.some(({ newScans }) => newScans > 0)).toBe(true)
      },
      timeout,
    )

    it(
      'waits as a phone on a slow line does',
      async () => {
        const { code, json } = await bench('phone', '--rounds', '1')
        expect([code, json.result.faults]).toEqual([0, []])
        const lines: { what: string; median: number }[] = json.result.lines
        expect(lines.map(({ what, median }) => [what, median > 0])).toEqual([
          ['home readable', true],
          ['phone field usable', true],
          ['claim without network, from the list it starts with', true],
        ])
      },
      timeout,
    )
  })

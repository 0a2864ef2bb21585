import { parseArgs } from 'node:util'
import type { Engine } from '#server/platform/database/database.ts'

export type Benchmark = 'rows' | 'scale' | 'day' | 'phone' | 'outage'

export interface Options {
  readonly benchmark: Benchmark
  readonly engines: readonly Engine[]
  readonly sizes: readonly number[]
  readonly rounds: number
  /** Of one round of a flood, of one level of the day, or of an outage. */
  readonly seconds: number
  readonly journeys: number
  /** The highest multiple of the planned load. */
  readonly most: number
  readonly seed: number
  /** Where the numbers are written as JSON. */
  readonly out: string
}

/** What every measurement of a run uses. */
export interface Bench {
  readonly options: Options
  /** Wrong results, independent of speed. */
  readonly faults: string[]
  say(line: string): void
}

export const usage = `usage: npm run bench [-- scale | day | phone | outage] [options]
  (none)   the rows of the promised numbers, each beside its baseline
  scale    every operation at growing numbers of stored orders
  day      the afternoon of 12 Dhu al-Hijjah, until it breaks
  phone    what a phone on a slow line waits for, without any, and on one that never answers, in Chromium
  outage   what is served while PostgreSQL is away, and how soon all is well again (needs HAProxy)
options, each with its default for (none), scale, day, phone, outage:
  --engine sqlite|postgres   sqlite; both; both; –; –
  --sizes 1000,100000        1000,1000000; 1000,100000,1000000; –; –; –
  --rounds n                 5; 20; –; 5; –
  --seconds n                5; –; 60; –; 30 (of each)
  --journeys n               10000; –; –; –; –
  --most n                   –; –; 64 (times the planned load); –; –
  --seed n                   1 (of arrivals and choices)
  --out file                 data/bench-<benchmark>.json`

const defaults = {
  rows: { engines: ['sqlite'], sizes: [1_000, 1_000_000], rounds: 5, seconds: 5 },
  scale: { engines: ['sqlite', 'postgres'], sizes: [1_000, 100_000, 1_000_000], rounds: 20, seconds: 5 },
  day: { engines: ['sqlite', 'postgres'], sizes: [], rounds: 1, seconds: 60 },
  phone: { engines: ['sqlite'], sizes: [], rounds: 5, seconds: 5 },
  outage: { engines: ['postgres'], sizes: [], rounds: 1, seconds: 30 },
} as const satisfies Record<Benchmark, Pick<Options, 'engines' | 'sizes' | 'rounds' | 'seconds'>>

/** @throws a sentence that names the invalid argument. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      sizes: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      journeys: { type: 'string' },
      most: { type: 'string' },
      seed: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const [word = 'rows', ...rest] = positionals
  if (!isBenchmark(word) || rest.length > 0) throw new Error(`there is no benchmark ${positionals.join(' ')}`)
  const own = defaults[word]
  return {
    benchmark: word,
    engines: values.engine === undefined ? own.engines : [engineOf(values.engine)],
    sizes: values.sizes === undefined ? own.sizes : values.sizes.split(',').map((text) => sizeOf(text)),
    rounds: count('rounds', values.rounds, own.rounds),
    seconds: count('seconds', values.seconds, own.seconds),
    journeys: count('journeys', values.journeys, 10_000),
    most: count('most', values.most, 64),
    seed: count('seed', values.seed, 1),
    out: values.out ?? `data/bench-${word}.json`,
  }
}

const isBenchmark = (word: string): word is Benchmark => word in defaults

function engineOf(text: string): Engine {
  if (text !== 'sqlite' && text !== 'postgres') throw new Error('--engine is sqlite or postgres')
  return text
}

/** Below this there is no user with many orders to export and delete. */
export const smallestSize = 500

function sizeOf(text: string): number {
  const size = count('sizes', text, 0)
  if (size < smallestSize) throw new Error(`--sizes are at least ${smallestSize}`)
  return size
}

function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is not a whole number above 0`)
  return Number(text)
}

import { parseArgs } from 'node:util'
import type { Engine } from '#server/platform/database/database.ts'

export interface Options {
  readonly benchmark: Benchmark
  readonly engines: readonly Engine[]
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly seconds: number
  readonly journeys: number
  readonly most: number
  readonly kills: number
}

export const usage = `usage: npm run bench [-- costs | scale | desk | day | visit | phone | outage | failover | live] [options]
  (none)   the rows of the promised numbers, each beside its baseline
  costs    what stands between a bare server and the gateway, in processor time of a request
  scale    every operation at growing numbers of stored orders
  desk     what thirty people at the desk add to the time of pilgrims' calls, and how long their own take
  day      the afternoon of 12 Dhu al-Hijjah, until it breaks
  visit    what one visit of the day costs each process, one after the other
  phone    what a phone on a slow line waits for, without any, and on one that never answers, and what a press takes, in Chromium
  outage   what is served while PostgreSQL is away, and how soon all is well again (needs HAProxy)
  failover how soon gateways write again when the primary is killed, and whether anything is lost (needs PostgreSQL)
  live     how soon a pilgrim sees a hand-over, and what idle streams cost (needs HAProxy and Chromium)
options, each with its default for (none), scale, desk, day, visit, phone, outage, live:
  --engine sqlite|postgres   sqlite; both; both; both; both; –; –; –
  --sizes 1000,100000        1000,1000000; 1000,100000,1000000; 1000000; –; –; –; –; –
  --rounds n                 5; 20; 5; –; –; 5; –; 5
  --seconds n                5; –; 30; 60; –; –; 30 (of each); 15
  --journeys n               10000; –; –; –; 40; –; –; 200 (hand-overs)
  --most n                   –; –; –; 64 (times the planned load); –; –; –; –
  --kills n                  20, of failover`

const both: readonly Engine[] = ['sqlite', 'postgres']
const common = { engines: both, sizes: [], rounds: 5, seconds: 5, journeys: 10_000, most: 64, kills: 20 }
const defaults = {
  rows: { ...common, engines: ['sqlite'], sizes: [1_000, 1_000_000] },
  costs: { ...common, engines: ['sqlite'], sizes: [1_000], seconds: 3 },
  scale: { ...common, sizes: [1_000, 100_000, 1_000_000], rounds: 20 },
  desk: { ...common, sizes: [1_000_000], seconds: 30 },
  day: { ...common, seconds: 60 },
  visit: { ...common, journeys: 40 },
  phone: common,
  outage: { ...common, seconds: 30 },
  failover: common,
  live: { ...common, seconds: 15, journeys: 200 },
} as const satisfies Record<string, Omit<Options, 'benchmark'>>

export type Benchmark = keyof typeof defaults

export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      engine: text,
      sizes: text,
      rounds: text,
      seconds: text,
      journeys: text,
      most: text,
      kills: text,
    },
  })
  const [benchmark = 'rows', ...rest] = positionals
  if (!isBenchmark(benchmark) || rest.length > 0)
    throw new Error(`there is no benchmark ${positionals.join(' ')}`)
  const { engine, sizes, ...counts } = values
  return {
    benchmark,
    ...defaults[benchmark],
    ...(engine !== undefined && { engines: [engineOf(engine)] }),
    ...(sizes !== undefined && { sizes: sizes.split(',').map(sizeOf) }),
    ...Object.fromEntries(Object.entries(counts).map(([name, each]) => [name, countOf(name, each)])),
  }
}

const isBenchmark = (word: string): word is Benchmark => word in defaults

function engineOf(text: string): Engine {
  if (text !== 'sqlite' && text !== 'postgres') throw new Error('--engine is sqlite or postgres')
  return text
}

/** A smaller season has no user with many orders to export and delete. */
const smallestSize = 500

function sizeOf(text: string): number {
  const size = countOf('sizes', text)
  if (size < smallestSize) throw new Error(`--sizes are at least ${smallestSize}`)
  return size
}

function countOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is not a whole number above 0`)
  return Number(text)
}

import { brotliCompressSync } from 'node:zlib'
import { eventually } from '#test/kit/eventually.ts'
import type { FixedAnswer } from './baseline.ts'
import { headerOf, openPool, type Reply, type Request } from './connection.ts'
import type { FilledDeployment } from './filled-deployment.ts'
import type { FloodResult } from './jobs.ts'
import { median } from './numbers.ts'
import { type Child, startBaseline } from './processes.ts'
import { ask, type Bench, connections, type Row } from './row.ts'
import { figure } from './table.ts'
import type { Vitals } from './vitals.ts'

/** Headers that Node sets for every response. */
const ownHeaders = /^(date|connection|keep-alive|transfer-encoding|content-length)$/i

/** The response for the baseline to send: compressed if the gateway sends a large one uncompressed. */
export function fixedAnswer(reply: Reply): FixedAnswer {
  const isPlain = headerOf(reply.head, 'content-encoding') === undefined
  const isLarge = reply.body.length > 1_024
  const body = isPlain && isLarge ? brotliCompressSync(reply.body) : reply.body
  const headers = reply.head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ])
    .filter(([name]) => !ownHeaders.test(name))
  if (isPlain && isLarge) headers.push(['content-encoding', 'br'])
  headers.push(['content-length', String(body.length)])
  return { status: reply.status, headers, body: Buffer.from(body).toString('base64') }
}

interface Side {
  readonly perSecond: number[]
  /** Microseconds of processor time per request, which hardly depends on other load of the machine. */
  readonly processorUs: number[]
}

/** Requests per second of the gateway and of a bare server that sends the same bytes, in turn. */
export async function floodRow(
  bench: Bench,
  deployment: FilledDeployment,
  { what, request, floor, goal }: { what: string; request: Request; floor: number; goal: number },
): Promise<{ row: Row; details: unknown }> {
  const { options, say, faults } = bench
  const [url = ''] = deployment.gatewayUrls
  const pool = openPool(url)
  // The first request may fail on a busy machine.
  const reply = await eventually(
    async () => {
      const answer = await pool.request(request)
      return answer.status === 200 ? answer : undefined
    },
    { withinMs: 30_000, everyMs: 500 },
  )
  pool.close()
  const fixed = fixedAnswer(reply)
  const baseline = startBaseline()
  const baselineUrl = await baseline.ask<string>(fixed)
  const sides = {
    gateway: { perSecond: [], processorUs: [] } as Side,
    baseline: { perSecond: [], processorUs: [] } as Side,
  }
  let busiest = 0
  const round = async (side: Side | undefined, server: Child, target: string, seconds: number) => {
    await server.ask('vitals')
    await ask<Vitals>(bench, { kind: 'vitals' })
    const result = await ask<FloodResult>(bench, {
      kind: 'flood',
      url: target,
      request,
      connections,
      seconds,
    })
    const { processorMs } = await server.ask<Vitals>('vitals')
    const { busy } = await ask<Vitals>(bench, { kind: 'vitals' })
    if (result.failed > 0) faults.push(`${what}: ${result.failed} requests failed`)
    if (side === undefined) return
    side.perSecond.push(result.perSecond)
    side.processorUs.push((processorMs * 1_000) / result.answered)
    if (server === baseline) busiest = Math.max(busiest, busy)
  }
  const [gateway] = deployment.gateways()
  if (!gateway) throw new Error('there is no gateway')
  try {
    await round(undefined, gateway, url, 1)
    await round(undefined, baseline, baselineUrl, 1)
    for (let count = 1; count <= options.rounds; count += 1) {
      await round(sides.gateway, gateway, url, options.seconds)
      await round(sides.baseline, baseline, baselineUrl, options.seconds)
      say(
        `  ${what}, round ${count}: ${figure(sides.gateway.perSecond.at(-1) ?? 0)} against ${figure(sides.baseline.perSecond.at(-1) ?? 0)} requests/s`,
      )
    }
  } finally {
    await baseline.end()
  }
  const ours = median(sides.gateway.perSecond)
  const bare = median(sides.baseline.perSecond)
  const processorRatio = median(sides.baseline.processorUs) / median(sides.gateway.processorUs)
  const limited = busiest > 0.95 ? '; the generator was at its limit: the true ratio is lower' : ''
  return {
    row: {
      what,
      unit: 'requests/s',
      gateway: ours,
      baseline: bare,
      baselineIs: 'bare node:http, same bytes',
      measure: ours / bare,
      floor,
      goal,
      isMoreBetter: true,
      note: `processor time ${figure(processorRatio)}; ${reply.body.length} bytes sent, ${Buffer.from(fixed.body, 'base64').length} by the baseline${limited}`,
    },
    details: { ...sides, generatorBusy: busiest },
  }
}

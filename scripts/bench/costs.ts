import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Request } from './client.ts'
import { fixedAnswer, startBaseline } from './deployment.ts'
import { databasePart } from './leave-out.store.ts'
import { floodProcess } from './load.ts'
import type { Options } from './options.ts'
import { figure, median, type Result, say, tableOf } from './report.ts'
import { centersRequest, firstReply, gatewayPid, sessionRequest } from './rows.ts'
import { startFilledDeployment } from './season.ts'

/**
 * Processor time of a request between a bare server and the gateway: each plugin of `server/platform/plugins`
 * with hooks, and the database, is left out in turn.
 */

const leaveOut = new URL('leave-out.store.ts', import.meta.url).href
const parts = [
  ...['request-trace', 'health', 'load-shedding', 'connection-limits', 'security-headers'],
  ...['graceful-close', 'same-origin', 'unambiguous-requests', 'known-hosts', databasePart],
] as const
const warmUpSeconds = 3

interface Costs {
  readonly bare: number
  readonly fastify: number
  readonly gateway: number
  readonly parts: Readonly<Record<string, number>>
}

export async function runCosts(options: Options): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'costs-'))
  const file = join(folder, 'left-out')
  const env = { LEAVE_OUT: file, NODE_OPTIONS: `--import=${leaveOut} ${process.env.NODE_OPTIONS ?? ''}` }
  const [size = 0] = options.sizes
  const deployment = await startFilledDeployment({ size, users: 2, env })
  const faults: string[] = []
  try {
    const gateway = { url: deployment.gatewayUrl, pid: gatewayPid(deployment) }
    const leave = (what: string) => {
      writeFileSync(file, what)
      process.kill(gateway.pid, 'SIGUSR2')
    }
    const measure = async (what: string, request: Request): Promise<Costs> => {
      const answer = fixedAnswer(await firstReply(gateway.url, request))
      const [bare, fastify] = [
        await startBaseline(answer),
        await startBaseline({ ...answer, isFastify: true }),
      ]
      const costOf = async (side: typeof gateway) => {
        const { processorUs, failed } = await floodProcess(side, request, options.seconds)
        if (failed > 0) faults.push(`${what}: ${failed} requests failed`)
        return processorUs
      }
      const samples: { readonly of: string; readonly us: number }[] = []
      const note = (of: string, us: number) => {
        samples.push({ of, us })
        return us
      }
      const medianOf = (what: string) => median(samples.filter(({ of }) => of === what).map(({ us }) => us))
      for (const side of [bare, fastify, gateway]) await floodProcess(side, request, warmUpSeconds)
      for (let round = 1; round <= options.rounds; round += 1) {
        note('bare', await costOf(bare))
        note('fastify', await costOf(fastify))
        for (const part of parts) {
          leave('')
          const whole = note('gateway', await costOf(gateway))
          leave(part)
          note(part, whole - (await costOf(gateway)))
        }
        leave('')
        say(`  ${what}, round ${round}: ${figure(medianOf('gateway'))} µs`)
      }
      await bare.end()
      await fastify.end()
      return {
        bare: medianOf('bare'),
        fastify: medianOf('fastify'),
        gateway: medianOf('gateway'),
        parts: Object.fromEntries(parts.map((part) => [part, medianOf(part)])),
      }
    }
    const costs = {
      'session check': await measure('session check', sessionRequest(deployment)),
      'partner list': await measure('partner list', centersRequest),
    }
    return { table: costsTable(costs), numbers: costs, faults }
  } finally {
    await deployment.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function costsTable(costs: Readonly<Record<string, Costs>>): string {
  const all = Object.values(costs)
  const rest = ({ gateway, fastify, parts: own }: Costs) =>
    gateway - fastify - Object.values(own).reduce((sum, cost) => sum + cost, 0)
  const rows: readonly (readonly [string, (cost: Costs) => number])[] = [
    ['a bare server', ({ bare }) => bare],
    ['Fastify with one route, above it', ({ bare, fastify }) => fastify - bare],
    ...parts.map((part) => [part, ({ parts: own }: Costs) => own[part] ?? Number.NaN] as const),
    ['what is left: the operation', rest],
    ['the gateway', ({ gateway }) => gateway],
  ]
  return tableOf(
    ['processor time of a request, µs', ...Object.keys(costs)],
    rows.map(([what, of]) => [what, ...all.map((cost) => figure(of(cost)))]),
  )
}

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { EngineParts } from '#server/platform/database/database.ts'
import { openPostgres } from '#server/platform/database/postgres.ts'
import { openSqlite } from '#server/platform/database/sqlite.ts'
import { gatewayLimits } from '#server/platform/gateway-limits.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { startPostgres as startServer } from '#test/kit/database/postgres.ts'
import { openBalancer } from '#test/kit/programs/balancer.ts'
import { type ProcessStack, startStack } from '#test/kit/programs/stack.ts'
import { programEnv, programFlags } from '../lib/repo.mjs'
import type { FixedAnswer } from './baseline.ts'
import type { Reply } from './client.ts'
import { say } from './report.ts'

export interface Baseline {
  readonly url: string
  readonly pid: number
  end(): Promise<void>
}

const ownHeaders = /^(date|connection|keep-alive|transfer-encoding|content-length)$/i

/** The response for the baseline to send: compressed if the gateway sends a large one uncompressed. */
export function fixedAnswer(reply: Reply): FixedAnswer {
  const isPacked = reply.headers['content-encoding'] === undefined && reply.body.length > 1_024
  const body = isPacked ? brotliCompressSync(reply.body) : reply.body
  const headers = Object.entries({
    ...reply.headers,
    ...(isPacked && { 'content-encoding': 'br' }),
  }).flatMap(([name, value = '']) =>
    ownHeaders.test(name) ? [] : [value].flat().map((each) => [name, each] as const),
  )
  return {
    headers: [...headers, ['content-length', String(body.length)]],
    body: Buffer.from(body).toString('base64'),
  }
}

/** A bare server that sends the same bytes, by default hardly any. */
export async function startBaseline(
  answer: FixedAnswer = { headers: [['content-length', '0']], body: '' },
): Promise<Baseline> {
  const child = fork(new URL('baseline.ts', import.meta.url), {
    execArgv: [...programFlags],
    env: { ...process.env, ...programEnv },
  })
  child.send(answer)
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    pid: child.pid ?? 0,
    async end() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}

/** A real PostgreSQL in its own process. */
export async function startPostgres() {
  const { address, pid, stop } = await startServer()
  return {
    pid,
    end: stop,
    async createDatabase(): Promise<string> {
      const response = await fetch(address)
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return text
    },
  }
}

const noLimits = { connectMs: 0, statementMs: 0, answerMs: 0 }

/** All gateways of a benchmark share this address, and with it the names of their cookies. */
const publicUrl = 'http://localhost:3000'

/** No limit of codes to one phone: the phones of one agent receive their codes at one number. */
export const liftedLimits = {
  OTP_SENDS_PER_PHONE: '100000000/60s,100000000/10m,100000000/1h,100000000/1d',
}

export interface Lists {
  readonly agents: readonly PartnerAgent[]
  readonly centers: readonly Center[]
}

/** Gateways, simulator and database, each in its own process, with the default configuration. */
export interface Deployment extends ProcessStack {
  readonly lists: Lists
  stopGateways(): Promise<void>
  startGateways(): Promise<number>
  openDatabase(): EngineParts
}

export interface DeploymentOptions {
  readonly gateways?: number
  readonly databaseUrl?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

export async function startDeployment({
  gateways = 1,
  databaseUrl,
  env,
}: DeploymentOptions): Promise<Deployment> {
  const balancer = await openBalancer()
  const stack = await startStack({
    gateways,
    limits: gatewayLimits,
    isLogFile: true,
    env: {
      ...productionEnv,
      ...liftedLimits,
      CALLBACK_URL: balancer.url,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...env,
    },
  }).catch(async (error: unknown) => {
    await balancer.close()
    throw error
  })
  balancer.forwardTo(stack.gatewayUrls)
  const { gatewayUrls } = stack
  const [lists = { agents: [], centers: [] }] = await Promise.all(gatewayUrls.map(readLists))
  return {
    ...stack,
    lists,
    async stopGateways() {
      await Promise.all(gatewayUrls.map((_, index) => stack.killGateway('SIGTERM', index)))
    },
    async startGateways() {
      const startedAt = performance.now()
      const [tookMs = Number.NaN] = await Promise.all(
        gatewayUrls.map(async (_, index) => {
          await stack.startGateway(index)
          return performance.now() - startedAt
        }),
      )
      await Promise.all(gatewayUrls.map(readLists))
      return tookMs
    },
    openDatabase: () =>
      databaseUrl === undefined
        ? openSqlite(join(stack.dataDir, 'amtiati.sqlite'))
        : openPostgres(databaseUrl, {
            applicationName: 'amtiati-bench',
            limits: noLimits,
            onIdleError: (error) => say(String(error)),
          }),
    close: () => stack.close().finally(() => balancer.close()),
  }
}

/** Production's defaults where the tests' differ; and a fixed label, because only the gateway is measured. */
const productionEnv = {
  LOG_LEVEL: 'info',
  PUBLIC_URL: publicUrl,
  MESSAGES_ENABLED: 'true',
  MOCK_SHIPPING_LAG_MS: '0',
  MOCK_LABELS: 'fixed',
  CANCELLATION: 'off',
  DEMO_CONTROL_KEY: '',
  DRAIN_MS: '1000',
}

async function readLists(gatewayUrl: string): Promise<Lists> {
  const read = (path: string) =>
    eventually(async () => {
      const response = await fetch(`${gatewayUrl}${path}`)
      return response.ok ? await response.json() : undefined
    })
  const [{ agents }, { centers }] = await Promise.all([read(listAgents.path), read(listCenters.path)])
  return { agents, centers }
}

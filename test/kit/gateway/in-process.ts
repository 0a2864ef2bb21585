import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import pg from 'pg'
import { createMockPartner, type MockAccounts } from '#mock/app.ts'
import { createDemoGateway } from '#mock/platform/demo-gateway.ts'
import { createGateway } from '#server/app.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { createDatabase, type Database, type Engine } from '#server/platform/database/database.ts'
import { Flight } from '#server/platform/database/flight.ts'
import { type SchemaSteps, schemaSteps } from '#server/platform/database/migrate.ts'
import type { GatewayLimits } from '#server/platform/gateway-limits.ts'
import { createLogger } from '#server/platform/logging.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { complain } from '../basics/complaints.ts'
import { patienceMs } from '../basics/patience.ts'
import { engineOfRun, freshPostgresUrl } from '../database/fresh-postgres.ts'
import { claimForDemo, openMemoryParts } from '../database/memory-database.ts'
import { openPatientPostgres } from '../database/open-postgres.ts'
import { openControl } from '../programs/control.ts'
import { onFreePorts } from '../programs/ports.ts'
import { complaintAboutLine, demoKey, type Stack, stackEnv, stackLimits } from '../programs/stack.ts'
import { builtClient, isClientBuilt } from '../repo/repo-files.ts'

/**
 * Gateway and simulator as two Fastify apps in this process. They listen, too, because they call each other by HTTP. The app
 * is served where it is built; tests of pages say with `builtClient()` that they need it.
 */
export interface InProcessStack extends Stack {
  readonly gateway: FastifyInstance
  readonly database: Database
  /** Of the gateway, in milliseconds since the epoch. */
  now(): number
  /** Time passes at gateway and simulator. It does not end a wait that has begun. */
  passTime(ms: number): Promise<void>
  /** The number of statements that the gateway runs for the requests of `work`, without those of its workers. */
  statementsOf(work: () => Promise<unknown>): Promise<number>
  /** The header by which `statementsOf` counts a request; a person sends it. */
  countHeaders(): Readonly<Record<string, string>>
  /** A second gateway on the same database, whose clock is fast, of this build or of one with other migrations. It ends with the stack. */
  addGateway(fastMs: number, steps?: SchemaSteps): Promise<FastifyInstance>
  /** Until `answerAgain` the gateway accepts no connection, and those that are open end. */
  stopAnswering(): Promise<void>
  answerAgain(): Promise<void>
}

interface StackOptions {
  /** As of a gateway's process; the simulator reads `MOCK_SHIPPING_LAG_MS` of it. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits?: Partial<GatewayLimits>
  /** The simulator's clock and reset change the gateway, too. */
  readonly isOneWorld?: boolean
  /** The simulator accepts these accounts in place of those of the demo. `env` gives them to the gateway. */
  readonly accounts?: MockAccounts
  /** By default that of the run. */
  readonly engine?: Engine
}

/** A stack with an environment of its own. The caller closes it. */
export function ownStack(options: StackOptions = {}): Promise<InProcessStack> {
  return onFreePorts(1, async ([port = 0]) =>
    start(port, await mkdtemp(join(tmpdir(), 'amtiati-stack-')), options),
  )
}

// On globalThis, because the runner may load this file once for a test and again for a file of the kit.
const holder = globalThis as { [shared]?: Promise<InProcessStack> }
const shared = Symbol.for('amtiati.shared-stack')

/**
 * The stack of this worker, for tests that change nothing which another test sees: each has phones of its own, and faults
 * that match them. It ends with the worker.
 */
export function sharedStack(): Promise<InProcessStack> {
  // The few agents of the partner's directory sign in again in many files.
  holder[shared] ??= ownStack({ env: { OTP_SENDS_PER_PHONE: '1000/1m' } })
  return holder[shared]
}

interface Count {
  readonly id: string
  statements: number
}

const counting = new AsyncLocalStorage<Count | undefined>()
const counts = new Map<string, Count>()
const countHeader = 'x-test-count'

/** A connection hands no asynchronous context over: the header says which count a request belongs to. */
const countRequest: onRequestHookHandler = ({ headers }, _reply, done) =>
  counting.run(counts.get(String(headers[countHeader])), done)

const noteStatement = (text: string) => {
  const count = counting.getStore()
  if (count !== undefined && !/^(begin|commit|rollback)/i.test(text)) count.statements += 1
}

/** Counts what reaches the database, however it was built. */
function countStatements(): void {
  for (const name of ['all', 'run'] as const) {
    const method = StatementSync.prototype[name] as (...values: unknown[]) => unknown
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...values: unknown[]) {
        noteStatement(this.sourceSQL)
        return method.apply(this, values)
      },
    })
  }
  const { query } = pg.Client.prototype as { query: (...given: unknown[]) => unknown }
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...given: unknown[]) {
      const [asked] = given as [string | Flight | { text: string }]
      if (asked instanceof Flight) for (const text of asked.texts) noteStatement(text)
      else noteStatement(typeof asked === 'string' ? asked : asked.text)
      return query.apply(this, given)
    },
  })
}
countStatements()

async function openTestDatabase(clock: Clock, engine: Engine): Promise<Database> {
  const isPostgres = engine === 'postgres'
  const parts = isPostgres
    ? openPatientPostgres(await freshPostgresUrl('migrated'))
    : await openMemoryParts(clock)
  // As a locked file: no other gateway uses it.
  const lock = isPostgres ? undefined : { release: () => undefined }
  return createDatabase(parts, lock, await claimForDemo(parts))
}

async function start(port: number, dataDir: string, options: StackOptions): Promise<InProcessStack> {
  const closing: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
  async function close(): Promise<void> {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const gatewayUrl = `http://localhost:${port}`
    const { app: simulator, mailServer } = createMockPartner({
      trackingCallbackUrl: `${gatewayUrl}/api/tracking/callback`,
      gateway: options.isOneWorld ? createDemoGateway(gatewayUrl, demoKey) : undefined,
      ...(options.accounts && { accounts: options.accounts }),
      identity: { deskUrl: options.env?.PUBLIC_URL ?? gatewayUrl, gatewayUrl },
      shippingLagMs: Number(options.env?.MOCK_SHIPPING_LAG_MS ?? stackEnv.MOCK_SHIPPING_LAG_MS),
    })
    closing.push(() => simulator.close())
    await simulator.listen({ port: 0, host: '127.0.0.1' })
    const mockUrl = simulator.listeningOrigin.replace('127.0.0.1', 'localhost')
    const control = openControl(mockUrl)
    const mailPort = await mailServer.listen(0, '127.0.0.1')

    const config: Config = {
      ...readConfig({
        ...stackEnv,
        SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
        // The configuration refuses a client of the desk without its issuer.
        ...(options.accounts && { DESK_OIDC_ISSUER: `${mockUrl}/identity` }),
        ...options.env,
        PORT: String(port),
        MOCK_PARTNER_PORT: new URL(mockUrl).port,
        DATA_DIR: dataDir,
      }),
      limits: { ...stackLimits, ...options.limits },
    }
    const lines: string[] = []
    let aheadMs = 0
    const now = () => Date.now() + aheadMs
    const database = await openTestDatabase({ now }, options.engine ?? engineOfRun())
    closing.push(() => database.close())
    const openGateway = async (clock: Clock, steps: SchemaSteps = schemaSteps) => {
      const opened = await createGateway({
        config,
        database,
        logger: createLogger(config.LOG_LEVEL, {
          write(line) {
            const complaint = complaintAboutLine(line)
            if (complaint) complain(complaint)
            lines.push(`gateway: ${line.trimEnd()}`)
          },
        }),
        version: '1.2.3',
        clock,
        steps,
        metrics: createMetrics({ readWithinMs: patienceMs }),
        ...(isClientBuilt() && { clientRoot: builtClient() }),
      })
      opened.addHook('onRequest', countRequest)
      // Again, because reading a body loses the context.
      opened.addHook('preValidation', countRequest)
      // Waiting for connections that are kept open would take as long as they may be idle. Event streams have written
      // their last event before.
      opened.addHook('preClose', async () => {
        await setImmediate()
        opened.server.closeAllConnections()
      })
      closing.push(() => opened.close())
      return opened
    }
    const gateway = await openGateway({ now })
    await gateway.listen({ port, host: '127.0.0.1' })
    // A worker that has run its tests ends without closing the shared stack.
    for (const { server } of [gateway, simulator]) server.unref()

    return {
      gateway,
      database,
      gatewayUrl,
      mockUrl,
      control,
      dataDir,
      logs: () => lines,
      now,
      async passTime(ms) {
        aheadMs += ms
        if (database.engine === 'postgres') database.setAhead(aheadMs)
        await control.advanceClock(ms)
      },
      async stopAnswering() {
        const closed = once(gateway.server, 'close')
        gateway.server.close()
        gateway.server.closeAllConnections()
        await closed
      },
      async answerAgain() {
        gateway.server.listen(port, '127.0.0.1')
        await once(gateway.server, 'listening')
      },
      async statementsOf(work) {
        const count = { id: crypto.randomUUID(), statements: 0 }
        counts.set(count.id, count)
        try {
          await counting.run(count, work)
        } finally {
          counts.delete(count.id)
        }
        return count.statements
      },
      countHeaders() {
        const count = counting.getStore()
        return count === undefined ? {} : { [countHeader]: count.id }
      },
      async addGateway(fastMs, steps) {
        const added = await openGateway({ now: () => now() + fastMs }, steps)
        await added.listen({ port: 0, host: '127.0.0.1' })
        return added
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { patienceMs } from '#test/kit/basics/patience.ts'
import { engines, freshDatabase, postgresAt } from '#test/kit/database/databases.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { explain } from '#test/kit/database/plans.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { quietConfig, visitorOf } from '#test/kit/gateway/quiet-gateway.ts'
import { createGateway } from './app.ts'

/** A whole gateway. `scrape` returns the statements that one scrape runs, without those of the workers. */
async function openGateway(engine: (typeof engines)[number]) {
  const testDatabase = await freshDatabase(engine)
  const parts = testDatabase.open()
  await migrate(parts)
  const scraping = new AsyncLocalStorage<CompiledQuery[]>()
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      scraping.getStore()?.push(parts.kysely.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const app = await createGateway({
    config: await quietConfig(),
    database: createDatabase({ ...parts, kysely: parts.kysely.withPlugin(recorder) }),
    logger: silentLog,
    version: '1.2.3',
    metrics: createMetrics({ readWithinMs: patienceMs }),
  })
  onTestFinished(async () => {
    await app.close()
    await parts.kysely.destroy()
    await testDatabase.remove()
  })
  let statements: CompiledQuery[] = []
  app.addHook('onRequest', (_request, _reply, done) => scraping.run(statements, done))
  const visitor = await visitorOf(app)
  async function scrape() {
    statements = []
    const { bytes } = await visitor.send('GET', '/metrics')
    const body = new TextDecoder().decode(bytes)
    const values = new Map<string, number>()
    for (const [, name = '', value] of body.matchAll(/^([a-z_]+(?:\{[^}]*\})?) (\S+)$/gm))
      values.set(name, Number(value))
    return { statements, values }
  }
  return { scrape }
}

it('a scrape on PostgreSQL runs no statement that scans a growing table', async () => {
  const { scrape } = await openGateway('postgres')
  const { statements } = await scrape()
  // Some gauges count rows at each scrape; without any statement the recording would be broken.
  expect(statements.length).toBeGreaterThan(0)
  // PostgreSQL finds any index cheap on the empty tables of the gateway.
  const filled = postgresAt(await freshPostgresUrl('filled')).open()
  onTestFinished(() => filled.kysely.destroy())
  const faults = await Promise.all(
    statements.map(async (statement) =>
      (await explain(filled, statement)).map((fault) => `${fault}: ${statement.sql}`),
    ),
  )
  expect(faults.flat()).toEqual([])
})

describe.each(engines)('a scrape on %s', (engine) => {
  it('shows what is counted', async () => {
    const { scrape } = await openGateway(engine)
    await vi.waitFor(async () => {
      const { values } = await scrape()
      expect(values.get('amtiati_payment_attempts{state="open"}')).toBe(0)
      expect(values.get('amtiati_refunds{state="asked"}')).toBe(0)
      expect(values.get('amtiati_orders_unpaid')).toBe(0)
      expect(values.get('amtiati_handover_photos_bytes')).toBeGreaterThanOrEqual(0)
    })
    const { values } = await scrape()
    expect(values.get('amtiati_refunds{state="due"}')).toBe(0)
    expect(values.get('amtiati_bookings_needing_person')).toBe(0)
    for (const queue of ['shipments', 'labels', 'refunds', 'messages', 'inquiries', 'callbacks']) {
      expect(values.get(`amtiati_queue_length{queue="${queue}"}`)).toBe(0)
      expect(values.get(`amtiati_queue_oldest_age_seconds{queue="${queue}"}`)).toBe(0)
    }
    expect(
      values.get(`amtiati_build_info{version="1.2.3",node="${process.version}",engine="${engine}"}`),
    ).toBe(1)
    expect(values.has('amtiati_database_waiting_queries')).toBe(true)
    expect(values.has('amtiati_database_connections{state="in-use"}')).toBe(true)
    // The PostgreSQL of the tests has no archive.
    expect(values.get('amtiati_database_archive_failing')).toBeNaN()
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { type Core, createCore } from '#server/core.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { createRetention } from '#server/platform/retention.ts'
import { day, type ManualClock, manualClock } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { quietConfig } from '#test/kit/gateway/quiet-gateway.ts'
import { addMessage as addMessageTo } from '#test/kit/orders/messages.ts'
import { issueLabel, newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { registerFeatures } from './app.ts'

forEachEngine((_, open) => {
  let clock: ManualClock
  let database: Database
  let core: Core
  let lines: unknown[]
  beforeEach(async () => {
    clock = manualClock()
    database = await open(clock)
    lines = []
    const log = { ...silentLog, info: (line: unknown) => void lines.push(line) }
    core = createCore({ config: await quietConfig(), database, clock, log, metrics: createMetrics() })
    registerFeatures(core)
  })

  async function addActs(count: number): Promise<void> {
    const act = { issuer: 'i', subject: 's', body_hash: 'h', answer: '{}', at: clock.now() }
    await database.tables
      .insertInto('desk_acts')
      .values(Array.from({ length: count }, (_, index) => ({ ...act, key: `${act.at} ${index}` })))
      .execute()
  }
  const countActs = async () => (await database.tables.selectFrom('desk_acts').select('key').execute()).length

  async function addMessage(): Promise<void> {
    const user = await ensureUser({ database }, '+966512344678', 'Maryam', clock.now())
    await addMessageTo(database, {
      user_id: user.id,
      order_id: 1,
      kind: 'paid',
      phone: '+966512344678',
      body: 'Paid.',
      state: 'delivered',
      created_at: clock.now(),
      ended_at: clock.now(),
    })
  }

  describe('the retention', () => {
    it('deletes what is older than its time, to the end, and nothing younger', async () => {
      await addActs(250)
      clock.advance(30 * day)
      await addActs(3)
      const worker = createRetention(core)
      while (await worker.runBatch());
      expect(await countActs()).toBe(253)
      clock.advance(1)
      while (await worker.runBatch());
      expect(await countActs()).toBe(3)
      expect(lines).toEqual([200, 50].map((rows) => ({ event: 'acts.deleted', rows })))
    })

    it('deletes the first entry to its end, too', async () => {
      await addActs(250)
      clock.advance(31 * day)
      const retention = core.retention.filter(({ event }) => event === 'acts.deleted')
      const worker = createRetention({ ...core, retention })
      while (await worker.runBatch());
      expect(await countActs()).toBe(0)
    })

    it('is shared by several gateways', async () => {
      await addActs(250)
      clock.advance(31 * day)
      const run = async () => {
        const worker = createRetention(core)
        while (await worker.runBatch());
      }
      await Promise.all([run(), run(), run()])
      expect(await countActs()).toBe(0)
      const rows = lines.map((line) => (line as { rows: number }).rows)
      expect(rows.reduce((sum, count) => sum + count, 0)).toBe(250)
    })

    it('deletes by the database’s time, whatever the clock of its gateway says', async () => {
      const run = async (one: Core) => {
        const worker = createRetention(one)
        while (await worker.runBatch());
      }
      await addActs(1)
      await addMessage()
      const orderId = await storeOrder({ database }, newOrder(1), [newLeg('AM-1')])
      await database.transaction(() => markPaid({ database }, orderId, 'T1', clock.now()))
      await issueLabel({ database }, '231200021879', clock.now())
      const metrics = createMetrics()
      const ahead = { now: () => clock.now() + 1_000 * day }
      const other = createCore({ ...core, clock: ahead, metrics })
      registerFeatures(other)
      await run(other)
      expect(await countActs()).toBe(1)
      expect(await database.tables.selectFrom('messages').select('body').execute()).toEqual([
        { body: 'Paid.' },
      ])
      expect(await database.tables.selectFrom('labels').select('booking_id').execute()).toHaveLength(1)
    })

    it('goes on with the other entries when one fails', async () => {
      await addActs(1)
      clock.advance(31 * day)
      const fails = { event: 'broken', batch: () => Promise.reject(new Error('broken')) }
      const worker = createRetention({ ...core, retention: [fails, ...core.retention] })
      while (await worker.runBatch());
      expect(await countActs()).toBe(0)
    })
  })
})

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { manualClock } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { readConfig } from './config.ts'
import { createBackground, createPlatformCore } from './core.ts'
import type { Database } from './database/database.ts'
import { createPauses } from './database/pauses.ts'
import type { Log } from './logging.ts'
import { createMetrics } from './metrics.ts'
import { createWorker } from './worker.ts'
import type { WorkerName } from './worker-names.ts'

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Background work; each worker counts its claims. */
function openBackground(
  database: Database,
  { stopping = new AbortController() }: { stopping?: AbortController } = {},
) {
  const config = readConfig({})
  const core = createPlatformCore({
    config,
    database,
    clock: manualClock(),
    log,
    metrics: createMetrics(),
  })
  const claims = new Map<WorkerName, number>()
  for (const name of ['shipments', 'refunds'] as const)
    core.workers.set(
      name,
      createWorker({
        name,
        parallel: 1,
        roundMs: 10,
        log,
        run: async () => undefined,
        async claim() {
          claims.set(name, (claims.get(name) ?? 0) + 1)
          return undefined
        },
      }),
    )
  const background = createBackground(core, stopping.signal)
  onTestFinished(() => background.stop())
  const claimsOf = (name: WorkerName) => claims.get(name) ?? 0
  return { background, claimsOf }
}

forEachEngine((_, open) => {
  describe('paused work', () => {
    it('stops on every gateway that uses the database, and goes on when it is resumed', async () => {
      const database = await open()
      const gateways = [openBackground(database), openBackground(database)]
      for (const { background } of gateways) await background.start()
      const pauses = createPauses(database)
      expect(await pauses.pause(['shipments'], 1)).toEqual(['shipments'])
      expect(await pauses.pause(['shipments'], 2)).toEqual([])
      expect(await pauses.list()).toEqual([{ name: 'shipments', paused_at: 1 }])
      for (const { background, claimsOf } of gateways) {
        await vi.waitFor(() => expect(background.paused()).toEqual(['shipments']))
        const [before, others] = [claimsOf('shipments'), claimsOf('refunds')]
        await vi.waitFor(() => expect(claimsOf('refunds')).toBeGreaterThan(others + 5))
        // One claim may have been under way.
        expect(claimsOf('shipments')).toBeLessThanOrEqual(before + 1)
      }
      expect(await pauses.resume(['shipments', 'refunds'])).toEqual(['shipments'])
      for (const { background, claimsOf } of gateways) {
        await vi.waitFor(() => expect(background.paused()).toEqual([]))
        const before = claimsOf('shipments')
        await vi.waitFor(() => expect(claimsOf('shipments')).toBeGreaterThan(before))
      }
    })

    it('does not begin on a gateway that starts', async () => {
      const database = await open()
      await createPauses(database).pause(['shipments'], 1)
      const { background, claimsOf } = openBackground(database)
      await background.start()
      await vi.waitFor(() => expect(claimsOf('refunds')).toBeGreaterThan(5))
      expect(claimsOf('shipments')).toBe(0)
    })
  })

  it('does not begin on a gateway that is stopped while it starts', async () => {
    const stopping = new AbortController()
    const { background, claimsOf } = openBackground(await open(), { stopping })
    const started = background.start()
    stopping.abort()
    await background.stop()
    await started
    expect(claimsOf('shipments') + claimsOf('refunds')).toBe(0)
  })
})

import { expect, it, vi } from 'vitest'
import { createBatchWorker } from './batches.ts'
import type { Log } from './logging.ts'

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }

it('runs batches until no work is left, with a pause between them', async () => {
  const steps: string[] = []
  let left = 3
  const worker = createBatchWorker({
    name: 'things',
    async batch() {
      steps.push('batch')
      setImmediate(() => steps.push('request'))
      left -= 1
      return left > 0
    },
    roundMs: 60_000,
    log,
  })
  worker.start()
  await vi.waitFor(() => expect(steps).toHaveLength(6))
  await worker.stop()
  expect(steps).toEqual(['batch', 'request', 'batch', 'request', 'batch', 'request'])
})

it('stops during a pause without another batch, and continues when started again', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  let batches = 0
  const worker = createBatchWorker({
    name: 'things',
    async batch() {
      batches += 1
      return true
    },
    roundMs: 60_000,
    log,
  })
  worker.start()
  await vi.waitFor(() => expect(batches).toBe(1))
  await worker.stop()
  expect(batches).toBe(1)
  worker.start()
  await vi.waitFor(() => expect(batches).toBeGreaterThan(2))
  await worker.stop()
  vi.useRealTimers()
})

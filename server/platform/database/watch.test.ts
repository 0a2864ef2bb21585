import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { manualClock } from '#test/kit/basics/clock.ts'
import type { NewerSteps } from './migrate.ts'
import { createDatabaseWatch } from './watch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function openWatch() {
  const lines: unknown[] = []
  const log = (line: unknown) => void lines.push(line)
  const checks: PromiseWithResolvers<void>[] = []
  const clock = manualClock()
  const schema: { newer: NewerSteps } = { newer: { names: [], areAdditive: true } }
  const onIncompatible = vi.fn()
  const watch = createDatabaseWatch({
    check() {
      const answered = Promise.withResolvers<void>()
      checks.push(answered)
      return answered.promise
    },
    readNewerSteps: async () => schema.newer,
    onIncompatible,
    log: { info: log, warn: log, error: log },
    clock,
  })
  await watch.start()
  const pass = async (ms: number) => {
    clock.advance(ms)
    await vi.advanceTimersByTimeAsync(ms)
  }
  return { watch, lines, checks, pass, schema, onIncompatible }
}

describe('the state of the database', () => {
  it('is up until a check fails, and is logged once when it changes, with the time that it was down', async () => {
    const { watch, lines, checks, pass } = await openWatch()
    await pass(2_000)
    checks[0]?.resolve()
    await pass(2_000)
    expect(watch.isUp()).toBe(true)
    expect(lines).toEqual([])
    const reason = new Error('no connection')
    checks[1]?.reject(reason)
    await pass(2_000)
    expect(watch.isUp()).toBe(false)
    checks[2]?.reject(new Error('still none'))
    await pass(2_000)
    checks[3]?.resolve()
    await pass(0)
    expect(watch.isUp()).toBe(true)
    expect(lines).toEqual([
      { event: 'database.down', err: reason },
      { event: 'database.up', downMs: 4_000 },
    ])
    await watch.stop()
  })

  it('is down while a check has no answer, which is waited for without a second one', async () => {
    const { watch, lines, checks, pass } = await openWatch()
    await pass(2_000)
    expect(watch.isUp()).toBe(true)
    await pass(2_000)
    expect(watch.isUp()).toBe(false)
    await pass(20_000)
    expect(checks).toHaveLength(1)
    checks[0]?.resolve()
    await pass(0)
    expect(watch.isUp()).toBe(true)
    expect(lines).toMatchObject([{ event: 'database.down' }, { event: 'database.up', downMs: 22_000 }])
    await watch.stop()
  })

  it('is not asked any more after the end, which waits for the last answer', async () => {
    const { watch, checks, pass } = await openWatch()
    await pass(2_000)
    let isStopped = false
    const stopping = watch.stop().then(() => {
      isStopped = true
    })
    await pass(10_000)
    expect(isStopped).toBe(false)
    checks[0]?.resolve()
    await stopping
    await pass(10_000)
    expect(checks).toHaveLength(1)
  })
})

describe('the state of the schema', () => {
  it('is logged once when a newer build has migrated it, and ends the gateway once when it is incompatible', async () => {
    const { watch, lines, checks, pass, schema, onIncompatible } = await openWatch()
    const round = async () => {
      await pass(2_000)
      checks.at(-1)?.resolve()
      await pass(0)
    }
    await round()
    expect(watch.schemaState()).toBe('known')
    schema.newer = { names: ['0002-notes'], areAdditive: true }
    await round()
    await round()
    expect(watch.schemaState()).toBe('newer')
    expect(watch.newerMigrations()).toEqual(['0002-notes'])
    expect(lines).toEqual([{ event: 'database.schema-newer', migrations: ['0002-notes'] }])
    expect(onIncompatible).not.toHaveBeenCalled()
    schema.newer = { names: ['0002-notes', '0003-replaces'], areAdditive: false }
    await round()
    await round()
    expect(watch.schemaState()).toBe('incompatible')
    expect(lines.slice(1)).toEqual([
      { event: 'database.schema-incompatible', migrations: ['0002-notes', '0003-replaces'] },
    ])
    expect(onIncompatible).toHaveBeenCalledTimes(1)
    await watch.stop()
  })
})

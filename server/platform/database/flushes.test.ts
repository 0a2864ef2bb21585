import { describe, expect, it } from 'vitest'
import { createFlushes } from './flushes.ts'

/** Flushes that the test ends, in the order in which they began. */
function heldFlushes() {
  const begun: PromiseWithResolvers<void>[] = []
  const flushes = createFlushes(() => {
    const flush = Promise.withResolvers<void>()
    begun.push(flush)
    return flush.promise
  })
  return { flushes, begun }
}

const isSettled = async (promise: Promise<void>): Promise<boolean> => {
  const waiting = Symbol('waiting')
  await new Promise(setImmediate)
  return (await Promise.race([promise, Promise.resolve(waiting)])) !== waiting
}

describe('flushes', () => {
  it('is settled before the first write', async () => {
    const { flushes, begun } = heldFlushes()
    expect(flushes.isPending()).toBe(false)
    await flushes.settled()
    expect(begun).toHaveLength(0)
  })

  it('settles a write by a flush that began after it', async () => {
    const { flushes, begun } = heldFlushes()
    flushes.noteWrite()
    const first = flushes.settled()
    flushes.noteWrite()
    const second = flushes.settled()
    begun[0]?.resolve()
    await first
    expect(await isSettled(second)).toBe(false)
    begun[1]?.resolve()
    await second
    expect(flushes.isPending()).toBe(false)
  })

  it('covers concurrent writes with one flush', async () => {
    const { flushes, begun } = heldFlushes()
    flushes.noteWrite()
    const first = flushes.settled()
    const others = Array.from({ length: 50 }, () => {
      flushes.noteWrite()
      return flushes.settled()
    })
    begun[0]?.resolve()
    await first
    await new Promise(setImmediate)
    begun[1]?.resolve()
    await Promise.all(others)
    expect(begun).toHaveLength(2)
  })

  it('rejects every write of a failed flush, and all later writes', async () => {
    const { flushes, begun } = heldFlushes()
    flushes.noteWrite()
    const writes = [flushes.settled(), flushes.settled()]
    begun[0]?.reject(new Error('EIO'))
    for (const write of writes) await expect(write).rejects.toThrow('EIO')
    expect(() => flushes.assertSound()).toThrow('EIO')
    flushes.noteWrite()
    await expect(flushes.settled()).rejects.toThrow('EIO')
    expect(begun).toHaveLength(1)
    // Reads continue: no write is pending any more.
    expect(flushes.isPending()).toBe(false)
  })
})

import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { hour, manualClock } from '#test/kit/basics/clock.ts'
import type { Log } from './logging.ts'
import { currentWork, during } from './work.ts'
import { createWorker, type WorkerParts } from './worker.ts'

/** A queue of jobs, and a worker whose jobs end when the test says so. */
function openWorker(change: Partial<WorkerParts<string>> = {}) {
  const queue: string[] = []
  const started: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const errors: unknown[] = []
  const infos: unknown[] = []
  const log: Log = {
    info: (line: unknown) => infos.push(line),
    warn: () => undefined,
    error: (line: unknown) => errors.push(line),
  }
  let claims = 0
  const worker = createWorker<string>({
    name: 'things',
    claim: async () => {
      claims += 1
      return queue.shift()
    },
    run: (job) => {
      started.push(job)
      return new Promise((resolve, reject) => {
        ends.set(job, (error) => (error ? reject(error) : resolve()))
      })
    },
    parallel: 2,
    roundMs: 60_000,
    log,
    ...change,
  })
  const end = (job: string, error?: Error) => {
    const finish = ends.get(job)
    if (!finish) throw new Error(`${job} was not begun`)
    finish(error)
  }
  return { worker, queue, started, end, errors, infos, claims: () => claims }
}

describe('a worker', () => {
  it('does nothing until it is started', async () => {
    const { worker, queue, claims } = openWorker()
    queue.push('a')
    worker.wake()
    await Promise.resolve()
    expect(claims()).toBe(0)
  })

  it('claims jobs at once, up to its parallel limit', async () => {
    const { worker, queue, started, end } = openWorker()
    queue.push('a', 'b', 'c')
    worker.start()
    await vi.waitFor(() => expect(started).toEqual(['a', 'b']))
    end('a')
    await vi.waitFor(() => expect(started).toEqual(['a', 'b', 'c']))
    end('b')
    end('c')
    await worker.stop()
  })

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
    'claims a job that is announced %i microtasks after an empty claim',
    async (microtasks) => {
      const gate = Promise.withResolvers<void>()
      const queue: string[] = []
      const started: string[] = []
      let claims = 0
      const { worker } = openWorker({
        claim: async () => {
          claims += 1
          if (claims === 1) await gate.promise
          return queue.shift()
        },
        run: async (job) => void started.push(job),
      })
      worker.start()
      gate.resolve()
      for (let each = 0; each < microtasks; each += 1) await Promise.resolve()
      // The empty first claim may have been answered by now, and its poll may be ending.
      queue.push('a')
      worker.wake()
      await vi.waitFor(() => expect(started).toEqual(['a']))
      await worker.stop()
    },
  )

  it('polls when woken, and again when woken during a poll', async () => {
    const gate = Promise.withResolvers<void>()
    let claims = 0
    const { worker } = openWorker({
      claim: async () => {
        claims += 1
        if (claims === 1) await gate.promise
        return undefined
      },
    })
    worker.start()
    for (let count = 0; count < 5; count += 1) worker.wake()
    expect(claims).toBe(1)
    gate.resolve()
    await vi.waitFor(() => expect(claims).toBe(2))
    worker.wake()
    await vi.waitFor(() => expect(claims).toBe(3))
    await worker.stop()
  })

  it('polls every round', async () => {
    vi.useFakeTimers()
    try {
      const { worker, claims } = openWorker({ roundMs: 2_000 })
      worker.start()
      await vi.advanceTimersByTimeAsync(0)
      expect(claims()).toBe(1)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(claims()).toBe(2)
      await worker.stop()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(claims()).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('logs a job that throws and continues', async () => {
    const { worker, queue, started, end, errors } = openWorker({ parallel: 1 })
    queue.push('a', 'b')
    worker.start()
    await vi.waitFor(() => expect(started).toEqual(['a']))
    end('a', new Error('broken'))
    await vi.waitFor(() => expect(started).toEqual(['a', 'b']))
    expect(errors).toMatchObject([{ event: 'things.job-failed' }])
    end('b')
    await worker.stop()
  })

  it('logs the first of many failed claims, claims ever more seldom, and says when it can again', async () => {
    let isBroken = true
    let claims = 0
    const clock = manualClock()
    const { worker, errors, infos } = openWorker({
      clock,
      claim: async () => {
        claims += 1
        if (isBroken) throw new Error('the database is away')
        return undefined
      },
    })
    worker.start()
    await vi.waitFor(() => expect(claims).toBe(1))
    for (let second = 1; second <= 60; second += 1) {
      clock.advance(1_000)
      worker.wake()
      await setImmediate()
    }
    // After 0, 1, 3, 7 and 15 seconds, then every ten.
    expect(claims).toBe(9)
    expect(errors).toMatchObject([{ event: 'things.claim-failed' }])
    isBroken = false
    clock.advance(10_000)
    worker.wake()
    await vi.waitFor(() => expect(infos).toEqual([{ event: 'things.claim-recovered', failures: 9 }]))
    await worker.stop()
  })

  it('starts once when started twice', async () => {
    const { worker, claims } = openWorker()
    worker.start()
    worker.start()
    await vi.waitFor(() => expect(claims()).toBeGreaterThan(0))
    await worker.stop()
  })
})

describe('a worker is dead', () => {
  it('when its claim has not ended a minute after the next round was due, and not before', async () => {
    const clock = manualClock()
    const gate = Promise.withResolvers<undefined>()
    const { worker } = openWorker({ claim: () => gate.promise, roundMs: 2_000, clock })
    expect(worker.isDead()).toBe(false)
    worker.start()
    clock.advance(62_000)
    expect(worker.isDead()).toBe(false)
    clock.advance(1)
    expect(worker.isDead()).toBe(true)
    gate.resolve(undefined)
    worker.wake()
    await vi.waitFor(() => expect(worker.isDead()).toBe(false))
    await worker.stop()
    clock.advance(hour)
    expect(worker.isDead()).toBe(false)
  })

  it('not while all its jobs run, however long, nor between two rounds of an hour', async () => {
    const clock = manualClock()
    const { worker, queue, started, end } = openWorker({ parallel: 1, roundMs: hour, clock })
    queue.push('a')
    worker.start()
    await vi.waitFor(() => expect(started).toEqual(['a']))
    clock.advance(5 * hour)
    expect(worker.isDead()).toBe(false)
    end('a')
    await vi.waitFor(() => expect(queue).toEqual([]))
    await vi.waitFor(() => expect(worker.isDead()).toBe(false))
    clock.advance(hour)
    expect(worker.isDead()).toBe(false)
    await worker.stop()
  })

  it('not while its claims fail, because the database does not answer', async () => {
    vi.useFakeTimers()
    try {
      const clock = manualClock()
      const { worker, errors } = openWorker({
        claim: async () => {
          throw new Error('the database is away')
        },
        roundMs: 2_000,
        clock,
      })
      worker.start()
      for (let round = 0; round < 100; round += 1) {
        clock.advance(2_000)
        await vi.advanceTimersByTimeAsync(2_000)
        expect(worker.isDead()).toBe(false)
      }
      expect(errors).toHaveLength(1)
      await worker.stop()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a paused worker', () => {
  it('ends its job, claims no more, is not dead, and polls at once when it is resumed', async () => {
    const clock = manualClock()
    const { worker, queue, started, end } = openWorker({ parallel: 1, roundMs: hour, clock })
    queue.push('a', 'b')
    worker.start()
    await vi.waitFor(() => expect(started).toEqual(['a']))
    worker.setPaused(true)
    end('a')
    for (let turn = 0; turn < 5; turn += 1) {
      worker.wake()
      await setImmediate()
    }
    clock.advance(5 * hour)
    expect([started, worker.isDead()]).toEqual([['a'], false])
    worker.setPaused(false)
    await vi.waitFor(() => expect(started).toEqual(['a', 'b']))
    expect(worker.isDead()).toBe(false)
    end('b')
    await worker.stop()
  })
})

describe('a stopped worker', () => {
  it('waits for running jobs and claims no more', async () => {
    const { worker, queue, started, end } = openWorker({ parallel: 1 })
    queue.push('a', 'b')
    worker.start()
    await vi.waitFor(() => expect(started).toEqual(['a']))
    let isStopped = false
    const stopping = worker.stop().then(() => {
      isStopped = true
    })
    worker.wake()
    await setImmediate()
    expect(isStopped).toBe(false)
    end('a')
    await stopping
    expect(started).toEqual(['a'])
  })

  it('waits for a running claim and finishes its job', async () => {
    const gate = Promise.withResolvers<void>()
    const { worker, started, end } = openWorker({
      claim: async () => {
        await gate.promise
        return started.length === 0 ? 'a' : undefined
      },
    })
    worker.start()
    let isStopped = false
    const stopping = worker.stop().then(() => {
      isStopped = true
    })
    gate.resolve()
    await vi.waitFor(() => expect(started).toEqual(['a']))
    expect(isStopped).toBe(false)
    end('a')
    await stopping
  })

  it('can be stopped before it was started', async () => {
    await openWorker().worker.stop()
  })
})

describe('the work of a job', () => {
  it('is its own, whatever request has woken the worker', async () => {
    const jobs = ['a', 'b']
    const seen: unknown[] = []
    const claimedDuring: unknown[] = []
    const { worker } = openWorker({
      claim: async () => {
        claimedDuring.push(currentWork())
        return jobs.shift()
      },
      run: async () => {
        await Promise.resolve()
        seen.push(currentWork()?.id)
      },
    })
    const request = { id: 'request-1' }
    during(request, () => worker.start())
    await vi.waitFor(() => expect(seen).toHaveLength(2))
    expect(new Set([...seen, request.id]).size).toBe(3)
    expect(seen).not.toContain(undefined)
    expect(new Set(claimedDuring)).toEqual(new Set([undefined]))
    await worker.stop()
  })

  it('is a span when the gateway sends traces', async () => {
    const context = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', traceFlags: 1 }
    const steps: unknown[] = []
    const jobs = ['a']
    const { worker } = openWorker({
      claim: async () => jobs.shift(),
      run: async () => void steps.push(currentWork()?.span),
    })
    worker.start((kind, name) => {
      steps.push([kind, name])
      return { context, end: () => steps.push('end') }
    })
    await vi.waitFor(() => expect(steps).toEqual([['internal', 'things'], context, 'end']))
    await worker.stop()
  })
})

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { openBrowser, openFeatureApp, problemOf } from '#test/kit/gateway/feature-app.ts'
import { registerLoadShedding, type SheddingConfig } from './load-shedding.ts'

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const shedOf = async (metrics: ReturnType<typeof createMetrics>, reason: string) => {
  const found = await metrics.registry.getSingleMetric('amtiati_requests_shed_total')?.get()
  return found?.values.find(({ labels }) => labels.reason === reason)?.value ?? 0
}

async function openApp(maxEventLoopDelayMs: number) {
  const metrics = createMetrics()
  const app = await openFeatureApp(async (feature) => {
    registerLoadShedding(feature, {
      always: ['/healthz'],
      maxEventLoopDelayMs,
      maxRequests: 0,
      maxDatabaseWaitMs: 0,
      readWaitMs: () => 0,
      metrics,
    })
    feature.get('/healthz', async () => ({ alive: true }))
    const config: SheddingConfig = { refusedLast: false }
    feature.get('/api/orders', { config }, async () => ({ orders: [] }))
  })
  await app.ready()
  const browser = openBrowser(app)
  /** Blocks the event loop, lets its delay be sampled, and returns the answer to the next request. */
  const askAfterBlock = async (ms: number) => {
    block(ms)
    await delay(1) // steady: a turn of the event loop, not a wait
    return browser.get('/api/orders')
  }
  return { browser, askAfterBlock, metrics }
}

describe('an overloaded process', () => {
  it('refuses requests with Retry-After, but still answers monitoring', async () => {
    const { browser, askAfterBlock, metrics } = await openApp(50)
    const answer = await eventually(async () => {
      const next = await askAfterBlock(600)
      return next.status === 200 ? undefined : next
    })
    expect(problemOf(answer)).toMatchObject({ status: 503, code: 'OVERLOADED', retryAfterSeconds: 3 })
    expect(answer.headers['retry-after']).toBe('3')
    expect((await browser.get('/healthz?probe=1')).status).toBe(200)
    expect(await shedOf(metrics, 'event-loop')).toBe(1)
  })

  it('measures its delay without opening a file, which fails where too many are open and would end the process', async () => {
    const noFiles = vi.spyOn(process, 'memoryUsage').mockImplementation(() => {
      throw new Error('EMFILE: too many open files, uv_resident_set_memory')
    })
    onTestFinished(() => noFiles.mockRestore())
    const { askAfterBlock } = await openApp(50)
    expect(await eventually(async () => ((await askAfterBlock(600)).status === 503 ? true : undefined))).toBe(
      true,
    )
    expect(noFiles).not.toHaveBeenCalled()
  })

  it.each([2_000, 0])('serves requests within the limit of %i', async (limit) => {
    const { askAfterBlock } = await openApp(limit)
    for (let round = 0; round < 2; round += 1) expect((await askAfterBlock(100)).status).toBe(200)
  })
})

describe('a process at its limit of requests', () => {
  const first: SheddingConfig = { refusedLast: false }
  const last: SheddingConfig = { refusedLast: true }

  /** The answers under a limit of three, while `others` payment requests are in progress. */
  async function openCrowded(others: number) {
    const metrics = createMetrics()
    const done: string[] = []
    let held = 0
    const allHeld = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const app = await openFeatureApp(async (feature) => {
      registerLoadShedding(feature, {
        always: ['/healthz'],
        maxEventLoopDelayMs: 0,
        maxRequests: 3,
        maxDatabaseWaitMs: 0,
        readWaitMs: () => 0,
        metrics,
      })
      const answer = (name: string) => async () => {
        done.push(name)
        return {}
      }
      feature.get('/healthz', answer('health'))
      feature.get('/api/list', { config: first }, answer('list'))
      feature.get('/api/payment', { config: last }, answer('payment'))
      feature.get('/page', answer('page'))
      feature.get('/api/held', { config: last }, async () => {
        held += 1
        if (held === others) allHeld.resolve()
        await free.promise
        return {}
      })
    })
    const browser = openBrowser(app, { lang: 'en' })
    const holding = Array.from({ length: others }, () => browser.get('/api/held'))
    await allHeld.promise
    const statuses: Record<string, number> = {}
    for (const path of ['/healthz', '/api/list', '/api/payment', '/page'])
      statuses[path] = (await browser.get(path)).status
    return {
      browser,
      metrics,
      done,
      statuses,
      async end() {
        free.resolve()
        await Promise.all(holding)
      },
    }
  }

  it('serves requests within the limit', async () => {
    const { done, end } = await openCrowded(2)
    expect(done).toEqual(['health', 'list', 'payment', 'page'])
    await end()
  })

  it('refuses requests that begin something, before any work, and serves a user who has begun to pay', async () => {
    const { browser, metrics, done, statuses, end } = await openCrowded(3)
    expect(statuses).toEqual({ '/healthz': 200, '/api/list': 503, '/api/payment': 200, '/page': 200 })
    expect(done).toEqual(['health', 'payment', 'page'])
    const answer = await browser.get('/api/list')
    expect(answer.headers['retry-after']).toBe('3')
    expect(problemOf(answer)).toMatchObject({
      code: 'OVERLOADED',
      message: 'The service is very busy right now. Try again in 3 seconds.',
      retryAfterSeconds: 3,
    })
    browser.cookies.set('lang', 'ar')
    expect(problemOf(await browser.get('/api/list')).message).toBe(
      'الضغط على الخدمة كبير الآن. أعد المحاولة بعد 3 ثوانٍ.',
    )
    expect(await shedOf(metrics, 'requests')).toBe(3)
    await end()
    expect((await browser.get('/api/list')).status).toBe(200)
  })

  it('serves a user who has begun to pay up to twice the limit, and beyond it only monitoring', async () => {
    const within = await openCrowded(5)
    expect(within.done).toEqual(['health', 'payment', 'page'])
    await within.end()
    const beyond = await openCrowded(6)
    expect(beyond.done).toEqual(['health'])
    await beyond.end()
  })
})

describe('a process whose database is waited for', () => {
  it.each([
    [100, { '/api/orders': 200, '/api/payment': 200, '/page': 200 }],
    [101, { '/api/orders': 503, '/api/payment': 200, '/page': 200 }],
    [201, { '/api/orders': 503, '/api/payment': 503, '/page': 200 }],
  ])(
    'at %i ms answers %j: payments are refused last, and what needs no database never',
    async (waitMs, expected) => {
      const metrics = createMetrics()
      const app = await openFeatureApp(async (feature) => {
        registerLoadShedding(feature, {
          always: [],
          maxEventLoopDelayMs: 0,
          maxRequests: 0,
          maxDatabaseWaitMs: 100,
          readWaitMs: () => waitMs,
          metrics,
        })
        const config: SheddingConfig = { refusedLast: false, needsDatabase: true }
        feature.get('/api/orders', { config }, async () => ({}))
        feature.get('/api/payment', { config: { ...config, refusedLast: true } }, async () => ({}))
        feature.get('/page', async () => ({}))
      })
      const browser = openBrowser(app)
      const statuses: Record<string, number> = {}
      for (const path of Object.keys(expected)) statuses[path] = (await browser.get(path)).status
      expect(statuses).toEqual(expected)
      const refused = Object.values(expected).filter((status) => status === 503)
      expect(await shedOf(metrics, 'database')).toBe(refused.length)
    },
  )
})

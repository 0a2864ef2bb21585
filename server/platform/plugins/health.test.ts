import { describe, expect, it, vi } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { openBrowser, openFeatureApp } from '#test/kit/gateway/feature-app.ts'
import { type HealthOptions, registerHealth } from './health.ts'

async function openHealth(change: Partial<HealthOptions> = {}) {
  const metrics = createMetrics()
  const app = await openFeatureApp((feature) => {
    registerHealth(feature, {
      metrics,
      isDatabaseUp: () => true,
      schemaState: () => 'known',
      newerMigrations: () => [],
      workers: {},
      ...change,
    })
    feature.get('/api/orders/:id', async () => 'order')
  })
  return { app, metrics, browser: openBrowser(app) }
}

const workerThat = (isDead: boolean) => ({ isDead: () => isDead })

describe('/healthz', () => {
  it('answers while the process lives, whatever fails', async () => {
    const { browser } = await openHealth({
      isDatabaseUp: () => false,
      workers: { shipments: workerThat(true) },
    })
    expect(await browser.get('/healthz')).toMatchObject({ status: 200, json: { alive: true } })
  })
})

describe('/readyz', () => {
  const workers = { shipments: workerThat(false), refunds: workerThat(false) }
  const stopping = new AbortController()
  stopping.abort()

  it.each<[string, Partial<HealthOptions>, number, object]>([
    [
      'is 200 when all is well',
      {},
      200,
      { ready: true, failing: [], paused: [], database: 'up', schema: 'known' },
    ],
    [
      'is 200 without the database, whose state it tells',
      { isDatabaseUp: () => false },
      200,
      { ready: true, failing: [], paused: [], database: 'down', schema: 'known' },
    ],
    [
      'tells that two servers of the database take themselves for the primary',
      { isDatabaseUp: () => false, isDatabaseSplit: () => true },
      200,
      { ready: true, failing: [], paused: [], database: 'split', schema: 'known' },
    ],
    [
      'is 503 with a dead worker, and names it',
      { workers: { ...workers, refunds: workerThat(true) } },
      503,
      { ready: false, failing: ['refunds'], paused: [], database: 'up', schema: 'known' },
    ],
    [
      'is 200 with a paused worker, and names it',
      { paused: () => ['refunds'] },
      200,
      { ready: true, failing: [], paused: ['refunds'], database: 'up', schema: 'known' },
    ],
    [
      'is 503 while the gateway is being stopped',
      { stopping: stopping.signal },
      503,
      { ready: false, failing: ['closing'], paused: [], database: 'up', schema: 'known' },
    ],
    [
      'is 200 with additive migrations of a newer build, and says so',
      { schemaState: () => 'newer' },
      200,
      { ready: true, failing: [], paused: [], database: 'up', schema: 'newer' },
    ],
    [
      'is 503 when this build must not write to the schema of a newer one',
      { schemaState: () => 'incompatible' },
      503,
      { ready: false, failing: ['schema'], paused: [], database: 'up', schema: 'incompatible' },
    ],
  ])('%s', async (_, change, status, json) => {
    const { browser } = await openHealth({ workers, ...change })
    expect(await browser.get('/readyz')).toMatchObject({ status, json })
  })

  it.each<[string, Partial<HealthOptions>, number, readonly string[]]>([
    ['200 with it', {}, 200, []],
    ['503 without it', { isDatabaseUp: () => false }, 503, ['database']],
    [
      '503 while two servers take themselves for the primary',
      { isDatabaseSplit: () => true },
      503,
      ['database'],
    ],
    ['503 while the gateway is being stopped', { stopping: stopping.signal }, 503, ['closing']],
  ])('is, for a balancer that asks for the database, %s', async (_, change, status, failing) => {
    const { browser } = await openHealth({ workers, ...change })
    expect(await browser.get('/readyz?database=1')).toMatchObject({
      status,
      json: { ready: status === 200, failing },
    })
  })
})

describe('the state of the gateway', () => {
  it('stands in the metrics by part, and closing apart', async () => {
    const stopping = new AbortController()
    let isUp = false
    const { browser } = await openHealth({
      isDatabaseUp: () => isUp,
      workers: { shipments: workerThat(false), refunds: workerThat(true) },
      stopping: stopping.signal,
    })
    const lines = async () => {
      const text = (await browser.get('/metrics')).bytes.toString()
      return text.split('\n').filter((line) => /^amtiati_(ready|closing)\b/.test(line))
    }
    const workers = ['amtiati_ready{part="shipments"} 1', 'amtiati_ready{part="refunds"} 0']
    expect(await lines()).toEqual(['amtiati_ready{part="database"} 0', ...workers, 'amtiati_closing 0'])
    isUp = true
    stopping.abort()
    expect(await lines()).toEqual(['amtiati_ready{part="database"} 1', ...workers, 'amtiati_closing 1'])
  })
})

it('the migrations that a build does not know are counted in the metrics', async () => {
  const { browser } = await openHealth({ newerMigrations: () => ['0002-notes', '0003-marks'] })
  expect((await browser.get('/metrics')).bytes.toString()).toMatch(/^amtiati_schema_newer_migrations 2$/m)
})

describe('a paused worker', () => {
  it('stands in the metrics', async () => {
    const { browser } = await openHealth({
      workers: { shipments: workerThat(false), refunds: workerThat(false) },
      paused: () => ['refunds'],
    })
    const text = (await browser.get('/metrics')).bytes.toString()
    expect(text).toContain('amtiati_worker_paused{worker="shipments"} 0')
    expect(text).toContain('amtiati_worker_paused{worker="refunds"} 1')
  })
})

describe('/metrics with a token', () => {
  const token = 'a-token-of-some-length'

  it('is served', async () => {
    const { browser } = await openHealth({ metricsAccess: { token } })
    const answer = await browser.get('/metrics', { authorization: `Bearer ${token}` })
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.bytes.toString()).toContain('process_cpu')
  })

  it.each([
    undefined,
    '',
    token,
    `Basic ${token}`,
    `bearer ${token}`,
    `Bearer ${token}x`,
    'Bearer ',
    'Bearer undefined',
  ])('answers 404 to the authorization %j', async (authorization) => {
    const { browser } = await openHealth({ metricsAccess: { token } })
    const answer = await browser.get('/metrics', authorization === undefined ? {} : { authorization })
    expect(answer).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
  })

  it('answers 404 to every request where it is disabled', async () => {
    const { browser } = await openHealth({ metricsAccess: 'none' })
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer null'])
      expect((await browser.get('/metrics', { authorization })).status).toBe(404)
  })
})

describe('/metrics', () => {
  it('counts responses by route, so that order numbers do not become labels', async () => {
    const { browser } = await openHealth()
    await browser.get('/api/orders/1')
    await browser.get('/api/orders/2')
    const answer = await browser.get('/metrics')
    const text = answer.bytes.toString()
    expect(String(answer.headers['content-type'])).toContain('text/plain')
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/orders\/:id",status="200"\} 2/,
    )
    expect(text).not.toContain('/api/orders/1')
  })

  it('is served after a second without the gauges whose database hangs, which are not read a second time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { metrics, browser } = await openHealth()
      const answered = Promise.withResolvers<number>()
      const read = vi.fn(() => answered.promise)
      metrics.gauge('amtiati_waiting', 'How many wait.', read)
      metrics.gaugeBy('amtiati_states', 'By state.', 'state', ['open'], async () =>
        answered.promise.then((count) => new Map([['open', count]])),
      )
      const scrape = async () => {
        const answer = browser.get('/metrics')
        await vi.advanceTimersByTimeAsync(1_000)
        return (await answer).bytes.toString()
      }
      for (let time = 0; time < 2; time += 1) {
        const text = await scrape()
        expect(text).toMatch(/^amtiati_waiting Nan$/m)
        expect(text).toMatch(/^amtiati_states\{state="open"\} Nan$/m)
        expect(text).toMatch(/^amtiati_ready\{part="database"\} 1$/m)
      }
      expect(read).toHaveBeenCalledTimes(1)
      answered.resolve(3)
      expect(await scrape()).toMatch(/^amtiati_waiting 3$/m)
    } finally {
      vi.useRealTimers()
    }
  })
})

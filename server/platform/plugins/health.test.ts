import { describe, expect, it } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { manualClock, second } from '#test/kit/clock.ts'
import { openBrowser, openFeatureApp } from '#test/kit/feature-app.ts'
import { type HealthOptions, registerHealth } from './health.ts'

async function openHealth(checks: HealthOptions['checks'], change: Partial<HealthOptions> = {}) {
  const metrics = createMetrics()
  const app = await openFeatureApp((feature) => {
    registerHealth(feature, { metrics, checks, ...change })
    feature.get('/api/orders/:id', async () => 'order')
  })
  return { app, metrics, browser: openBrowser(app) }
}

const well = async () => undefined
const ill = async () => {
  throw new Error('no answer from 10.0.0.7')
}

describe('/healthz', () => {
  it('answers while the process lives, whatever fails', async () => {
    const { browser } = await openHealth({ database: ill })
    expect(await browser.get('/healthz')).toMatchObject({ status: 200, json: { alive: true } })
  })
})

describe('/readyz', () => {
  it('is ready when every check passes', async () => {
    const { browser } = await openHealth({ database: well, worker: well })
    expect(await browser.get('/readyz')).toMatchObject({ status: 200, json: { ready: true, failing: [] } })
  })

  it('names the failing checks without reasons', async () => {
    const { browser } = await openHealth({ database: ill, worker: well })
    const answer = await browser.get('/readyz')
    expect(answer).toMatchObject({ status: 503, json: { ready: false, failing: ['database'] } })
    expect(answer.bytes.toString()).not.toContain('10.0.0.7')
  })
})

describe('repeated requests to /readyz', () => {
  it('runs the checks at most once a second', async () => {
    const clock = manualClock()
    let looks = 0
    let isWell = true
    const check = async () => {
      looks += 1
      if (!isWell) throw new Error('gone')
    }
    const { browser } = await openHealth({ database: check }, { clock })
    await Promise.all(Array.from({ length: 20 }, () => browser.get('/readyz')))
    expect(looks).toBe(1)
    isWell = false
    clock.advance(second - 1)
    expect((await browser.get('/readyz')).status).toBe(200)
    clock.advance(1)
    expect((await browser.get('/readyz')).status).toBe(503)
    expect(looks).toBe(2)
  })
})

describe('/metrics with a token', () => {
  const token = 'a-token-of-some-length'

  it('is served', async () => {
    const { browser } = await openHealth({}, { metricsAccess: { token } })
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
    const { browser } = await openHealth({}, { metricsAccess: { token } })
    const answer = await browser.get('/metrics', authorization === undefined ? {} : { authorization })
    expect(answer).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } })
  })

  it('answers 404 to every request where it is disabled', async () => {
    const { browser } = await openHealth({}, { metricsAccess: 'none' })
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer null'])
      expect((await browser.get('/metrics', { authorization })).status).toBe(404)
  })
})

describe('/metrics', () => {
  it('counts responses by route, so that order numbers do not become labels', async () => {
    const { browser } = await openHealth({})
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

  it('reads gauges at each request', async () => {
    const { metrics, browser } = await openHealth({})
    let waiting = 3
    metrics.gauge('amtiati_waiting', 'How many wait.', async () => waiting)
    waiting = 5
    expect((await browser.get('/metrics')).bytes.toString()).toMatch(/^amtiati_waiting 5$/m)
  })
})

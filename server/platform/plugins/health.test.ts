import { describe, expect, it } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { openBrowser, openRoomApp } from '#test/kit/room-app.ts'
import { registerHealth } from './health.ts'

async function openHealth(checks: Record<string, () => Promise<void>>) {
  const metrics = createMetrics()
  const app = await openRoomApp((room) => {
    registerHealth(room, { metrics, checks })
    room.get('/api/orders/:id', async () => 'order')
  })
  return { app, metrics, browser: openBrowser(app) }
}

const well = async () => undefined
const ill = async () => {
  throw new Error('no answer from 10.0.0.7')
}

describe('/healthz', () => {
  it('answers as long as the process lives, whatever is broken', async () => {
    const { browser } = await openHealth({ database: ill })
    expect(await browser.get('/healthz')).toMatchObject({ status: 200, json: { alive: true } })
  })
})

describe('/readyz', () => {
  it('is ready when every part is', async () => {
    const { browser } = await openHealth({ database: well, worker: well })
    expect(await browser.get('/readyz')).toMatchObject({ status: 200, json: { ready: true, failing: [] } })
  })

  it('names the parts that fail, and not why', async () => {
    const { browser } = await openHealth({ database: ill, worker: well })
    const answer = await browser.get('/readyz')
    expect(answer).toMatchObject({ status: 503, json: { ready: false, failing: ['database'] } })
    expect(answer.bytes.toString()).not.toContain('10.0.0.7')
  })
})

describe('/metrics', () => {
  it('counts answers by route and not by address, so that order numbers do not become labels', async () => {
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

  it('reads gauges when it is asked', async () => {
    const { metrics, browser } = await openHealth({})
    let waiting = 3
    metrics.gauge('waiting', 'How many wait.', async () => waiting)
    waiting = 5
    expect((await browser.get('/metrics')).bytes.toString()).toMatch(/^waiting 5$/m)
  })
})

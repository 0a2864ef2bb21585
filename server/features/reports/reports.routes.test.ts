import { describe, expect, it } from 'vitest'
import { sendReport } from '#shared/reports/reports.operations.ts'
import { manualClock, minute } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openFeatureApp, routesFor } from '#test/kit/gateway/feature-app.ts'
import { reportsRoutes } from './reports.routes.ts'

const violation = JSON.stringify({
  'csp-report': { 'effective-directive': 'img-src', 'document-uri': 'https://a.example/payment?secret=hush' },
})

async function openApp() {
  const clock = manualClock()
  const lines: object[] = []
  const write = (line: object) => void lines.push(line)
  const core = await openCore(
    { database: await openMemory(clock), clock },
    { log: { info: write, warn: write, error: write } },
  )
  const app = await openFeatureApp(async (app) => {
    await reportsRoutes(core, routesFor(core, app))
    app.post('/api/other', async () => 'in')
  })
  const send = async (payload: string, type = 'application/csp-report', remoteAddress = '192.0.2.1') =>
    (
      await app.inject({
        remoteAddress,
        method: 'POST',
        url: sendReport.path,
        payload,
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      })
    ).statusCode
  const counted = async (directive: string) =>
    (await core.metrics.registry.getSingleMetric('amtiati_csp_reports_total')?.get())?.values.find(
      ({ labels }) => labels.directive === directive,
    )?.value ?? 0
  const errors = async (page: string) =>
    (await core.metrics.registry.getSingleMetric('amtiati_app_errors_total')?.get())?.values.find(
      ({ labels }) => labels.page === page,
    )?.value ?? 0
  return { app, clock, lines, send, counted, errors }
}

describe('a report', () => {
  it.each([
    ['application/csp-report', violation],
    [
      'application/reports+json',
      JSON.stringify([{ type: 'csp-violation', body: { effectiveDirective: 'img-src' } }]),
    ],
    ['application/json', violation],
  ])('is counted and logged as %s', async (type, body) => {
    const { send, counted, lines } = await openApp()
    expect(await send(body, type)).toBe(204)
    expect(await counted('img-src')).toBe(1)
    expect(lines).toEqual([expect.objectContaining({ event: 'reports.violation', directive: 'img-src' })])
    expect(JSON.stringify(lines)).not.toContain('hush')
  })

  it.each([
    ['broken', '{', 'application/csp-report'],
    ['empty', '', 'application/csp-report'],
    ['no report', '{"a":1}', 'application/csp-report'],
    ['too large', JSON.stringify({ 'csp-report': { x: 'x'.repeat(20_000) } }), 'application/csp-report'],
    ['of another type', violation, 'text/plain'],
    ['an attack on prototypes', '{"__proto__":{"a":1}}', 'application/csp-report'],
  ])('that is %s is answered alike, and counted apart', async (_, body, type) => {
    const { send, counted, lines } = await openApp()
    expect(await send(body, type)).toBe(204)
    expect(await counted('unreadable')).toBe(1)
    expect(lines).toEqual([])
  })

  it('is counted during a flood, while the log is muted', async () => {
    const { send, counted, lines, clock } = await openApp()
    for (let sent = 0; sent < 100; sent += 1) await send(violation, undefined, `192.0.2.${sent}`)
    expect(await counted('img-src')).toBe(100)
    expect(lines).toHaveLength(20)
    expect(lines.at(-1)).toEqual({ event: 'reports.muted', forMs: minute })
    clock.advance(minute)
    await send(violation)
    expect(lines).toHaveLength(21)
  })

  it('of one address is logged five times a minute, so that others are logged too', async () => {
    const { send, counted, lines, clock } = await openApp()
    for (let sent = 0; sent < 100; sent += 1) await send(violation, undefined, `2001:db8:1:${sent}::1`)
    expect(await counted('img-src')).toBe(100)
    expect(lines).toHaveLength(5)
    expect(lines.at(-1)).toEqual({ event: 'reports.muted', forMs: minute, address: '2001:db8:1::/48' })
    await send(violation, undefined, '192.0.2.7')
    expect(lines.at(-1)).toMatchObject({ event: 'reports.violation' })
    clock.advance(minute)
    await send(violation, undefined, '2001:db8:1::1')
    expect(lines).toHaveLength(7)
  })

  it('of an error of the app is counted by page, and logged without what may belong to a person', async () => {
    const { send, errors, counted, lines } = await openApp()
    const error = {
      type: 'error',
      message: 'No +966501234567',
      stack: 'at /assets/a.js:1:2',
      path: '/orders/42',
    }
    expect(await send(JSON.stringify({ ...error, release: 'r', name: 'Maryam' }), 'application/json')).toBe(
      204,
    )
    expect(await errors('/orders/:id')).toBe(1)
    expect(await counted('unreadable')).toBe(0)
    expect(lines).toEqual([
      {
        event: 'reports.app-error',
        message: 'No …',
        stack: 'at /assets/a.js:1:2',
        path: '/orders/:id',
        release: '',
      },
    ])
    for (let sent = 0; sent < 100; sent += 1) await send(JSON.stringify(error), 'application/json')
    expect(await errors('/orders/:id')).toBe(101)
    expect(lines).toHaveLength(5)
  })

  it('has content types that no other route accepts', async () => {
    const { app } = await openApp()
    const headers = { 'content-type': 'application/csp-report', 'sec-fetch-site': 'same-origin' }
    const response = await app.inject({ method: 'POST', url: '/api/other', payload: violation, headers })
    expect(response.statusCode).toBe(415)
  })
})

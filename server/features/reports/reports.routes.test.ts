import { describe, expect, it } from 'vitest'
import { createMetrics } from '#server/platform/metrics.ts'
import { reportViolations } from '#shared/reports/reports.operations.ts'
import { manualClock, minute } from '#test/kit/clock.ts'
import { headerScope, openRoomApp } from '#test/kit/room-app.ts'
import { reportsRoutes } from './reports.routes.ts'
import { createReports } from './reports.service.ts'

const violation = JSON.stringify({
  'csp-report': { 'effective-directive': 'img-src', 'document-uri': 'https://a.example/payment?secret=hush' },
})

async function openDoor() {
  const metrics = createMetrics()
  const clock = manualClock()
  const lines: object[] = []
  const write = (line: object) => void lines.push(line)
  const log = { info: write, warn: write, error: write }
  const app = await openRoomApp(async (room) => {
    await reportsRoutes(room, headerScope, createReports({ clock, log, metrics }))
    room.post('/api/other', async () => 'in')
  })
  const send = async (payload: string, type = 'application/csp-report') =>
    (
      await app.inject({
        method: 'POST',
        url: reportViolations.path,
        payload,
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      })
    ).statusCode
  const counted = async (directive: string) =>
    (await metrics.registry.getSingleMetric('csp_reports_total')?.get())?.values.find(
      ({ labels }) => labels.directive === directive,
    )?.value ?? 0
  return { app, clock, lines, send, counted }
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
    const { send, counted, lines } = await openDoor()
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
    const { send, counted, lines } = await openDoor()
    expect(await send(body, type)).toBe(204)
    expect(await counted('unreadable')).toBe(1)
    expect(lines).toEqual([])
  })

  it('is counted in a flood, too, but the log says only that there is one', async () => {
    const { send, counted, lines, clock } = await openDoor()
    for (let sent = 0; sent < 100; sent += 1) await send(violation)
    expect(await counted('img-src')).toBe(100)
    expect(lines).toHaveLength(20)
    expect(lines.at(-1)).toMatchObject({ event: 'reports.muted' })
    clock.advance(minute)
    await send(violation)
    expect(lines).toHaveLength(21)
  })

  it('opens its content types for no other route', async () => {
    const { app } = await openDoor()
    const headers = { 'content-type': 'application/csp-report', 'sec-fetch-site': 'same-origin' }
    const response = await app.inject({ method: 'POST', url: '/api/other', payload: violation, headers })
    expect(response.statusCode).toBe(415)
  })
})

import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { apiKeyHeader, shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { trackingPaths, webhookKeyHeader } from '#shared/wire/tracking/tracking.wire.ts'
import { buildPartner } from '#test/builders/mock-partner.builder.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'

const { shipping } = demoAccounts
const target = 'http://gateway.example/api/tracking/callback'

async function setUp() {
  const partner = buildPartner({ trackingCallbackUrl: target })
  const { ask, courier } = partner
  const created = await courier('POST', shippingPaths.createB2c, createRequest())
  const awb: string = created.json().waybills[0].awb
  const advance = (body?: object) => ask('POST', '/shipments/OD-42-1/advance', body)
  const bulk = () => courier('POST', trackingPaths.bulk, [awb])
  /** The codes of each push, in the order they were sent. */
  const pushed = () =>
    partner.caught.map(({ body }) =>
      (body as { Scans: { ScanType: string }[] }[])[0]?.Scans.map(({ ScanType }) => ScanType).join(' '),
    )
  return { ...partner, awb, advance, bulk, pushed }
}

describe('advancing a shipment', () => {
  it('pushes all new scans at once, newest first, with the key of the account', async () => {
    const { advance, awb, caught, bulk } = await setUp()
    const { status, body } = await advance({ to: 'at-branch' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ reference: 'OD-42-1', awb, pushes: [{ state: 'delivered', status: 200 }] })
    expect(body.scans.map((scan: { ScanType: string }) => scan.ScanType)).toEqual(['PU', 'HOP', 'AF', 'CC'])
    expect(caught).toHaveLength(1)
    expect(caught[0]).toMatchObject({ url: target, headers: { [webhookKeyHeader]: shipping.webhookKey } })
    expect(caught[0]?.body).toMatchObject([{ AWB: awb, Reference: 'OD-42-1' }])
    expect((await bulk()).json()).toEqual(caught[0]?.body)
  })

  it('loses, doubles, delays, shuffles and forges a push', async () => {
    const { advance, pushed, caught, clock, scheduler, bulk } = await setUp()
    await advance({ to: 'picked-up', push: 'lose' })
    expect(pushed()).toEqual([])
    expect((await bulk()).json()[0].Scans).toHaveLength(1)
    await advance({ push: 'twice' })
    expect(pushed()).toEqual(['HOP', 'HOP'])
    await advance({ push: 'late' })
    expect(pushed()).toHaveLength(2)
    clock.advance(30_000)
    await scheduler.wake()
    expect(pushed()).toEqual(['HOP', 'HOP', 'AF'])
    await advance({ push: 'shuffle' })
    expect(pushed().slice(3).sort()).toEqual(['AF', 'CC', 'HOP', 'PU'])
    expect(pushed().slice(3)).not.toEqual(['PU', 'HOP', 'AF', 'CC'])
    await advance({ push: 'forge' })
    expect(caught.at(-1)?.headers).not.toEqual({ [webhookKeyHeader]: shipping.webhookKey })
  })

  it('does not repeat a push that failed', async () => {
    const { advance, answerCallbacksWith, clock, scheduler, pushed } = await setUp()
    answerCallbacksWith(() => 503)
    expect((await advance()).body.pushes).toMatchObject([{ state: 'given-up', status: 503 }])
    clock.advance(3_600_000)
    await scheduler.wake()
    expect(pushed()).toHaveLength(1)
  })

  it('sends any scan that a tester writes', async () => {
    const { advance, caught } = await setUp()
    await advance({
      scan: { code: 'ZZ9', text: 'Held', city: 'Taif', time: '2027-05-18T15:30:00', zone: null },
    })
    expect(caught[0]?.body).toMatchObject([
      {
        Scans: [
          { ScanType: 'ZZ9', ScanDescription: 'Held', City: 'Taif', ScanDateTime: '2027-05-18T15:30:00' },
        ],
      },
    ])
  })

  it('is refused for an unknown shipment, an unknown step and a bag that is collected', async () => {
    const { ask, advance } = await setUp()
    expect((await ask('POST', '/shipments/X-1/advance')).status).toBe(404)
    expect((await advance({ to: 'moon' })).body.message).toContain('to must be one of picked-up')
    expect((await advance({ to: 'collected', scan: { code: 'PU' } })).status).toBe(400)
    await advance({ to: 'collected' })
    expect((await advance()).body.error).toBe('ADVANCE_REFUSED')
  })
})

describe('the journey mode', () => {
  it('plays a day in the given minutes and pushes each scan', async () => {
    const { ask, clock, scheduler, pushed } = await setUp()
    expect((await ask('PUT', '/journey', { minutesPerDay: 1 })).body).toEqual({ minutesPerDay: 1 })
    clock.advance(60_000)
    await scheduler.wake()
    expect(pushed()).toEqual(['AF HOP PU'])
    await ask('PUT', '/journey', { minutesPerDay: 0 })
    expect((await ask('GET', '/journey')).body).toEqual({ minutesPerDay: 0 })
  })

  it('ends with a reset, which also empties journeys and counts', async () => {
    const { ask, bulk } = await setUp()
    await ask('PUT', '/journey', { minutesPerDay: 1 })
    await bulk()
    expect((await ask('GET', '/tracking')).body.calls).toMatchObject({ bulk: 1, numbers: 1 })
    await ask('POST', '/reset')
    expect((await ask('GET', '/journey')).body).toEqual({ minutesPerDay: 0 })
    expect((await ask('GET', '/tracking')).body.calls).toMatchObject({ bulk: 0, numbers: 0 })
  })
})

it('a fault of tracking leaves shipments alone, and the reverse', async () => {
  const { ask, bulk, app } = await setUp()
  const offices = () =>
    app.inject({ url: `/shipping${shippingPaths.offices}`, headers: { [apiKeyHeader]: shipping.apiKey } })
  await ask('PUT', '/faults/tracking', { kind: 'status', status: 503 })
  expect([(await bulk()).statusCode, (await offices()).statusCode]).toEqual([503, 200])
  await ask('DELETE', '/faults')
  await ask('PUT', '/faults/shipping', { kind: 'status', status: 503 })
  expect([(await bulk()).statusCode, (await offices()).statusCode]).toEqual([200, 503])
})

import { Writable } from 'node:stream'
import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { listBagEvents } from '#server/features/history/bag-events.ts'
import { readOrderFor } from '#server/features/order-views/order-views.ts'
import { listBookingIds } from '#server/features/orders/bookings.queries.ts'
import { findOrder } from '#server/features/orders/orders.queries.ts'
import { makeValid, makeVoid } from '#server/features/orders/travel.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import type { Worker } from '#server/platform/worker.ts'
import { hour, type ManualClock, manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { openBrowser, openFeatureApp, problemOf, routesFor } from '#test/kit/gateway/feature-app.ts'
import { addIssuedOrder, refundOrder, reportBag } from '#test/kit/orders/core-orders.ts'
import { bagEvent } from '#test/kit/orders/stored-orders.ts'
import { reportOf } from './tracking.provider.map.ts'
import type { TrackingProvider } from './tracking.provider.ts'
import {
  countAlerts,
  countSilentBags,
  listAlerts,
  listAlertsOfOrder,
  readCodeTexts,
  readOverdueMs,
} from './tracking.queries.ts'
import { trackingRoutes } from './tracking.routes.ts'
import { mostRecords } from './tracking.ts'

const webhookKey = 'a-webhook-key-of-24-chars'
const previousWebhookKey = 'the-key-before-of-24-char'
const intervalMs = 30 * minute
const center = { code: '17', addressAR: 'ح', addressEN: 'S', city: 'Riyadh', coordinates: null }

interface WireScan {
  readonly code: string
  readonly city?: string
  readonly text?: string
  /** Minutes after the first of them. */
  readonly at?: number
  /** As written, in place of `at`. */
  readonly time?: string
}

/**
 * Before the tests' clock, so that scans have distinct times; before the order by at most the difference of two
 * clocks.
 */
const firstScanAt = noon - hour

const wireScan = ({ code, city = 'Riyadh', text, at = 0, time }: WireScan) => ({
  ScanType: code,
  City: city,
  ...(text && { ScanDescription: text }),
  ReceivedBy: 'Receiver Name',
  ScanDateTime: time ?? new Date(firstScanAt + at * minute).toISOString().slice(0, 19),
  ScanTimeZone: '+00:00',
})
const wireRecord = (awb: string, scans: readonly WireScan[], reference?: string) => ({
  AWB: awb,
  ...(reference && { Reference: reference }),
  RecipientName: 'Receiver Name',
  Scans: scans.map(wireScan),
})

function courierDouble() {
  const scans = new Map<string, WireScan[]>()
  const calls: (readonly string[])[] = []
  const state = { isDown: false }
  const provider: TrackingProvider = {
    readPush: reportOf,
    async track(awbs) {
      calls.push(awbs)
      if (state.isDown) throw new OutcomeUnknownError('bulk')
      const known = awbs.filter((awb) => scans.has(awb))
      return (
        reportOf(known.map((awb) => wireRecord(awb, scans.get(awb) ?? []))) ?? {
          shipments: [],
          unreadable: 0,
        }
      )
    },
    readTexts: async () => [{ code: 'ZZ8', ar: 'بانتظار الوزن', en: 'Held for Weighing' }],
  }
  return { provider, calls, scans, state }
}

async function openFixture({ clock = manualClock() }: { clock?: ManualClock } = {}) {
  const database = await openMemory(clock)
  const lines: string[] = []
  const log = pino(
    { level: 'info' },
    new Writable({
      write(line, _, done) {
        lines.push(String(line))
        done()
      },
    }),
  )
  const courier = courierDouble()
  const user = await ensureUser({ database }, '+966512345678', 'علي', noon)
  const config = {
    SHIPPING_WEBHOOK_KEY: webhookKey,
    SHIPPING_WEBHOOK_KEY_PREVIOUS: previousWebhookKey,
    TRACKING_POLL_INTERVAL: intervalMs,
    TRACKING_SILENCE_HOURS: 24,
  }
  const providers = { tracking: courier.provider }
  const core = await openCore({ database, clock }, { config, providers, log })
  const worker = core.workers.get('tracking')
  const texts = core.workers.get('trackingTexts')
  if (!worker || !texts) throw new Error('the work of tracking is not registered')
  const app = await openFeatureApp((scope) => trackingRoutes(core, routesFor(core, scope)))
  const browser = openBrowser(app)

  let awbs = 231_200_000_000
  async function issue() {
    awbs += 1
    const awb = String(awbs)
    const { orderId, booking } = await addIssuedOrder(core, user.id, awb, { to: center })
    return { orderId, bookingId: booking.id, awb, reference: booking.reference }
  }

  const post = (body: unknown, key: string | undefined = webhookKey) =>
    browser.post('/api/tracking/callback', JSON.stringify(body), {
      'sec-fetch-site': 'cross-site',
      ...(key && { 'x-webhook-key': key }),
    })
  const booking = async (orderId: number) => {
    const view = await readOrderFor(core, { role: 'user', userId: user.id }, orderId)
    const [first] = view.bookings
    if (!first) throw new Error('the order has a booking')
    return first
  }

  return {
    clock,
    core,
    database,
    courier,
    lines,
    issue,
    post,
    booking,
    texts,
    push: (awb: string, ...scans: WireScan[]) => post([wireRecord(awb, scans)]),
    bookingIdOf: async (orderId: number) => (await listBookingIds(core, orderId))[0] ?? 0,
    stateOf: async (orderId: number) => (await booking(orderId)).state,
    kindsOf: async (orderId: number) => (await booking(orderId)).events.map(({ kind }) => kind),
    async round(which: Worker = worker) {
      let before: number
      do {
        before = courier.calls.length
        which.start()
        await which.stop()
      } while (courier.calls.length > before)
    },
    async metric(name: string, labels: string): Promise<number> {
      const text = await core.metrics.registry.getSingleMetricAsString(name)
      const line = text.split('\n').find((each) => each.startsWith(`${name}${labels}`))
      return Number(line?.split(' ').at(-1) ?? 0)
    },
  }
}

const outcome = (name: string) => `{outcome="${name}"}`

describe('a push', () => {
  it('moves the bag step by step, and each scan counts once', async () => {
    const { issue, push, stateOf, kindsOf, metric } = await openFixture()
    const { orderId, awb } = await issue()
    expect(await stateOf(orderId)).toBe('READY')
    const picked = { code: 'PU', city: 'Makkah', at: 1 }
    expect((await push(awb, picked)).status).toBe(200)
    expect((await push(awb, picked)).status).toBe(200)
    expect(await stateOf(orderId)).toBe('IN_TRANSIT')
    await push(awb, { code: 'CC', at: 3 }, { code: 'AF', at: 2 }, picked)
    expect(await stateOf(orderId)).toBe('AT_BRANCH')
    await push(awb, { code: 'DL', at: 4 })
    expect(await stateOf(orderId)).toBe('COLLECTED')
    expect(await kindsOf(orderId)).toEqual(['picked-up', 'in-transit', 'at-branch', 'collected'])
    expect(await metric('amtiati_tracking_pushes_total', outcome('recorded'))).toBe(3)
    expect(await metric('amtiati_tracking_pushes_total', outcome('repeated'))).toBe(1)
    expect(await metric('amtiati_tracking_scans_total', '{way="push"}')).toBe(4)
  })

  it('is accepted for several bags, with the number of the shipment in place of ours', async () => {
    const { issue, post, stateOf } = await openFixture()
    const [one, two] = [await issue(), await issue()]
    const answer = await post([
      wireRecord(one.awb, [{ code: 'PU' }]),
      wireRecord('999999999999', [{ code: 'PU' }], two.reference),
    ])
    expect(answer.status).toBe(200)
    expect([await stateOf(one.orderId), await stateOf(two.orderId)]).toEqual(['IN_TRANSIT', 'IN_TRANSIT'])
  })

  it('without the key, or with another one, changes nothing and is counted', async () => {
    const { issue, post, kindsOf, metric, lines } = await openFixture()
    const { orderId, awb } = await issue()
    const body = [wireRecord(awb, [{ code: 'DL' }])]
    for (const key of ['', 'another-webhook-key-24-ch', `${webhookKey} x`, webhookKey.slice(0, -1)])
      expect(problemOf(await post(body, key))).toMatchObject({
        status: 401,
        code: 'TRACKING_CALLBACK_REFUSED',
      })
    expect(await kindsOf(orderId)).toEqual([])
    expect(await metric('amtiati_tracking_pushes_total', outcome('refused'))).toBe(4)
    expect(lines.join('')).not.toContain('another-webhook-key')
  })

  it('is proven by the current key or the previous one, and counted by it', async () => {
    const { issue, post, kindsOf, metric, lines } = await openFixture()
    const [one, two] = [await issue(), await issue()]
    const answers = [
      await post([wireRecord(one.awb, [{ code: 'PU' }])]),
      await post([wireRecord(two.awb, [{ code: 'PU' }])], previousWebhookKey),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([await kindsOf(one.orderId), await kindsOf(two.orderId)]).toEqual([['picked-up'], ['picked-up']])
    expect(await metric('amtiati_tracking_pushes_proven_total', '{key="current"}')).toBe(1)
    expect(await metric('amtiati_tracking_pushes_proven_total', '{key="previous"}')).toBe(1)
    expect(lines.filter((line) => line.includes('tracking.push-previous-key'))).toHaveLength(1)
    expect(lines.join('')).not.toContain(previousWebhookKey)
  })

  it('of a foreign bag, or with the number of one bag and the reference of another, changes nothing', async () => {
    const { issue, post, kindsOf, metric } = await openFixture()
    const [one, two] = [await issue(), await issue()]
    const answers = [
      await post([wireRecord('999999999999', [{ code: 'DL' }], 'OD999-NONE')]),
      await post([wireRecord(one.awb, [{ code: 'DL' }], two.reference)]),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect([await kindsOf(one.orderId), await kindsOf(two.orderId)]).toEqual([[], []])
    expect(await metric('amtiati_tracking_pushes_total', outcome('foreign'))).toBe(2)
  })

  it('that is no report, or too long, is refused and counted', async () => {
    const { post, metric } = await openFixture()
    expect(problemOf(await post({ hello: 1 }))).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    const many = Array.from({ length: mostRecords + 1 }, () => ({ AWB: '231200000001' }))
    expect(problemOf(await post(many))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
    const heavy = [wireRecord('231200000001', [{ code: 'PU', text: 'x'.repeat(70_000) }])]
    expect(problemOf(await post(heavy))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
    // Without the key the body is not read at all.
    expect(problemOf(await post(heavy, 'another-webhook-key-24-ch')).status).toBe(401)
    expect(await metric('amtiati_tracking_pushes_total', outcome('oversized'))).toBe(2)
    expect(await metric('amtiati_tracking_pushes_total', outcome('unreadable'))).toBe(1)
  })

  it('stores and logs no name of a person', async () => {
    const { issue, push, core, lines, booking } = await openFixture()
    const { orderId, awb, bookingId } = await issue()
    await push(awb, { code: 'PU' }, { code: 'DMG', text: 'Seen by Receiver Name' }, { code: 'DL', at: 9 })
    expect(JSON.stringify(await booking(orderId))).not.toContain('Receiver')
    expect(JSON.stringify([...(await listBagEvents(core, [bookingId]))])).not.toContain('Receiver')
    expect(lines.join('')).not.toContain('Receiver')
  })
})

describe('a scan that is not of this bag', () => {
  const earlierParcel = '2024-06-20T10:00:00'

  it.each([
    ['of an earlier parcel with the same number', earlierParcel],
    [
      'of a minute before the first possible moment',
      new Date(firstScanAt - minute).toISOString().slice(0, 19),
    ],
    ['of an empty date', '0001-01-01T00:00:00'],
    ['of a year below 2020', '2019-12-31T23:59:59'],
    ['of 30 February', '2027-02-30T10:00:00'],
  ])('%s changes nothing and is listed for an operator', async (_, time) => {
    const { issue, push, booking, core, lines, metric } = await openFixture()
    const { orderId, awb } = await issue()
    const before = await booking(orderId)
    expect((await push(awb, { code: 'DL', city: 'Jeddah', time })).status).toBe(200)
    expect(await booking(orderId)).toEqual(before)
    expect(await findOrder(core, orderId)).toMatchObject({ payment: 'paid', handed_over: 'none' })
    expect(await listAlertsOfOrder(core, orderId)).toEqual([
      { kind: 'not-of-this-bag', code: 'DL', text: `${time} +00:00`, place: 'Jeddah', at: noon },
    ])
    expect(await countAlerts(core)).toBe(1)
    expect(lines.filter((line) => line.includes('tracking.alert'))).toHaveLength(1)
    expect(await metric('amtiati_tracking_pushes_total', outcome('foreign'))).toBe(1)
    expect(await metric('amtiati_tracking_pushes_total', outcome('unreadable'))).toBe(0)
  })

  it('counts from when the courier was first asked, also for a bag whose number came later', async () => {
    const { issue, push, stateOf, clock, database, bookingIdOf } = await openFixture()
    const { orderId, awb } = await issue()
    clock.advance(5 * hour)
    await database.tables
      .updateTable('bookings')
      .set({ requested_at: clock.now() })
      .where('id', '=', await bookingIdOf(orderId))
      .execute()
    await push(awb, { code: 'DL', at: 4 * 60 })
    expect(await stateOf(orderId)).toBe('READY')
    await push(awb, { code: 'PU', at: 5 * 60 })
    expect(await stateOf(orderId)).toBe('IN_TRANSIT')
  })

  it('is found by polling as well, once, and is no news of a bag on its way', async () => {
    const { issue, push, courier, round, clock, stateOf, core, lines, metric } = await openFixture()
    const { orderId, awb } = await issue()
    await push(awb, { code: 'PU', at: 60 })
    courier.scans.set(awb, [{ code: 'DL', time: earlierParcel }])
    for (let rounds = 0; rounds < 3; rounds += 1) {
      clock.advance(4 * intervalMs)
      await round()
    }
    expect(await stateOf(orderId)).toBe('IN_TRANSIT')
    expect(await listAlerts(core, 10)).toMatchObject([{ kind: 'not-of-this-bag', code: 'DL' }])
    expect(lines.filter((line) => line.includes('tracking.alert'))).toHaveLength(1)
    expect(await countSilentBags(core, noon + 1)).toBe(1)
    expect(await metric('amtiati_bags_silent', '')).toBe(0)
    clock.advance(24 * hour)
    expect(await metric('amtiati_bags_silent', '')).toBe(1)
  })

  it('of many is kept with the newest alone', async () => {
    const { issue, push, core } = await openFixture()
    const { awb } = await issue()
    const times = Array.from(
      { length: 60 },
      (_, second) => `2024-06-20T10:00:${String(second).padStart(2, '0')}`,
    )
    await push(awb, ...times.map((time) => ({ code: 'PU', time })))
    expect(await countAlerts(core)).toBe(20)
  })
})

it('a scan of a day to come counts as now and is listed for an operator', async () => {
  const { issue, push, booking, core } = await openFixture()
  const [near, far] = [await issue(), await issue()]
  await push(near.awb, { code: 'PU', at: 60 * 25 })
  await push(far.awb, { code: 'PU', at: 60 * 25 + 1 })
  for (const { orderId } of [near, far])
    expect(await booking(orderId)).toMatchObject({
      state: 'IN_TRANSIT',
      lastEventAt: new Date(noon).toISOString(),
    })
  expect(await listAlerts(core, 10)).toMatchObject([{ order_id: far.orderId, kind: 'future-time', at: noon }])
})

describe('unknown codes', () => {
  it('are kept and shown with the courier’s words, and are no step', async () => {
    const { issue, push, booking, texts, round } = await openFixture()
    await round(texts)
    const { orderId, awb } = await issue()
    await push(awb, { code: 'ZZ9', text: 'Odd thing', at: 1 }, { code: 'ZZ8', text: 'Weighing', at: 2 })
    const { state, events } = await booking(orderId)
    expect(state).toBe('READY')
    expect(events).toMatchObject([
      { kind: 'unknown', code: 'ZZ9', text: 'Odd thing' },
      { kind: 'unknown', code: 'ZZ8', text: 'بانتظار الوزن · Held for Weighing' },
    ])
  })

  it('have texts that are fetched once a day', async () => {
    const { texts, round, courier, clock, core } = await openFixture()
    let fetched = 0
    const { readTexts } = courier.provider
    Object.assign(courier.provider, {
      readTexts() {
        fetched += 1
        return readTexts()
      },
    })
    await round(texts)
    await round(texts)
    expect(fetched).toBe(1)
    clock.advance(25 * 60 * minute)
    await round(texts)
    expect(fetched).toBe(2)
    expect((await readCodeTexts(core)).texts.get('ZZ8')?.ar).toBe('بانتظار الوزن')
  })
})

describe('alerts', () => {
  it('come once for a damaged, lost or returning bag', async () => {
    const { issue, push, core, lines, metric } = await openFixture()
    const { orderId, awb } = await issue()
    await push(awb, { code: 'PU', at: 1 }, { code: 'DMG', at: 2 })
    await push(awb, { code: 'DMG', at: 2 }, { code: 'RTS', at: 3 })
    expect(await listAlerts(core, 10)).toMatchObject([
      { order_id: orderId, kind: 'damaged', code: 'DMG', place: 'Riyadh' },
      { order_id: orderId, kind: 'returning', code: 'RTS' },
    ])
    expect(await metric('amtiati_tracking_alerts_total', '{kind="damaged"}')).toBe(1)
    expect(await metric('amtiati_bags_needing_person', '')).toBe(2)
    expect(lines.filter((line) => line.includes('tracking.alert'))).toHaveLength(2)
  })

  it('tell of a bag that was collected before it was handed over', async () => {
    const { issue, push, core, stateOf } = await openFixture()
    const { orderId, awb } = await issue()
    await push(awb, { code: 'DL' })
    expect(await stateOf(orderId)).toBe('COLLECTED')
    expect(await listAlerts(core, 10)).toMatchObject([{ kind: 'contradiction', code: 'DL' }])
  })

  it('report a bag that travels although its order was refunded, and move no money', async () => {
    const { issue, push, core, stateOf } = await openFixture()
    const { orderId, awb } = await issue()
    await refundOrder(core, orderId)
    await push(awb, { code: 'PU' })
    expect(await stateOf(orderId)).toBe('CANCELLED')
    expect((await findOrder(core, orderId))?.payment).toBe('returned')
    expect(await listAlerts(core, 10)).toMatchObject([{ kind: 'contradiction', code: 'PU' }])
  })
})

describe('polling', () => {
  it('asks about many bags in one call, and records what the push did not bring', async () => {
    const { issue, courier, round, clock, stateOf, metric } = await openFixture()
    const bags = []
    for (let index = 0; index < 25; index += 1) bags.push(await issue())
    const [first, second] = bags
    courier.scans.set(first?.awb ?? '', [{ code: 'PU' }])
    courier.scans.set(second?.awb ?? '', [{ code: 'PU' }, { code: 'CC', at: 1 }])
    await round()
    expect(courier.calls).toEqual([])
    clock.advance(4 * intervalMs)
    await round()
    expect(courier.calls.map((awbs) => awbs.length)).toEqual([20, 5])
    expect(await stateOf(first?.orderId ?? 0)).toBe('IN_TRANSIT')
    expect(await stateOf(second?.orderId ?? 0)).toBe('AT_BRANCH')
    expect(await metric('amtiati_tracking_polls_total', outcome('answered'))).toBe(2)
    expect(await metric('amtiati_tracking_scans_total', '{way="poll"}')).toBe(3)
    expect(await metric('amtiati_tracking_bags_asked_total', '')).toBe(25)
  })

  it('goes on with the hand-over of a bag that was void for a time', async () => {
    const { issue, courier, round, clock, stateOf, core, database } = await openFixture()
    const { orderId, bookingId, awb } = await issue()
    courier.scans.set(awb, [{ code: 'PU', at: 5 * intervalMs }])
    await database.transaction(() => makeVoid(core, orderId, clock.now()))
    clock.advance(4 * intervalMs)
    await round()
    expect(courier.calls).toEqual([])
    await database.transaction(() => makeValid(core, orderId))
    await reportBag(core, bookingId, bagEvent('handed-over', clock.now()))
    clock.advance(4 * intervalMs)
    await round()
    expect(await stateOf(orderId)).toBe('IN_TRANSIT')
  })

  it('finds scans before a collection whose push was lost', async () => {
    const { issue, courier, round, clock, push, kindsOf } = await openFixture()
    const { orderId, awb } = await issue()
    courier.scans.set(awb, [{ code: 'PU' }, { code: 'CC', at: 1 }, { code: 'DL', at: 2 }])
    await push(awb, { code: 'DL', at: 2 })
    clock.advance(10 * intervalMs)
    await round()
    expect(await kindsOf(orderId)).toEqual(['picked-up', 'at-branch', 'collected'])
  })

  it('does not record the same answer again', async () => {
    const { issue, courier, round, clock, database, kindsOf } = await openFixture()
    const { orderId, bookingId, awb } = await issue()
    courier.scans.set(awb, [{ code: 'PU' }])
    clock.advance(4 * intervalMs)
    await round()
    expect(await kindsOf(orderId)).toEqual(['picked-up'])
    // Recording the answer once more would bring the scan back.
    const scans = database.tables.deleteFrom('events').where('booking_id', '=', bookingId)
    await scans.where('kind', '=', 'scan').execute()
    for (let index = 0; index < 2; index += 1) {
      clock.advance(4 * intervalMs)
      await round()
    }
    expect(courier.calls).toHaveLength(3)
    expect(await kindsOf(orderId)).toEqual([])
  })

  it('becomes rare in silence, and soon again after news', async () => {
    const { issue, courier, round, clock } = await openFixture()
    const { awb } = await issue()
    courier.scans.set(awb, [{ code: 'PU' }])
    const callsWithin = async (ms: number) => {
      const before = courier.calls.length
      for (let passed = 0; passed < ms; passed += 5 * minute) {
        clock.advance(5 * minute)
        await round()
      }
      return courier.calls.length - before
    }
    await callsWithin(2 * 60 * minute)
    expect(await callsWithin(60 * minute)).toBeGreaterThanOrEqual(1)
    await callsWithin(72 * 60 * minute)
    expect(await callsWithin(12 * 60 * minute)).toBeLessThanOrEqual(3)
    courier.scans.set(awb, [{ code: 'PU' }, { code: 'AF', at: 5_000 }])
    await callsWithin(7 * 60 * minute)
    expect(await callsWithin(6 * 60 * minute)).toBeGreaterThanOrEqual(4)
  })

  it('follows a bag closely from its hand-over', async () => {
    const { issue, courier, round, clock, core } = await openFixture()
    const { bookingId } = await issue()
    await reportBag(core, bookingId, bagEvent('handed-over', clock.now()))
    clock.advance(1.3 * intervalMs)
    await round()
    expect(courier.calls).toHaveLength(1)
  })

  it('ends with the collection, a cancellation, or thirty days', async () => {
    const { issue, courier, round, clock, push, core } = await openFixture()
    const [collected, refunded] = [await issue(), await issue()]
    await push(collected.awb, { code: 'PU' }, { code: 'DL', at: 1 })
    await refundOrder(core, refunded.orderId)
    clock.advance(10 * intervalMs)
    await round()
    // Once more, for scans whose push was lost.
    expect(courier.calls).toEqual([[collected.awb]])
    await issue()
    clock.advance(31 * 24 * 60 * minute)
    await round()
    expect(courier.calls).toHaveLength(1)
    expect(await readOverdueMs(core)).toBe(0)
  })

  it('waits when the courier is down, then asks about all of them', async () => {
    const { issue, courier, round, clock, metric, stateOf } = await openFixture()
    const bags = []
    for (let index = 0; index < 45; index += 1) bags.push(await issue())
    for (const { awb } of bags) courier.scans.set(awb, [{ code: 'PU' }])
    courier.state.isDown = true
    clock.advance(4 * intervalMs)
    await round()
    await round()
    // Calls that ran at once, and none after them.
    expect(courier.calls.length).toBeLessThanOrEqual(2)
    expect(await metric('amtiati_tracking_poll_overdue_seconds', '')).toBeGreaterThan(0)
    courier.state.isDown = false
    for (let index = 0; index < 6; index += 1) {
      clock.advance(intervalMs)
      await round()
    }
    for (const { orderId } of bags) expect(await stateOf(orderId)).toBe('IN_TRANSIT')
  })

  it('waits no longer when the clock is set back meanwhile', async () => {
    const { issue, courier, round, clock } = await openFixture()
    await issue()
    courier.state.isDown = true
    clock.advance(4 * intervalMs)
    await round()
    expect(courier.calls).toHaveLength(1)
    clock.set(-1_000 * intervalMs)
    clock.advance(4 * intervalMs)
    await round()
    expect(courier.calls).toHaveLength(2)
  })
})

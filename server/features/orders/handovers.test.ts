import { describe, expect, it } from 'vitest'
import { deleteAccount } from '#server/features/account/account.ts'
import { listEvents } from '#server/features/history/history.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Config } from '#server/platform/config.ts'
import { foreignBagsPerMinute } from '#shared/orders/handovers.api.ts'
import type { Order } from '#shared/orders/orders.schemas.ts'
import { hour, manualClock, minute } from '#test/kit/basics/clock.ts'
import { photoOf } from '#test/kit/client/photo.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { type BrowserAnswer, openBrowser, problemOf } from '#test/kit/gateway/feature-app.ts'
import { addIssuedOrder, refundOrder, reportBag } from '#test/kit/orders/core-orders.ts'
import { agent, openOrdersApp } from '#test/kit/orders/orders.ts'
import { scanOf } from '#test/kit/orders/stored-orders.ts'
import { countHandoverScans, findHandoverScan } from './handovers.queries.ts'
import { eventsPerBooking } from './travel.ts'

const awb = '231200021879'

async function openFixture(config: Partial<Config> = {}) {
  const clock = manualClock()
  const database = await openMemory(clock)
  const user = await ensureUser({ database }, '+966512345678', 'عبد الله', clock.now())
  const core = await openCore({ database, clock }, { config })
  const app = await openOrdersApp(core)
  const browser = openBrowser(app)
  const asAgent = (partnerAgentId = 'A01', agentId = 5) => ({
    'x-caller': JSON.stringify({ role: 'agent', agentId, partnerAgentId }),
  })
  const asUser = { 'x-caller': JSON.stringify({ role: 'user', userId: user.id }) }

  const from = { ...agent, name: 'وكيل منى' }
  const { orderId, booking } = await addIssuedOrder(core, user.id, awb, { from })

  const take = (body: object = {}, key?: string, headers: Record<string, string> = asAgent()) =>
    browser.post('/api/handovers', { awb, ...body }, { ...headers, ...(key && { 'idempotency-key': key }) })
  const refuse = (body: object = {}, key?: string, headers: Record<string, string> = asAgent()) =>
    browser.post(
      '/api/handovers/refusals',
      { awb, reason: 'too-heavy', ...body },
      { ...headers, ...(key && { 'idempotency-key': key }) },
    )
  const undo = (headers: Record<string, string> = asAgent()) =>
    browser.delete(`/api/handovers/${awb}`, undefined, headers)
  const send = async (
    payload: Buffer = photoOf(),
    { headers = asAgent(), type = 'image/jpeg', number = awb }: PictureRequest = {},
  ) => {
    const { statusCode, body } = await app.inject({
      method: 'PUT',
      url: `/api/handovers/${number}/photo`,
      payload,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': type, ...headers },
    })
    const { code, booking } = JSON.parse(body)
    return code === undefined ? booking.hasPhoto : [statusCode, code]
  }
  const look = (headers: Record<string, string> = asUser, id = orderId, number = awb) =>
    browser.get(`/api/orders/${id}/bookings/${number}/photo`, headers)
  const read = async () => (await browser.get(`/api/orders/${orderId}`, asUser)).json.order as Order
  const flood = () =>
    reportBag(
      core,
      booking.id,
      ...Array.from({ length: eventsPerBooking }, (_, index) =>
        scanOf('unknown', clock.now(), { key: `flood ${index}` }),
      ),
    )
  const scan = (kind: 'picked-up' | 'unknown') =>
    reportBag(core, booking.id, scanOf(kind, clock.now(), { key: kind }))
  const refund = () => refundOrder(core, orderId)
  const list = async (state = '') =>
    (await browser.get(`/api/orders/agent/5${state && `?state=${state}`}`, asAgent())).json
  return {
    clock,
    core,
    database,
    browser,
    orderId,
    booking,
    asAgent,
    asUser,
    take,
    refuse,
    undo,
    send,
    look,
    read,
    scan,
    flood,
    refund,
    list,
  }
}

interface PictureRequest {
  readonly headers?: Record<string, string>
  readonly type?: string
  readonly number?: string
}

const inSession = (session: string) => ({
  'x-caller': JSON.stringify({ role: 'agent', agentId: 5, partnerAgentId: 'A01' }),
  'x-session': session,
})

/** A picture whose sides have this many pixels. */
function photoOfSide(pixels: number): Buffer {
  const photo = photoOf()
  photo.writeUInt16BE(pixels, 7)
  photo.writeUInt16BE(pixels, 9)
  return photo
}

const codeOf = (answer: BrowserAnswer) => {
  const { status, code } = problemOf(answer)
  return [status, code]
}
const iso = (epochMs: number) => new Date(epochMs).toISOString()

describe('a bag of another agent', () => {
  it('is told from an unknown one ten times a minute, then no more; the agent’s own is unknown here', async () => {
    const { clock, browser, asAgent, refund } = await openFixture()
    const find = async (number = awb, headers = asAgent('A02', 6)) => {
      const answer = await browser.get(`/api/handovers/${number}`, headers)
      return answer.status === 200 ? answer.json.isOfAnotherAgent : codeOf(answer)
    }
    const unknown = [404, 'ORDER_NOT_FOUND']
    expect(await find(awb, asAgent())).toEqual(unknown)
    for (let call = 1; call <= foreignBagsPerMinute; call += 1)
      expect(await find(call % 2 ? awb : '999999999999')).toEqual(call % 2 ? true : unknown)
    expect(await find()).toEqual(unknown)
    clock.advance(minute)
    await refund()
    expect(await find()).toBe(true)
  })
})

describe('a hand-over', () => {
  it('is recorded with its time and place, and seen by the owner', async () => {
    const { clock, take, read, orderId, database, booking: bag } = await openFixture()
    clock.advance(30 * minute)
    const { status, json } = await take({
      receivedAt: iso(clock.now() - 20 * minute),
      sentAt: iso(clock.now()),
    })
    expect(status).toBe(200)
    const booking = {
      awb,
      state: 'HANDED_OVER',
      lastEventAt: iso(clock.now() - 20 * minute),
      events: [
        { kind: 'handed-over', at: iso(clock.now() - 20 * minute), source: 'agent', place: 'وكيل منى' },
      ],
    }
    expect(json).toMatchObject({ success: true, order: { orderId, bookings: [booking] }, booking })
    expect(await read()).toMatchObject({ status: 'PAID', bookings: [booking] })
    const events = await listEvents({ database }, 'booking_id', [bag.id])
    expect(events.find(({ kind }) => kind === 'received')).toMatchObject({
      orderId,
      by: { kind: 'agent', name: 'وكيل منى' },
      recordedAt: clock.now(),
    })
  })

  it('happens once: a second one names the time of the first', async () => {
    const { clock, take } = await openFixture()
    await take()
    const receivedAt = iso(clock.now())
    clock.advance(minute)
    const again = await take()
    expect(codeOf(again)).toEqual([409, 'ALREADY_RECEIVED'])
    expect(again.json).toMatchObject({ receivedAt })
  })

  it('repeated under its key has the same answer, also after an undo', async () => {
    const { clock, take, undo, read } = await openFixture()
    const receivedAt = iso(clock.now())
    const first = await take({ receivedAt, sentAt: receivedAt }, 'key-00001')
    clock.advance(minute)
    const again = await take({ receivedAt, sentAt: iso(clock.now()) }, 'key-00001')
    expect(again.json).toEqual(first.json)
    await undo()
    expect((await take({ receivedAt }, 'key-00001')).status).toBe(200)
    expect(await read()).toMatchObject({ bookings: [{ state: 'READY' }] })
  })

  it('of another body under the same key is refused', async () => {
    const { take } = await openFixture()
    await take({}, 'key-00001')
    expect(codeOf(await take({ receivedAt: iso(0) }, 'key-00001'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  })

  it('after a refund is refused, kept, and the same under its key', async () => {
    const { take, refund, read, core, list } = await openFixture()
    await refund()
    for (let count = 0; count < 2; count += 1)
      expect(codeOf(await take({}, 'key-00001'))).toEqual([409, 'DO_NOT_ACCEPT'])
    expect(await findHandoverScan(core, 'A01', 'key-00001')).toMatchObject({ outcome: 'refused' })
    expect(await read()).toMatchObject({
      bookings: [{ state: 'CANCELLED', events: [{ kind: 'cancelled' }] }],
    })
    expect(await list('refused')).toMatchObject({ counts: { refused: 1 }, orders: [{}] })
  })
})

describe('a bag that is not accepted', () => {
  const refusal = (clock: { now: () => number }, code: string) => ({
    kind: 'not-accepted',
    source: 'agent',
    place: 'وكيل منى',
    code,
    at: iso(clock.now()),
  })

  it('keeps its state and waits on, with the reason for its owner, and is taken later', async () => {
    const { clock, refuse, take, read, list, browser, asUser } = await openFixture()
    const before = await read()
    clock.advance(minute)
    const event = refusal(clock, 'too-heavy')
    const booking = { ...before.bookings[0], lastEventAt: event.at, events: [event] }
    expect(await refuse()).toMatchObject({ status: 200, json: { success: true, booking } })
    expect(await read()).toEqual({ ...before, bookings: [booking] })
    expect(before).toMatchObject({ status: 'PAID', cancellable: true, bookings: [{ state: 'READY' }] })
    expect((await browser.get(`/api/orders/barcode/${awb}.pdf`, asUser)).status).toBe(200)
    expect(await list('waiting')).toMatchObject({ counts: { waiting: 1, received: 0 }, orders: [{}] })
    await take()
    expect(await read()).toMatchObject({
      bookings: [{ state: 'HANDED_OVER', events: [event, { kind: 'handed-over' }] }],
    })
  })

  it('is recorded once for a key, with the agent’s words on one line and nothing hidden in them', async () => {
    const { clock, refuse, take, read } = await openFixture()
    const text = ' زجاج\n مكسور\u202e ' + '\u0000'
    for (const reason of ['other', 'other', 'damaged'])
      expect((await refuse({ reason, text }, 'key-00001')).status).toBe(reason === 'other' ? 200 : 409)
    // A key is of one thing that an agent did.
    expect(codeOf(await take({}, 'key-00001'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    await take()
    expect((await refuse({ reason: 'other', text }, 'key-00001')).status).toBe(200)
    expect(await read()).toMatchObject({
      bookings: [{ events: [{ ...refusal(clock, 'other'), text: 'زجاج مكسور' }, { kind: 'handed-over' }] }],
    })
  })

  it('is none of another agent, none that was received, and none that is void', async () => {
    const { take, undo, refuse, scan, refund, read, asAgent } = await openFixture()
    expect(codeOf(await refuse({}, 'key-00001', asAgent('A02', 6)))).toEqual([404, 'ORDER_NOT_FOUND'])
    expect(codeOf(await refuse({ awb: '999999999999' }))).toEqual([404, 'ORDER_NOT_FOUND'])
    await take()
    expect(codeOf(await refuse())).toEqual([409, 'ALREADY_RECEIVED'])
    await undo()
    // After an undo it waits again, and there is nothing else to undo.
    expect((await refuse()).status).toBe(200)
    expect(await undo()).toMatchObject({ status: 200, json: { booking: { state: 'READY' } } })
    await scan('picked-up')
    expect(codeOf(await refuse())).toEqual([409, 'ALREADY_RECEIVED'])
    // It travels on.
    await refund()
    expect(codeOf(await refuse())).toEqual([409, 'ALREADY_RECEIVED'])
    const voided = await openFixture()
    await voided.refund()
    expect(codeOf(await voided.refuse())).toEqual([409, 'DO_NOT_ACCEPT'])
    const events = (await read()).bookings.flatMap((bag) => bag.events)
    expect(events.filter(({ kind }) => kind === 'not-accepted')).toHaveLength(1)
  })

  it('is no hand-over that could be undone', async () => {
    const { refuse, undo } = await openFixture()
    await refuse()
    expect(codeOf(await undo())).toEqual([404, 'ORDER_NOT_FOUND'])
  })

  it('is recorded twenty times, and is taken after that all the same', async () => {
    const { refuse, take } = await openFixture()
    for (let count = 0; count < 20; count += 1) expect((await refuse()).status).toBe(200)
    expect(codeOf(await refuse())).toEqual([409, 'REFUSED_OFTEN'])
    expect((await take()).status).toBe(200)
  })
})

describe('an undo', () => {
  it('gives the bag back, again without effect, and a new hand-over follows', async () => {
    const { take, undo, read } = await openFixture()
    await take()
    for (let count = 0; count < 2; count += 1)
      expect(await undo()).toMatchObject({ status: 200, json: { booking: { awb, state: 'READY' } } })
    await take()
    expect(await read()).toMatchObject({
      bookings: [
        {
          state: 'HANDED_OVER',
          events: [{ kind: 'handed-over' }, { kind: 'hand-over-undone' }, { kind: 'handed-over' }],
        },
      ],
    })
  })

  it('counts from the recording, not from the time of the device', async () => {
    const { clock, take, undo } = await openFixture()
    clock.advance(60 * minute)
    await take({ receivedAt: iso(clock.now() - 30 * minute), sentAt: iso(clock.now()) })
    clock.advance(10 * minute)
    expect((await undo()).status).toBe(200)
    await take()
    clock.advance(10 * minute + 1)
    expect(codeOf(await undo())).toEqual([409, 'TOO_LATE'])
  })
})

describe('hand-overs without an end', () => {
  it('are recorded and undone each time, also beside a flood of scans', async () => {
    const { clock, take, undo, read, flood } = await openFixture()
    await flood()
    for (let round = 0; round < 3; round += 1) {
      clock.advance(1)
      expect((await take()).status).toBe(200)
      expect(await read()).toMatchObject({ bookings: [{ state: 'HANDED_OVER' }] })
      expect((await undo()).status).toBe(200)
      expect(await read()).toMatchObject({ bookings: [{ state: 'READY' }], cancellable: true })
    }
  })

  it('are at most 30 a minute and session, undos among them', async () => {
    const { clock, take, undo } = await openFixture()
    const one = inSession('one')
    for (let round = 0; round < 15; round += 1) {
      expect((await take({}, undefined, one)).status).toBe(200)
      expect((await undo(one)).status).toBe(200)
    }
    for (const answer of [await take({}, undefined, one), await undo(one)]) {
      expect(codeOf(answer)).toEqual([429, 'TOO_MANY_CALLS'])
      expect(answer.headers['retry-after']).toBe('60')
    }
    expect((await take({}, undefined, inSession('two'))).status).toBe(200)
    clock.advance(minute)
    expect((await undo(one)).status).toBe(200)
  })

  it('keep a bounded number of scans that changed nothing', async () => {
    const { core, booking, take } = await openFixture()
    for (let count = 0; count < 60; count += 1) await take({}, `scan-key-${count}`, inSession(`${count % 3}`))
    expect(await countHandoverScans(core, booking.id)).toBe(50)
    expect(codeOf(await take())).toEqual([409, 'ALREADY_RECEIVED'])
  })

  it('answer no 200 where nothing is recorded, and leave the order as it was', async () => {
    const { database, take, undo, read } = await openFixture()
    await take({}, 'one-scan')
    await undo()
    await database.tables.deleteFrom('handover_scans').execute()
    expect(codeOf(await take({}, 'one-scan'))).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    expect(await read()).toMatchObject({ bookings: [{ state: 'READY' }], cancellable: true })
  })
})

describe('the picture of a hand-over', () => {
  it('is of its bag and its time, replaces the one before, and is served as a file that no browser runs', async () => {
    const { clock, take, send, look, read, list } = await openFixture()
    clock.advance(30 * minute)
    const takenAt = iso(clock.now() - 20 * minute)
    await take({ receivedAt: takenAt, sentAt: iso(clock.now()) })
    expect((await read()).bookings[0]).not.toHaveProperty('photo')
    expect(problemOf(await look()).code).toBe('PHOTO_NOT_FOUND')
    expect(await send(photoOf(100))).toBe(true)
    const polyglot = photoOf(150_000)
    polyglot.write('*/<script>alert(1)</script><svg onload=alert(1)>/*', 50, 'latin1')
    expect(await send(polyglot)).toBe(true)
    const { bytes, headers } = await look()
    expect(bytes.equals(polyglot)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `attachment; filename="bag-${awb}.jpg"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const [booking] = (await read()).bookings
    expect([booking?.photo, booking?.hasPhoto]).toEqual([{ takenAt }, undefined])
    const { orders } = (await list()) as unknown as { orders: Order[] }
    expect([orders[0]?.bookings[0]?.photo, orders[0]?.bookings[0]?.hasPhoto]).toEqual([undefined, true])
  })

  it.each([
    ['a script', Buffer.from('<script>alert(1)</script>'), {}, [422, 'PHOTO_REFUSED']],
    ['nothing', Buffer.alloc(0), {}, [422, 'PHOTO_REFUSED']],
    [
      'a picture with a place',
      photoOf(60, Buffer.from('\xff\xe1\0\x08Exif\0\0', 'latin1')),
      {},
      [422, 'PHOTO_REFUSED'],
    ],
    [
      'a picture with a page behind it',
      Buffer.concat([photoOf(), Buffer.from('<script>')]),
      {},
      [422, 'PHOTO_REFUSED'],
    ],
    ['a side of more than 1,280 pixels', photoOfSide(1_281), {}, [422, 'PHOTO_REFUSED']],
    ['a byte too many', photoOf(150_001), {}, [413, 'BODY_TOO_LARGE']],
    ['another type', photoOf(), { type: 'image/png' }, [415, 'UNSUPPORTED_MEDIA_TYPE']],
    ['JSON', Buffer.from('{}'), { type: 'application/json' }, [415, 'UNSUPPORTED_MEDIA_TYPE']],
    ['a bag that does not exist', photoOf(), { number: '999999999999' }, [404, 'ORDER_NOT_FOUND']],
    ['an address of something else', photoOf(), { number: 'x' }, [400, 'INVALID_REQUEST']],
  ] as const)('is not %s', async (_, payload, how, refusal) => {
    const { take, send, read } = await openFixture()
    await take()
    expect(await send(photoOfSide(1_280))).toBe(true)
    expect(await send(payload, how)).toEqual(refusal)
    expect((await read()).bookings[0]).toHaveProperty('photo')
  })

  it('comes from the agent who took the bag, after that and within 48 hours', async () => {
    const { clock, take, send, asAgent, asUser, read } = await openFixture()
    const unknown = [404, 'ORDER_NOT_FOUND']
    expect(await send()).toEqual(unknown)
    await take()
    expect(await send(photoOf(), { headers: asAgent('A02', 6) })).toEqual(unknown)
    expect(await send(photoOf(150_001), { headers: { 'x-caller': 'null' } })).toEqual([401, 'NOT_SIGNED_IN'])
    expect(await send(photoOf(), { headers: asUser })).toEqual([403, 'WRONG_ROLE'])
    expect((await read()).bookings[0]).not.toHaveProperty('photo')
    clock.advance(48 * hour - 1)
    expect(await send()).toBe(true)
    clock.advance(1)
    expect(await send()).toEqual([409, 'TOO_LATE'])
  })

  it('of a hand-over that was recorded late is accepted for 48 hours after that', async () => {
    const { clock, take, send } = await openFixture()
    clock.advance(60 * hour)
    await take({ receivedAt: iso(clock.now() - 50 * hour), sentAt: iso(clock.now()) })
    expect(await send()).toBe(true)
  })

  it('is deleted with an undo, and sent again only after another hand-over', async () => {
    const { take, undo, send, look, read } = await openFixture()
    await take()
    await send()
    await undo()
    expect((await look()).status).toBe(404)
    expect(await send()).toEqual([404, 'ORDER_NOT_FOUND'])
    await take()
    expect((await read()).bookings[0]).not.toHaveProperty('photo')
    expect(await send()).toBe(true)
  })

  it('stays with a hand-over whose undo came too late', async () => {
    const { take, undo, send, scan, read } = await openFixture()
    await take()
    await send()
    await scan('picked-up')
    expect(codeOf(await undo())).toEqual([409, 'TOO_LATE'])
    expect((await read()).bookings[0]).toHaveProperty('photo')
  })

  it('is shown to its owner alone, under its own order', async () => {
    const { take, send, look, asUser, asAgent, orderId } = await openFixture()
    await take()
    await send()
    const other = { 'x-caller': JSON.stringify({ role: 'user', userId: 99 }) }
    expect(codeOf(await look(other))).toEqual([404, 'ORDER_NOT_FOUND'])
    expect(codeOf(await look(asAgent()))).toEqual([403, 'WRONG_ROLE'])
    expect(codeOf(await look({}))).toEqual([401, 'NOT_SIGNED_IN'])
    expect(codeOf(await look(asUser, orderId + 1))).toEqual([404, 'ORDER_NOT_FOUND'])
    expect(codeOf(await look(asUser, orderId, '999999999999'))).toEqual([404, 'PHOTO_NOT_FOUND'])
    expect((await look()).status).toBe(200)
  })

  it('of a deleted account is gone, and none comes after it', async () => {
    const { core, booking, clock, take, send, database } = await openFixture()
    await take()
    await send()
    await reportBag(core, booking.id, scanOf('collected', clock.now() + 1, { key: 'DL' }))
    await deleteAccount(core, 1)
    expect(await database.tables.selectFrom('handover_photos').selectAll().execute()).toEqual([])
    expect(await send()).toEqual([404, 'ORDER_NOT_FOUND'])
  })

  it('is not accepted where none are taken', async () => {
    const { take, send } = await openFixture({ HANDOVER_PHOTO: false })
    await take()
    expect(await send()).toEqual([404, 'PHOTO_NOT_FOUND'])
  })

  it('is one of thirty a minute and session', async () => {
    const { take, send } = await openFixture()
    const [one, two] = [inSession('one'), inSession('two')]
    await take({}, undefined, two)
    for (let count = 0; count < 30; count += 1) expect(await send(photoOf(), { headers: one })).toBe(true)
    expect(await send(photoOf(), { headers: one })).toEqual([429, 'TOO_MANY_CALLS'])
    expect(await send(photoOf(), { headers: two })).toBe(true)
  })
})

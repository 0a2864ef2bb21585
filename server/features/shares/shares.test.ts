import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { setReceiver } from '#server/features/orders/receivers.queries.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import { cancelOrder } from '#server/features/payments/cancellations.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import { dayOf } from '#shared/platform/promises.rules.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'
import { day, minute } from '#test/kit/basics/clock.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import {
  openBrowser,
  openFeatureApp,
  problemOf,
  routesFor,
  type TestBrowser,
} from '#test/kit/gateway/feature-app.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { scanOf } from '#test/kit/orders/stored-orders.ts'
import { sharesRoutes } from './shares.routes.ts'
import { followShare, readShare } from './shares.ts'

let fixture: PaymentFixture
let core: Core
let browser: TestBrowser
let statements: number
beforeEach(async () => {
  fixture = await openPaymentFixture()
  core = await openCore({ database: counted(fixture.database), clock: fixture.clock })
  browser = openBrowser(await openFeatureApp((app) => sharesRoutes(core, routesFor(core, app))))
})
afterEach(() => fixture.close())

function counted(database: Database): Database {
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return Object.create(database, { tables: { get: () => database.tables.withPlugin(counter) } })
}

/** Gives an order terms with these promises; without promises it has no terms. */
async function promise(orderId: number, promises: Promises | undefined): Promise<void> {
  const { tables } = fixture.database
  const body = JSON.stringify({ cancellation: { isOffered: true, hours: 0 }, promises })
  const version = promises === undefined ? null : 'with promises'
  if (version !== null)
    await tables.insertInto('terms').values({ version, body, since: fixture.clock.now() }).execute()
  await tables.updateTable('orders').set({ terms_version: version }).where('id', '=', orderId).execute()
}

const header = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })
const owner = header({ role: 'user', userId: 1 })

async function payOrder(): Promise<number> {
  const { orderId } = await fixture.openPaid()
  await fixture.ship()
  return orderId
}

const create = (orderId: number, principal = owner) =>
  browser.post(`/api/orders/${orderId}/share`, {}, principal)
const end = (orderId: number, principal = owner) =>
  browser.delete(`/api/orders/${orderId}/share`, {}, principal)
const own = (orderId: number, principal = owner) => browser.get(`/api/orders/${orderId}/share`, principal)
const read = (token: string) => browser.get(`/api/track/${token}`)
/** Headers that hide the address from other sites and search engines. */
const hidden = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
const tokenOf = (url: unknown) => String(url).split('/').at(-1) ?? ''

describe('a link', () => {
  it('opens without a session and shows the bags, their cities, and nothing of the person', async () => {
    const orderId = await payOrder()
    const { status, json } = await create(orderId)
    expect(status).toBe(200)
    expect(json.url).toMatch(/^http:\/\/localhost:3000\/track\/[\w-]{43}$/)
    const shown = await read(tokenOf(json.url))
    expect(shown.json).toEqual({
      success: true,
      bookings: [
        {
          state: 'READY',
          lastEventAt: null,
          events: [],
          origin: { city: 'Makkah' },
          destination: { city: 'Riyadh' },
        },
      ],
    })
    expect(shown.headers).toMatchObject(hidden)
  })

  it('ends with the next one, when its owner ends it, and is then like one that never was', async () => {
    const orderId = await payOrder()
    const first = tokenOf((await create(orderId)).json.url)
    const second = tokenOf((await create(orderId)).json.url)
    const gone = problemOf(await read(first))
    expect(gone).toMatchObject({ status: 404, code: 'SHARE_NOT_FOUND' })
    expect((await read(second)).status).toBe(200)
    expect((await end(orderId)).status).toBe(200)
    expect((await end(orderId)).status).toBe(200)
    for (const token of [second, 'A'.repeat(43), 'short', '%F0%9F%A7%B3']) {
      const answer = await read(token)
      expect(problemOf(answer)).toEqual({ ...gone, requestId: expect.anything() })
      expect(answer.headers).toMatchObject(hidden)
    }
  })

  async function expectEndAfter(days: number, orderId: number, token: string): Promise<void> {
    fixture.clock.advance(days * day - 1)
    expect((await read(token)).status).toBe(200)
    fixture.clock.advance(1)
    expect(problemOf(await read(token))).toMatchObject({ status: 404, code: 'SHARE_NOT_FOUND' })
    expect((await own(orderId)).json.createdAt).toBeNull()
    expect(problemOf(await create(orderId)).code).toBe('NOTHING_TO_SHARE')
  }

  async function scan(orderId: number, kinds: readonly EventKind[]): Promise<void> {
    const [booking] = await findBookings(fixture.core, [orderId])
    await fixture.database.transaction(() =>
      recordBagEvents(
        fixture.core,
        booking?.id ?? 0,
        kinds.map((kind, index) => scanOf(kind, fixture.clock.now(), { key: `${index}`, place: 'Riyadh' })),
      ),
    )
  }

  it('shows on which days the bag usually arrives, and until when its branch keeps it, as it was promised', async () => {
    const orderId = await payOrder()
    await promise(orderId, { transitDays: { RUH: [2, 4] }, storageDays: 7 })
    const token = tokenOf((await create(orderId)).json.url)
    const bags = async () => (await read(token)).json.bookings
    expect(JSON.stringify(await bags())).not.toMatch(/arrives|keptUntil/)
    await scan(orderId, ['picked-up'])
    const dayIn = (days: number) => dayOf(fixture.clock.now() + days * day)
    expect(await bags()).toMatchObject([{ arrives: { first: dayIn(2), last: dayIn(4) } }])
    await scan(orderId, ['picked-up', 'at-branch'])
    const [bag] = (await bags()) as object[]
    expect(bag).toMatchObject({ state: 'AT_BRANCH', keptUntil: dayIn(7) })
    expect(bag).not.toHaveProperty('arrives')
    expect(bag).not.toHaveProperty('promises')
    await promise(orderId, undefined)
    expect(JSON.stringify(await bags())).not.toMatch(/arrives|keptUntil/)
  })

  it('ends seven days after the bag was collected, and no new one begins', async () => {
    const orderId = await payOrder()
    const token = tokenOf((await create(orderId)).json.url)
    await scan(orderId, ['collected'])
    expect((await read(token)).json.bookings).toMatchObject([{ state: 'COLLECTED' }])
    await expectEndAfter(7, orderId, token)
  })

  it.each([
    ['was lost on its way', ['picked-up', 'in-transit']],
    ['went back to its sender', ['picked-up', 'returning', 'collected']],
    ['stays at the branch', ['picked-up', 'at-branch']],
  ] as const)('ends 30 days after the last news of a bag that %s', async (_, kinds) => {
    const orderId = await payOrder()
    const token = tokenOf((await create(orderId)).json.url)
    await scan(orderId, kinds)
    await expectEndAfter(30, orderId, token)
  })

  it('ends 30 days after the order was cancelled', async () => {
    const orderId = await payOrder()
    const token = tokenOf((await create(orderId)).json.url)
    await cancelOrder(fixture.core, 1, orderId)
    await expectEndAfter(30, orderId, token)
  })

  it('is refused for an unpaid order', async () => {
    expect(problemOf(await create(await fixture.createOrder())).code).toBe('NOTHING_TO_SHARE')
  })

  it('says when it was made, to its owner', async () => {
    const orderId = await payOrder()
    expect((await own(orderId)).json.createdAt).toBeNull()
    await create(orderId)
    expect((await own(orderId)).json.createdAt).toBe(new Date(fixture.clock.now()).toISOString())
  })
})

describe('the stream of a link', () => {
  async function follow() {
    const orderId = await payOrder()
    const token = tokenOf((await create(orderId)).json.url)
    const stream = await followShare(core, token, '198.51.100.9')
    expect(await stream.hasChanged()).toBe(true)
    return stream
  }

  it('has news where the link shows something else, and of no other change of the order', async () => {
    const { orderId, hasChanged } = await follow()
    const [booking] = await findBookings(fixture.core, [orderId])
    const record = (...events: Parameters<typeof recordBagEvents>[2]) =>
      fixture.database.transaction(() => recordBagEvents(fixture.core, booking?.id ?? 0, events))
    const at = fixture.clock.now()
    await fixture.database.transaction(() =>
      setReceiver(fixture.core, orderId, { second_phone: '+966500000002' }),
    )
    await record({
      kind: 'not-accepted',
      data: { reason: 'damaged', personal: null },
      by: { kind: 'agent', name: 'Agent Salem' },
      at,
      key: 'no',
    })
    expect(await hasChanged()).toBe(false)
    await record(scanOf('picked-up', at))
    expect(await hasChanged()).toBe(true)
    expect(await hasChanged()).toBe(false)
  })

  it('is checked by the link alone, and ends with the link: ended by its owner, or by time', async () => {
    const ended = await follow()
    statements = 0
    await ended.check()
    expect(statements).toBe(1)
    await end(ended.orderId)
    await expect(ended.check()).rejects.toMatchObject({ code: 'SHARE_NOT_FOUND' })
    const old = await follow()
    await cancelOrder(fixture.core, 1, old.orderId)
    expect(await old.hasChanged()).toBe(true)
    fixture.clock.advance(30 * day - 1)
    await old.check()
    fixture.clock.advance(1)
    await expect(old.check()).rejects.toMatchObject({ code: 'SHARE_NOT_FOUND' })
    await expect(old.hasChanged()).rejects.toMatchObject({ code: 'SHARE_NOT_FOUND' })
  })
})

describe('limits', () => {
  it('stop guesses of an address, and leave links that exist', async () => {
    const token = tokenOf((await create(await payOrder())).json.url)
    const statuses: number[] = []
    for (let guess = 0; guess < 61; guess += 1)
      statuses.push((await read(`guess${guess}`.padEnd(43, 'x'))).status)
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 404))
    expect(statuses.at(-1)).toBe(429)
    expect(await measured(core, 'amtiati_share_reads_missed_total')).toBe(61)
    expect((await read(token)).status).toBe(200)
    fixture.clock.advance(minute)
    expect((await read('again'.padEnd(43, 'x'))).status).toBe(404)
  })

  it('count all addresses of one IPv6 network together', async () => {
    const token = tokenOf((await create(await payOrder())).json.url)
    const from = (of: string, network: number, host: number) =>
      readShare(core, of, `2001:db8:${network}:${host}::9`).catch(({ code }) => code)
    const unknown = 'guess'.padEnd(43, 'x')
    for (let host = 0; host < 60; host += 1) expect(await from(unknown, 1, host)).toBe('SHARE_NOT_FOUND')
    expect(await from(unknown, 1, 60)).toBe('TOO_MANY_CALLS')
    expect(await from(unknown, 2, 60)).toBe('SHARE_NOT_FOUND')
    for (let host = 0; host < 120; host += 1) expect(await from(token, 1, host)).toHaveLength(1)
    expect(await from(token, 1, 120)).toBe('TOO_MANY_CALLS')
    expect(await from(token, 2, 120)).toHaveLength(1)
  })

  it('stop a loop over one link at its address alone, and a loop that makes links', async () => {
    const orderId = await payOrder()
    let token = ''
    for (let count = 0; count < 30; count += 1) token = tokenOf((await create(orderId)).json.url)
    expect(problemOf(await create(orderId)).code).toBe('TOO_MANY_CALLS')
    for (let count = 0; count < 120; count += 1) expect((await read(token)).status).toBe(200)
    expect(problemOf(await read(token)).code).toBe('TOO_MANY_CALLS')
    expect(await readShare(core, token, '198.51.100.9')).toHaveLength(1)
    fixture.clock.advance(59 * minute)
    expect(problemOf(await create(orderId)).code).toBe('TOO_MANY_CALLS')
    fixture.clock.advance(minute)
    expect((await create(orderId)).status).toBe(200)
  })
})

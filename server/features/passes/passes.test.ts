import ICAL from 'ical.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import { cancelOrder } from '#server/features/payments/cancellations.ts'
import type { BranchHours } from '#shared/partner/partner.schemas.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import {
  openBrowser,
  openFeatureApp,
  problemOf,
  publicUrl,
  routesFor,
} from '#test/kit/gateway/feature-app.ts'
import { center } from '#test/kit/orders/orders.ts'
import { partnerWith } from '#test/kit/orders/partner.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { scanOf } from '#test/kit/orders/stored-orders.ts'
import type { PassContent } from './passes.provider.ts'
import { passesRoutes } from './passes.routes.ts'

const wallet = { saveLink: (content: PassContent) => `https://wallet.example/${JSON.stringify(content)}` }
const everyDay = [0, 1, 2, 3, 4, 5, 6]
const hours: BranchHours = { week: [{ days: everyDay, from: '08:00', to: '23:00' }] }

let fixture: PaymentFixture
beforeEach(async () => {
  fixture = await openPaymentFixture()
})
afterEach(() => fixture.close())

async function openPasses(changes: { wallet?: undefined } = {}) {
  const partner = partnerWith([], [{ ...center, code: 'RUH1', hours }])
  const core = await openCore(fixture, { providers: { wallet, partner, ...changes } })
  return openBrowser(await openFeatureApp((app) => passesRoutes(core, routesFor(core, app))))
}

const caller = (userId: number) => ({ 'x-caller': JSON.stringify({ role: 'user', userId }) })
const owner = caller(1)

async function payOrder() {
  const { orderId } = await fixture.openPaid()
  await fixture.ship()
  const [booking] = await findBookings(fixture.core, [orderId])
  return { orderId, bookingId: booking?.id ?? 0, awb: booking?.awb ?? '' }
}

const bringToBranch = (bookingId: number) =>
  fixture.database.transaction(() =>
    recordBagEvents(
      fixture.core,
      bookingId,
      (['picked-up', 'in-transit', 'at-branch'] as const).map((kind, step) =>
        scanOf(kind, fixture.clock.now() + step, { place: 'Riyadh' }),
      ),
    ),
  )

describe('the pass of a bag', () => {
  it('is linked for its owner, without name and phone', async () => {
    const browser = await openPasses()
    const { orderId, awb } = await payOrder()
    const { json } = await browser.get(`/api/orders/${orderId}/wallet/${awb}`, {
      ...owner,
      cookie: 'lang=en',
    })
    const content = JSON.parse(decodeURI(String(json.url)).replace('https://wallet.example/', ''))
    expect(content).toEqual({ awb, orderId, city: 'Riyadh', place: 'Riyadh', language: 'en' })
  })

  it('does not exist for another user, of an airway bill that is not of the order, and after a refund', async () => {
    const browser = await openPasses()
    const { orderId, awb } = await payOrder()
    const codeOf = async (path: string, by = owner) => problemOf(await browser.get(path, by)).code
    expect(await codeOf(`/api/orders/${orderId}/wallet/${awb}`, caller(2))).toBe('ORDER_NOT_FOUND')
    expect(await codeOf(`/api/orders/${orderId}/wallet/299999999999`)).toBe('ORDER_NOT_FOUND')
    await cancelOrder(fixture.core, 1, orderId)
    expect(await codeOf(`/api/orders/${orderId}/wallet/${awb}`)).toBe('LABEL_WITHDRAWN')
  })

  it('is signed twenty times a minute for a user, whatever the bag; other users and later minutes are not held up', async () => {
    const browser = await openPasses()
    const bags = [await payOrder(), await payOrder()]
    const pathOf = (index: number) => {
      const { orderId, awb } = bags[index % bags.length] ?? { orderId: 0, awb: '' }
      return `/api/orders/${orderId}/wallet/${awb}`
    }
    for (let count = 0; count < 20; count += 1)
      expect((await browser.get(pathOf(count), owner)).status).toBe(200)
    const refused = await browser.get(pathOf(0), owner)
    expect(problemOf(refused)).toMatchObject({ status: 429, code: 'TOO_MANY_CALLS', retryAfterSeconds: 60 })
    expect(problemOf(await browser.get(pathOf(0), caller(2))).code).toBe('ORDER_NOT_FOUND')
    fixture.clock.advance(60_000)
    expect((await browser.get(pathOf(0), owner)).status).toBe(200)
  })

  it('is not offered where no wallet is configured', async () => {
    const browser = await openPasses({ wallet: undefined })
    const { orderId, awb } = await payOrder()
    const answer = await browser.get(`/api/orders/${orderId}/wallet/${awb}`, owner)
    expect(problemOf(answer).code).toBe('WALLET_NOT_OFFERED')
  })
})

function eventOf(file: Buffer) {
  const [event] = new ICAL.Component(ICAL.parse(file.toString())).getAllSubcomponents('vevent')
  return new ICAL.Event(event)
}

describe('the calendar of an order', () => {
  it('has no date until the bag is at its branch, then the hours of the branch, what to bring and the way', async () => {
    const browser = await openPasses()
    const { orderId, bookingId, awb } = await payOrder()
    const path = `/api/orders/${orderId}/visit.ics`
    expect(problemOf(await browser.get(path, owner)).code).toBe('VISIT_UNKNOWN')
    await bringToBranch(bookingId)
    const file = await browser.get(path, { ...owner, cookie: 'lang=ar' })
    expect(file.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': `attachment; filename="amtiati-OD-${orderId}.ics"`,
    })
    const event = eventOf(file.bytes)
    expect(event).toMatchObject({
      uid: `${awb}-collection@localhost`,
      summary: 'استلام حقيبتك من فرع الرياض',
      location: 'الرياض',
    })
    expect(event.description).toContain(`أحضر الباركود وهويتك. بوليصة الشحن: ${awb}`)
    expect(event.description).toContain(`OD-${orderId} ${publicUrl}/orders/${orderId}`)
    const [from, to] = [event.startDate, event.endDate].map((time) => time.toJSDate().toISOString())
    expect([from, to]).toEqual(['2027-01-15T09:00:00.000Z', '2027-01-15T20:00:00.000Z'])
    // The same event a day later.
    fixture.clock.advance(24 * 60 * 60_000)
    expect(eventOf((await browser.get(path, owner)).bytes).uid).toBe(event.uid)
  })

  it('does not exist for another user', async () => {
    const browser = await openPasses()
    const { orderId, bookingId } = await payOrder()
    await bringToBranch(bookingId)
    const answer = await browser.get(`/api/orders/${orderId}/visit.ics`, caller(2))
    expect(problemOf(answer).code).toBe('ORDER_NOT_FOUND')
  })
})

import { describe, expect, it } from 'vitest'
import { demoAccounts } from '#shared/wire/demo-accounts.ts'
import { shippingPaths } from '#shared/wire/shipping/shipping.wire.ts'
import { buildPartner, createIntention } from '#test/builders/mock-partner.builder.ts'
import { createRequest } from '#test/builders/shipment-request.builder.ts'

const target = 'http://gateway.example/api/tracking/callback'

async function setUp() {
  const partner = buildPartner({ trackingCallbackUrl: target })
  const { ask, courier } = partner
  const openOrder = (number: number) =>
    createIntention(partner, { special_reference: `OD${number}-A`, extras: { order_number: number } })
  const ship = async (number: number): Promise<string> => {
    const request = createRequest({ OrderNumber: `AM-${number}`, ContentDescription: `Luggage OD-${number}` })
    const answer = await courier('POST', shippingPaths.createB2c, request)
    return answer.json().waybills[0].awb
  }
  const replay = (ref: number | string, outcome: string, callback = 'send') =>
    partner.replay({ outcome, callback }, ref)
  const standing = async (number: number) => (await ask('GET', `/orders/OD-${number}`)).body.standing
  const possible = async (number: number): Promise<string[]> => {
    const { actions } = (await ask('GET', `/orders/OD-${number}`)).body
    return actions.map(({ name }: { name: string }) => name)
  }
  const storyOf = async (number: number): Promise<{ title: string; detail: string; tone: string }[]> =>
    (await ask('GET', `/orders/OD-${number}`)).body.story
  return { ...partner, openOrder, ship, replay, standing, possible, storyOf }
}

it('a tester finds name, city and the page in the app, and every call takes OD-n', async () => {
  const { ask, openOrder, ship, replay } = await setUp()
  await openOrder(7)
  const awb = await ship(7)
  const { body } = await ask('GET', '/orders/OD-7')
  expect(body).toMatchObject({ name: expect.stringMatching(/\w/), city: expect.stringMatching(/\w/) })
  expect(new URL(body.page).pathname).toBe('/orders/7')
  expect((await replay('OD-7', 'success')).status).toBe(200)
  expect((await ask('GET', '/payments/OD-7')).body.payments).toHaveLength(1)
  expect((await ask('GET', '/shipments/OD-7')).body.shipments).toMatchObject([{ awb }])
  expect((await ask('POST', '/shipments/OD-7/advance', { to: 'at-branch' })).body).toMatchObject({ awb })
  expect((await ask('GET', '/shipments/OD-8')).body).toMatchObject({ error: 'UNKNOWN_REF' })
})

describe('how an order stands', () => {
  it('is paid only by the whole amount', async () => {
    const { openOrder, replay, standing } = await setUp()
    for (const number of [1, 2, 3, 4]) await openOrder(number)
    await replay(1, 'success')
    await replay(2, 'success', 'mismatch')
    await replay(3, 'success')
    await replay(3, 'success')
    await replay(4, 'decline')
    expect(await standing(1)).toEqual({ text: 'paid', tone: 'good' })
    expect(await standing(2)).toEqual({ text: 'charged short: SAR 49.00 of SAR 50.00', tone: 'bad' })
    expect(await standing(3)).toEqual({ text: 'charged too much: SAR 100.00 of SAR 50.00', tone: 'bad' })
    expect(await standing(4)).toEqual({ text: 'declined', tone: 'bad' })
    await replay(3, 'refund')
    expect(await standing(3)).toEqual({ text: 'paid, the rest refunded', tone: 'good' })
    await replay(1, 'void')
    expect(await standing(1)).toEqual({ text: 'voided', tone: 'bad' })
  })

  it('is expired when its payment is', async () => {
    const { openOrder, standing, clock } = await setUp()
    await openOrder(1)
    expect((await standing(1)).text).toBe('not paid')
    clock.advance(3_600_000)
    expect((await standing(1)).text).toBe('expired')
  })
})

describe('what can be done', () => {
  it('follows the payment', async () => {
    const { openOrder, replay, possible, clock } = await setUp()
    await openOrder(1)
    expect(await possible(1)).toEqual(['success', 'decline', 'cancel'])
    await replay(1, 'success')
    expect(await possible(1)).toEqual(['success', 'refund', 'void'])
    // A void is possible on the day of the payment in Riyadh.
    clock.advance(86_400_000)
    expect(await possible(1)).toEqual(['success', 'refund'])
    await replay(1, 'refund')
    expect(await possible(1)).toEqual(['success'])
  })

  it('asks before money goes back, and before a second charge', async () => {
    const { openOrder, replay, ask } = await setUp()
    await openOrder(1)
    const questions = async () => {
      const { actions } = (await ask('GET', '/orders/1')).body
      return actions.map(({ question }: { question: string | null }) => question)
    }
    expect((await questions())[0]).toBeNull()
    await replay(1, 'success')
    expect(await questions()).toEqual([
      'OD-1 was paid. Charge SAR 50.00 once more?',
      'Refund SAR 50.00 of OD-1?',
      'Void the payment of SAR 50.00 of OD-1?',
    ])
  })

  it('leads a bag forward', async () => {
    const { ship, ask } = await setUp()
    const awb = await ship(1)
    const steps = async () => (await ask('GET', '/orders/1')).body.bags[0].steps
    expect(await steps()).toEqual(['picked-up', 'in-transit', 'at-branch', 'collected', 'exception'])
    await ask('POST', `/shipments/${awb}/advance`, { to: 'at-branch' })
    expect(await steps()).toEqual(['collected', 'exception'])
    await ask('POST', `/shipments/${awb}/advance`, { to: 'collected' })
    expect(await steps()).toEqual([])
  })
})

describe('what happens by itself', () => {
  it('is the next event of the simulator, and when it comes', async () => {
    const { openOrder, replay, ship, ask, clock } = await setUp()
    const next = async () => (await ask('GET', '/orders/OD-7')).body.next
    await openOrder(7)
    expect(await next()).toBe('Payment expires in 60 min')
    await ask('POST', '/payments/7/replay', { outcome: 'success', callback: 'late', delayMs: 40_000 })
    expect(await next()).toBe('Callback in 40 s')
    clock.advance(40_000)
    await ask('POST', '/clock', { advanceMs: 0 })
    expect(await next()).toBeNull()
    await ship(7)
    expect(await next()).toBeNull()
    await ask('PUT', '/journey', { minutesPerDay: 1_440 })
    expect(await next()).toBe('Picked Up (PU) in 2 h')
    await replay(7, 'refund')
    expect(await next()).toBe('Picked Up (PU) in 2 h')
  })
})

describe('the timeline of an order', () => {
  it('joins payment, callbacks, airway bill, scans and pushes, each with its request', async () => {
    const { openOrder, replay, ship, ask, storyOf, answerCallbacksWith } = await setUp()
    await openOrder(7)
    await replay(7, 'success', 'lose')
    answerCallbacksWith(() => 400)
    await replay(7, 'decline', 'forge')
    answerCallbacksWith(() => 200)
    const awb = await ship(7)
    await ask('POST', `/shipments/${awb}/advance`, { to: 'picked-up' })
    await replay(7, 'refund')
    const story = await storyOf(7)
    expect(story.map(({ title }) => title).reverse()).toEqual([
      'Create intention → 201',
      'Payment callback (lose) → lost: it was never sent',
      'Payment callback (forge) → 400',
      'Create shipment → 200',
      'Push scans (send) → 200',
      'Payment callback (send) → 200',
      'Payment callback (send) → 200',
    ])
    const details = story.map(({ detail }) => detail).join('\n')
    for (const text of ['SAR 50.00 asked · SAR 50.00 charged', 'another key', `PU · AM-7, ${awb}`])
      expect(details).toContain(text)
    const push = story.find(({ title }) => title.startsWith('Push'))
    expect(push).toMatchObject({ entry: { direction: 'out', request: { url: target } } })
    expect(JSON.stringify(push)).not.toContain(demoAccounts.shipping.webhookKey)
  })

  it('leaves out look-ups, names the fault of a request, and shows another amount as wrong', async () => {
    const { openOrder, replay, ship, ask, courier, storyOf } = await setUp()
    await openOrder(7)
    await replay(7, 'success', 'mismatch')
    await ask('PUT', '/faults/shipping', { kind: 'status', match: { order: 7 } })
    await expect(ship(7)).rejects.toThrow()
    await courier('GET', shippingPaths.trackReference.replace(':reference', 'AM-7'))
    const story = await storyOf(7)
    expect(story).toMatchObject([
      { title: 'Create shipment → 503', tone: 'bad' },
      { title: 'Payment callback (mismatch) → 200', tone: 'bad' },
      { title: 'Create intention → 201', tone: 'good' },
    ])
    expect(story[0]?.detail).toContain('fault status')
  })

  it('has the messages that name it, and the codes of its phone', async () => {
    const { openOrder, ask, form, otp } = await setUp()
    await openOrder(7)
    otp.send(demoAccounts.otp.userServiceSid, { to: '+966500000001', channel: 'sms', locale: 'en' })
    const { messaging } = demoAccounts
    for (const Body of ['Order OD-7 is paid', 'Order OD-70 is paid'])
      await form(`/messaging/2010-04-01/Accounts/${messaging.accountSid}/Messages.json`, messaging, {
        To: '+966500000001',
        From: messaging.from,
        Body,
      })
    const { messages } = (await ask('GET', '/orders/7')).body
    expect(
      messages.map(({ text, code }: { text: string; code: string | null }) => code ?? text).sort(),
    ).toEqual(['4821', 'Order OD-7 is paid'])
  })
})

describe('searching orders', () => {
  it('finds them by number, phone, reference, intention and airway bill, and the exact number first', async () => {
    const { openOrder, ship, ask } = await setUp()
    const intention = await openOrder(1)
    for (const number of [10, 11, 12]) await openOrder(number)
    const awb = await ship(11)
    const found = async (query: string) => {
      const { orders } = (await ask('GET', `/orders?q=${encodeURIComponent(query)}`)).body
      return orders.map(({ order }: { order: string }) => order)
    }
    expect((await found('1'))[0]).toBe('OD-1')
    expect(await found('od-12')).toEqual(['OD-12'])
    expect(await found(awb)).toEqual(['OD-11'])
    expect(await found('OD10-A')).toEqual(['OD-10'])
    expect(await found(intention.id)).toEqual(['OD-1'])
    expect(await found('0500000001')).toHaveLength(4)
    expect(await found('OD-1 nothing')).toEqual([])
    expect((await ask('GET', '/orders/OD-99')).status).toBe(404)
  })

  it('answers a page of many, and how many there are', async () => {
    const { openOrder, ask } = await setUp()
    for (let number = 1; number <= 60; number += 1) await openOrder(number)
    const { total, orders } = (await ask('GET', '/orders?limit=50')).body
    expect([total, orders.length]).toEqual([60, 50])
  })

  it('answers those to pay, on the way or done, and counts each', async () => {
    const { openOrder, replay, ship, ask } = await setUp()
    for (const number of [1, 2, 3, 4]) await openOrder(number)
    for (const number of [2, 3, 4]) await replay(number, 'success')
    await replay(3, 'refund')
    await ask('POST', `/shipments/${await ship(4)}/advance`, { to: 'collected' })
    const { counts, orders } = (await ask('GET', '/orders?group=done')).body
    expect(counts).toEqual({ 'to-pay': 1, 'on-the-way': 1, done: 2 })
    expect(orders.map(({ order }: { order: string }) => order).sort()).toEqual(['OD-3', 'OD-4'])
    expect((await ask('GET', '/orders?group=lost')).status).toBe(400)
  })
})

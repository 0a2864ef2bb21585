import { Value } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSessionsStore, type SessionsStore } from '#server/features/sessions/sessions.store.ts'
import { AccountExport } from '#shared/account/account.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { day, hour, minute } from '#test/kit/clock.ts'
import { type MoneyRoom, openMoneyRoom } from '#test/kit/money-room.ts'
import {
  headerScope,
  openBrowser,
  openRoomApp,
  problemOf,
  silentLog,
  type TestBrowser,
} from '#test/kit/room-app.ts'
import { accountRoutes } from './account.routes.ts'
import { type AccountService, createAccount } from './account.service.ts'

const userId = 1
const name = 'Maryam'
const phone = '+966550000001'

let room: MoneyRoom
let store: SessionsStore
let account: AccountService
let browser: TestBrowser
let forgotten: number

beforeEach(async () => {
  room = await openMoneyRoom()
  forgotten = 0
  store = createSessionsStore(room.database)
  await store.addSession({
    token_hash: 'hash',
    id: '11111111-2222-4333-8444-555555555555',
    device: 'Chrome · Android',
    role: 'user',
    subject_id: userId,
    created_at: room.clock.now(),
    last_seen_at: room.clock.now(),
    idle_until: room.clock.now() + 365 * day,
    ends_at: room.clock.now() + 365 * day,
  })
  account = createAccount({
    database: room.database,
    sessions: {
      async findKept(id) {
        const [user] = await store.findUsers([id])
        return user && { name: user.name, phone: user.phone, signedUpAt: isoOf(user.created_at), codes: [] }
      },
      async listSessions() {
        const rows = await store.listSessions('user', userId, room.clock.now(), 10)
        return rows.map(({ id, device, created_at, last_seen_at }) => ({
          id,
          device,
          createdAt: isoOf(created_at),
          lastSeenAt: isoOf(last_seen_at),
          isCurrent: true,
        }))
      },
      async deleteUser(id) {
        const isDone = await store.deleteUser(id, phone, room.clock.now())
        if (isDone) await store.endSessionsOf('user', id)
        return isDone
      },
    },
    orders: room.orders,
    payments: room.payments,
    clock: room.clock,
    log: silentLog,
  })
  const app = await openRoomApp((app) =>
    accountRoutes(app, headerScope, account, {
      sessionOf: () => 'token',
      forget: () => {
        forgotten += 1
      },
    }),
  )
  browser = openBrowser(app, { lang: 'en' })
})
afterEach(() => room.close())

const header = (caller: object) => ({ 'x-caller': JSON.stringify(caller) })
const owner = header({ role: 'user', userId })
const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A1' } as const

const leave = (caller = owner) => browser.delete('/api/auth/user', undefined, caller)
const takeAlong = (caller = owner) => browser.get('/api/auth/user/export', caller)
const isHere = async () => (await store.findUsers([userId])).length === 1
const statusOf = async (orderId: number) => (await room.orders.findPayable(orderId))?.status

/** An order whose payment page is open. */
async function opened() {
  const orderId = await room.place()
  const { clientSecret } = await room.payments.open(orderId)
  return { orderId, clientSecret, intention: room.provider.intentionOf(clientSecret) }
}

async function paid() {
  const order = await opened()
  const charge = room.provider.charge(order.intention, true)
  await room.payments.receive(room.provider.report(charge), 'signed')
  return { ...order, charge }
}

async function issued() {
  const order = await paid()
  await room.ship()
  const { bookings } = await room.orders.readFor({ role: 'user', userId }, order.orderId)
  return { ...order, awb: bookings[0]?.awb ?? '' }
}

/** An order that nobody paid in time. */
async function expired() {
  const order = await opened()
  room.clock.advance(2 * hour)
  await room.sweep()
  if ((await statusOf(order.orderId)) !== 'EXPIRED') throw new Error('the order has not expired')
  return order
}

async function expectRefusal(): Promise<void> {
  expect(problemOf(await leave())).toMatchObject({ status: 409, code: 'ACCOUNT_HAS_OPEN_ORDERS' })
  expect(await isHere()).toBe(true)
  expect(await store.findSession('hash', room.clock.now())).toBeDefined()
  expect(forgotten).toBe(0)
}

describe('leaving', () => {
  it('takes name, phone and sessions away, and the cookies', async () => {
    expect(await leave()).toMatchObject({ status: 200, json: { success: true } })
    expect(await isHere()).toBe(false)
    expect(await store.findSession('hash', room.clock.now())).toBeUndefined()
    expect(forgotten).toBe(1)
    const next = await store.ensureUser(phone, 'Somebody', room.clock.now())
    expect(next.id).not.toBe(userId)
  })

  it('does not happen by a body that asks for more', async () => {
    const answer = await browser.delete('/api/auth/user', { userId: 2 }, owner)
    expect(problemOf(answer).code).toBe('INVALID_REQUEST')
    expect(await isHere()).toBe(true)
  })

  it('is for users who are signed in', async () => {
    expect(problemOf(await leave(header(agent))).code).toBe('WRONG_ROLE')
    expect(problemOf(await browser.delete('/api/auth/user')).code).toBe('NOT_SIGNED_IN')
    expect(await isHere()).toBe(true)
  })

  it('happens once, however often it is asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => leave()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  })
})

describe('leaving is refused', () => {
  it('while an airway bill is awaited, for however long', async () => {
    await paid()
    await expectRefusal()
    room.clock.advance(30 * day)
    await expectRefusal()
  })

  it('while money is going back, and no longer when it is back', async () => {
    const { intention } = await issued()
    const second = room.provider.charge(intention, true)
    await room.payments.receive(room.provider.report(second), 'signed')
    await expectRefusal()
    await room.giveBack()
    room.clock.advance(minute)
    await room.giveBack()
    expect((await leave()).status).toBe(200)
  })

  it('while a payment that does not fit is put aside, and no longer when it went back', async () => {
    const { intention } = await expired()
    const charge = room.provider.charge(intention, true, 4_000)
    await room.payments.receive(room.provider.report(charge), 'signed')
    await expectRefusal()
    room.provider.reverse(charge)
    await room.payments.receive(room.provider.report(charge, 'refunded'), 'signed')
    expect((await leave()).status).toBe(200)
  })
})

describe('what is left of somebody who left', () => {
  it('is the order with its amount, without a person and without a label', async () => {
    const { orderId, awb } = await issued()
    await leave()
    const order = await room.orders.readFor(agent, orderId)
    expect(order).toMatchObject({ orderId, status: 'PAID', user: { name: null, phone: null } })
    expect(order.bookings[0]?.awb).toBe(awb)
    expect(await room.orders.findPayable(orderId)).toMatchObject({ amountHalalas: 5_000 })
    await expect(room.orders.readLabel(agent, awb)).rejects.toMatchObject({ code: 'LABEL_DELETED' })
    const { attempts } = await room.paymentsStore.listOfOrders([orderId])
    expect(attempts).toMatchObject([{ state: 'succeeded', client_secret: null, amount_halalas: 5_000 }])
  })

  it('is an expired order where a payment page is open, and its payment goes back', async () => {
    const { orderId, intention } = await opened()
    expect((await leave()).status).toBe(200)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    const charge = room.provider.charge(intention, true)
    await room.payments.receive(room.provider.report(charge), 'signed')
    await room.giveBack()
    room.clock.advance(minute)
    await room.giveBack()
    expect(charge.refundedHalalas).toBe(5_000)
    expect(await statusOf(orderId)).toBe('EXPIRED')
  })

  it('is an unpaid order that nobody can pay any more', async () => {
    const orderId = await room.place()
    await leave()
    expect(await statusOf(orderId)).toBe('EXPIRED')
    await expect(room.payments.open(orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  })

  it('gets no order made any more', async () => {
    await leave()
    await expect(room.place()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  })

  it('is a payment that comes late: it is booked, goes back whole, and carries no bag', async () => {
    const { orderId, intention } = await expired()
    await leave()
    const charge = room.provider.charge(intention, true)
    const report = room.provider.report(charge)
    await room.payments.receive(report, 'signed')
    await room.payments.receive(report, 'signed')
    const [event, ...others] = await room.paymentsStore.listEvents(String(charge.id))
    expect(event).toMatchObject({ kind: 'succeeded', outcome: 'owner-deleted', amount_halalas: 5_000 })
    expect(others).toEqual([])

    await room.giveBack()
    room.clock.advance(minute)
    await room.giveBack()
    expect(room.provider.refundsAsked).toEqual([String(charge.id)])
    expect(charge.refundedHalalas).toBe(5_000)
    expect(await room.paymentsStore.countRefunds()).toEqual([{ state: 'done', count: 1 }])
    expect(await statusOf(orderId)).toBe('EXPIRED')
    await room.ship()
    expect(room.partner.shipments).toEqual([])
  })

  it('asks for no refund of a late payment that has gone back already', async () => {
    const { intention } = await expired()
    await leave()
    const charge = room.provider.charge(intention, true)
    const success = room.provider.report(charge)
    room.provider.reverse(charge)
    await room.payments.receive(room.provider.report(charge, 'refunded'), 'signed')
    await room.payments.receive(success, 'signed')
    await room.giveBack()
    expect(room.provider.refundsAsked).toEqual([])
  })

  it('owes nothing and gets nothing, whichever of leaving and a late payment is first', async () => {
    const { orderId, intention } = await expired()
    const charge = room.provider.charge(intention, true)
    const [answer] = await Promise.all([
      leave(),
      room.payments.receive(room.provider.report(charge), 'signed'),
    ])
    const outcome = (await room.paymentsStore.listEvents(String(charge.id)))[0]?.outcome
    // Paid first: the bag is carried, and leaving has to wait. Left first: the money goes back.
    expect([answer.status, outcome, await statusOf(orderId)]).toEqual(
      answer.status === 200 ? [200, 'owner-deleted', 'EXPIRED'] : [409, 'applied', 'PAID'],
    )
  })
})

describe('the file to take along', () => {
  it('holds everything kept of the person, and no secret', async () => {
    const { orderId, charge, clientSecret, awb } = await issued()
    const answer = await takeAlong()
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'content-disposition': 'attachment; filename="amtiati-account.json"',
      'cache-control': 'no-store',
    })
    expect([...Value.Errors(AccountExport, answer.json)]).toEqual([])
    expect(answer.json).toMatchObject({
      profile: { userId, name, phone },
      sessions: [{ device: 'Chrome · Android' }],
      orders: [
        {
          orderId,
          status: 'PAID',
          amountHalalas: 5_000,
          currency: 'SAR',
          transactionId: String(charge.id),
          bookings: [{ awb, label: `/api/orders/barcode/${awb}.pdf` }],
          payments: [
            {
              state: 'succeeded',
              events: [{ transactionId: String(charge.id), kind: 'succeeded', outcome: 'applied' }],
              refunds: [],
            },
          ],
        },
      ],
    })
    const text = answer.bytes.toString('utf8')
    for (const secret of [clientSecret, 'hash', 'token']) expect(text).not.toContain(secret)
  })

  it('is whole and valid with no order, and with more than are read at once', async () => {
    expect((await takeAlong()).json).toMatchObject({ orders: [] })
    const placed: number[] = []
    for (let count = 0; count < 201; count += 1) placed.push(await room.place())
    const { orders } = Value.Parse(AccountExport, (await takeAlong()).json)
    expect(orders.map(({ orderId }) => orderId)).toEqual(placed.reverse())
  })

  it('is for users who are signed in and still there', async () => {
    expect(problemOf(await browser.get('/api/auth/user/export')).code).toBe('NOT_SIGNED_IN')
    expect(problemOf(await takeAlong(header(agent))).code).toBe('WRONG_ROLE')
    await leave()
    const answer = await takeAlong()
    expect(problemOf(answer)).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' })
    expect(answer.headers['content-disposition']).toBeUndefined()
  })
})

import { Value } from 'typebox/value'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { openOwnClaim, withdrawClaim } from '#server/features/claims/claims.ts'
import { listNotes } from '#server/features/history/acts.ts'
import { listClaimEvents, listEvents, recordEvent } from '#server/features/history/history.ts'
import { recordHandover } from '#server/features/order-views/handovers.ts'
import { readLabel, readOrderFor } from '#server/features/order-views/order-views.ts'
import { findBookings, hasTravellingBag } from '#server/features/orders/bookings.queries.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import { receiveCallback } from '#server/features/payments/callbacks.ts'
import { cancelOrder } from '#server/features/payments/cancellations.ts'
import { openPayment } from '#server/features/payments/intentions.ts'
import { listPaymentEvents } from '#server/features/payments/payment-events.queries.ts'
import { listPaymentsOfOrders } from '#server/features/payments/payments.queries.ts'
import { listRefundsOfTransaction } from '#server/features/payments/refunds.queries.ts'
import { exportReceipts } from '#server/features/receipts/receipts.ts'
import { saveConfirmation } from '#server/features/sessions/confirmations.queries.ts'
import { addSession, findSession } from '#server/features/sessions/sessions.queries.ts'
import { sessionCookiesFor } from '#server/features/sessions/sessions.rules.ts'
import { findShareOfOrder, saveShare } from '#server/features/shares/shares.queries.ts'
import { ensureUser, listUsers } from '#server/features/users/users.queries.ts'
import { systemRandom } from '#server/platform/random.ts'
import { hashOf, randomToken } from '#server/platform/secrets.ts'
import { AccountExport } from '#shared/account/account.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import { day, hour, minute } from '#test/kit/basics/clock.ts'
import {
  openBrowser,
  openFeatureApp,
  problemOf,
  routesFor,
  type TestBrowser,
} from '#test/kit/gateway/feature-app.ts'
import { addMessage as addMessageTo, messagesIn } from '#test/kit/orders/messages.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { bagEvent } from '#test/kit/orders/stored-orders.ts'
import { accountRoutes } from './account.routes.ts'

const callsPerHour = 10
const cancellableHours = 24
const userId = 1
const name = 'Maryam'
const phone = '+966550000001'
const session = randomToken(systemRandom)
const binding = randomToken(systemRandom)

let fixture: PaymentFixture
let core: Core
let browser: TestBrowser

beforeEach(async () => {
  fixture = await openPaymentFixture({ cancellation: { isOffered: true, hours: cancellableHours } })
  core = fixture.core
  await addSession(core, {
    token_hash: hashOf(session),
    id: '11111111-2222-4333-8444-555555555555',
    device: 'Chrome · Android',
    role: 'user',
    subject_id: userId,
    created_at: fixture.clock.now(),
    last_seen_at: fixture.clock.now(),
    idle_until: fixture.clock.now() + 365 * day,
    ends_at: fixture.clock.now() + 365 * day,
  })
  const cookies = sessionCookiesFor(core.config.PUBLIC_URL)
  browser = openBrowser(await openFeatureApp((app) => accountRoutes(core, routesFor(core, app))), {
    lang: 'en',
    [cookies.session]: session,
    [cookies.binding]: binding,
  })
})
afterEach(() => fixture.close())

const owner = { 'x-caller': JSON.stringify({ role: 'user', userId }) }
const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A1' } as const

/** The user has entered the code that confirms the next request. */
const confirm = (purpose: ConfirmationPurpose) =>
  saveConfirmation(core, {
    session_hash: hashOf(session),
    browser_hash: hashOf(binding),
    purpose,
    challenge_id: 'challenge',
    asked_at: fixture.clock.now(),
    confirmed_until: fixture.clock.now() + minute,
  })
async function deleteAccount(query = '') {
  await confirm('deletion')
  return browser.delete(`/api/auth/user${query}`, undefined, owner)
}
const forfeit = () => deleteAccount('?forfeit=1')
async function exportAccount() {
  await confirm('export')
  return browser.get('/api/auth/user/export', owner)
}
const userExists = async () => (await listUsers(core, [userId])).length === 1
const findOwnSession = () => findSession(core, hashOf(session), fixture.clock.now())
const statusOf = (orderId: number) => fixture.statusOf(orderId)

const addNote = (orderId: number, text: string) =>
  fixture.database.transaction(() =>
    recordEvent(core, {
      kind: 'note',
      by: { kind: 'staff', issuer: 'i', subject: 's', name: 'Sara', roles: ['support'] },
      orderId,
      data: { personal: { text } },
    }),
  )
async function addMessage(orderId: number): Promise<void> {
  const now = fixture.clock.now()
  const message = { user_id: userId, order_id: orderId, phone, body: 'Paid.', created_at: now }
  await addMessageTo(fixture.database, { ...message, kind: 'paid' })
}

async function issued() {
  const order = await fixture.openPaid()
  await fixture.ship()
  const { bookings } = await readOrderFor(core, { role: 'user', userId }, order.orderId)
  return { ...order, awb: bookings[0]?.awb ?? '' }
}

/** A paid order after the time in which its owner can cancel it. */
async function unusable() {
  const order = await issued()
  fixture.clock.advance(cancellableHours * hour + 1)
  return order
}

async function expired() {
  const order = await fixture.openOrder()
  fixture.clock.advance(2 * hour)
  await fixture.sweep()
  if ((await statusOf(order.orderId)) !== 'EXPIRED') throw new Error('the order has not expired')
  return order
}

async function expectRefusal(): Promise<void> {
  const refusal = await deleteAccount()
  expect(problemOf(refusal)).toMatchObject({ status: 409, code: 'ACCOUNT_HAS_OPEN_ORDERS' })
  expect(await userExists()).toBe(true)
  expect(await findOwnSession()).toBeDefined()
  expect(refusal.headers['x-cookies']).toBeUndefined()
}

describe('deleting the account', () => {
  it('deletes name, phone, sessions and cookies', async () => {
    await addMessage(1)
    const headers = { 'x-cookies': 'cleared' }
    expect(await deleteAccount()).toMatchObject({ status: 200, headers, json: { success: true } })
    expect(await userExists()).toBe(false)
    expect(await messagesIn(fixture.database)).toEqual([])
    expect(await findOwnSession()).toBeUndefined()
    const next = await ensureUser(core, phone, 'Next', fixture.clock.now())
    expect(next.id).not.toBe(userId)
    expect(await listEvents(core, 'user_id', [userId])).toMatchObject([
      { kind: 'account-deleted', by: { kind: 'owner' } },
    ])
  })

  it('ends the links to the journeys of the account’s orders, and keeps their receipts', async () => {
    const { orderId } = await unusable()
    await fixture.database.transaction(() => saveShare(core, orderId, 'hash', fixture.clock.now()))
    expect(await forfeit()).toMatchObject({ status: 200 })
    expect(await findShareOfOrder(core, orderId)).toBeUndefined()
    expect([...(await exportReceipts(core, [orderId])).keys()]).toEqual([orderId])
  })
})

describe('deleting the account is refused', () => {
  it('while an airway bill is awaited', async () => {
    await fixture.openPaid()
    await expectRefusal()
    fixture.clock.advance(30 * day)
    await expectRefusal()
  })

  it('while a bag is on its way, until it is collected or was not seen for a month', async () => {
    const { orderId } = await issued()
    const [booking] = await findBookings(fixture.core, [orderId])
    const record = (kind: 'handed-over' | 'in-transit' | 'collected') =>
      fixture.database.transaction(() =>
        recordBagEvents(fixture.core, booking?.id ?? 0, [bagEvent(kind, fixture.clock.now(), { key: kind })]),
      )
    for (const kind of ['handed-over', 'in-transit'] as const) {
      await record(kind)
      await expectRefusal()
    }
    fixture.clock.advance(31 * day)
    expect(await hasTravellingBag(core, userId)).toBe(false)
    await record('handed-over')
    await record('collected')
    expect((await deleteAccount()).status).toBe(200)
  })

  it('while a claim waits for an answer, and what was written in it goes with the account', async () => {
    const { orderId } = await unusable()
    const [booking] = await findBookings(fixture.core, [orderId])
    const at = fixture.clock.now()
    await fixture.database.transaction(() =>
      recordBagEvents(fixture.core, booking?.id ?? 0, [
        bagEvent('handed-over', at),
        bagEvent('collected', at),
      ]),
    )
    await openOwnClaim(core, userId, orderId, { kind: 'other', text: 'My bag is broken' }, undefined)
    expect(problemOf(await forfeit())).toMatchObject({ status: 409, code: 'ACCOUNT_HAS_OPEN_CLAIMS' })
    await withdrawClaim(core, userId, 1)
    expect((await exportAccount()).json).toMatchObject({
      claims: [{ orderId, number: 'CL-1', messages: [{ text: 'My bag is broken' }] }],
    })
    expect((await forfeit()).status).toBe(200)
    const events = await listClaimEvents(core, [1])
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([
      ['claim-opened', { claim: 'other', personal: null }],
      ['claim-closed', { outcome: 'withdrawn', halalas: null, personal: null }],
    ])
  })

  it('until a refund is complete', async () => {
    const { intention } = await unusable()
    const second = fixture.provider.charge(intention, true)
    await receiveCallback(fixture.core, fixture.provider.report(second), 'signed')
    expect(problemOf(await forfeit()).code).toBe('ACCOUNT_HAS_OPEN_ORDERS')
    await fixture.refund()
    fixture.clock.advance(minute)
    await fixture.refund()
    expect((await forfeit()).status).toBe(200)
  })
})

describe('deleting the account with a paid order that was not handed over', () => {
  const refusalOf = (answer: Awaited<ReturnType<typeof deleteAccount>>) => {
    const { status, code, orders } = problemOf(answer)
    return [status, code, orders]
  }

  it('names order and amount while its owner can cancel it, whatever he gives up', async () => {
    const { orderId } = await issued()
    const orders = [{ orderId, amount: 50, cancellable: true }]
    for (const answer of [await deleteAccount(), await forfeit()])
      expect(refusalOf(answer)).toEqual([409, 'ACCOUNT_HAS_PAID_ORDERS', orders])
    expect(await userExists()).toBe(true)
    await cancelOrder(core, userId, orderId)
    await expectRefusal()
    await fixture.refund()
    fixture.clock.advance(minute)
    await fixture.refund()
    expect((await deleteAccount()).status).toBe(200)
  })

  it('is accepted once he gives up what he cannot cancel, and no agent accepts the bag then', async () => {
    const { orderId, awb } = await unusable()
    const orders = [{ orderId, amount: 50, cancellable: false }]
    expect(refusalOf(await deleteAccount())).toEqual([409, 'ACCOUNT_HAS_PAID_ORDERS', orders])
    expect(await userExists()).toBe(true)
    expect((await forfeit()).status).toBe(200)
    await expect(recordHandover(core, agent, { awb }, undefined)).rejects.toMatchObject({
      code: 'DO_NOT_ACCEPT',
    })
    expect((await readOrderFor(core, agent, orderId)).bookings).toMatchObject([{ state: 'CANCELLED' }])
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('waits for the one that can be cancelled beside the one that cannot', async () => {
    const lost = await unusable()
    const { orderId } = await issued()
    expect(refusalOf(await forfeit())).toEqual([
      409,
      'ACCOUNT_HAS_PAID_ORDERS',
      [
        { orderId: lost.orderId, amount: 50, cancellable: false },
        { orderId, amount: 50, cancellable: true },
      ],
    ])
    expect((await readOrderFor(core, agent, lost.orderId)).bookings).toMatchObject([{ state: 'READY' }])
  })
})

it('the deletion of an account with many orders lets no other request wait for a turn of the event loop', async () => {
  for (let count = 0; count < 201; count += 1) await fixture.createOrder()
  const inUse: number[] = []
  let isDone = false
  const turn = () => {
    inUse.push(fixture.database.connections().inUse)
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  expect((await deleteAccount()).status).toBe(200)
  isDone = true
  expect(inUse).not.toContain(1)
})

describe('what remains of a deleted account', () => {
  it('is the order with its amount, without personal data and without a label', async () => {
    const { orderId, awb } = await unusable()
    await addNote(orderId, 'Maryam called.')
    await forfeit()
    expect(await listNotes(core, [orderId])).toEqual([])
    const order = await readOrderFor(core, agent, orderId)
    expect(order).toMatchObject({ orderId, status: 'PAID', user: { name: null, phone: null } })
    expect(order.bookings[0]?.awb).toBe(awb)
    expect(await findPayable(core, orderId)).toMatchObject({ amountHalalas: 5_000 })
    await expect(readLabel(core, agent, awb)).rejects.toMatchObject({ code: 'LABEL_DELETED' })
    const { attempts } = await listPaymentsOfOrders(fixture.core, [orderId])
    expect(attempts).toMatchObject([{ state: 'succeeded', client_secret: null, amount_halalas: 5_000 }])
  })

  it('is an unpaid order that cannot be paid', async () => {
    const orderId = await fixture.createOrder()
    await deleteAccount()
    expect(await statusOf(orderId)).toBe('EXPIRED')
    await expect(openPayment(core, orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  })

  it('gets no new order', async () => {
    await deleteAccount()
    await expect(fixture.createOrder()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  })

  it('is a late payment: it is booked, refunded in full, and gets no airway bill', async () => {
    const { orderId, intention } = await expired()
    await deleteAccount()
    const charge = fixture.provider.charge(intention, true)
    const report = fixture.provider.report(charge)
    await receiveCallback(fixture.core, report, 'signed')
    await receiveCallback(fixture.core, report, 'signed')
    const [event, ...others] = await listPaymentEvents(fixture.core, String(charge.id))
    expect(event).toMatchObject({ kind: 'succeeded', outcome: 'owner-deleted', amount_halalas: 5_000 })
    expect(others).toEqual([])

    await fixture.refund()
    fixture.clock.advance(minute)
    await fixture.refund()
    expect(fixture.provider.refundsAsked).toEqual([String(charge.id)])
    expect(charge.refundedHalalas).toBe(5_000)
    expect(await listRefundsOfTransaction(fixture.core, String(charge.id))).toMatchObject([
      { state: 'done', amount_halalas: 5_000 },
    ])
    expect(await statusOf(orderId)).toBe('EXPIRED')
    await fixture.ship()
    expect(fixture.partner.shipments).toEqual([])
  })

  it('has no unresolved payment, whichever of deletion and late payment is first', async () => {
    const { orderId, intention } = await expired()
    const charge = fixture.provider.charge(intention, true)
    const [answer] = await Promise.all([
      deleteAccount(),
      receiveCallback(fixture.core, fixture.provider.report(charge), 'signed'),
    ])
    const outcome = (await listPaymentEvents(fixture.core, String(charge.id)))[0]?.outcome
    // Paid first: the deletion is refused while the airway bill is awaited. Deleted first: the payment is refunded.
    expect([answer.status, outcome, await statusOf(orderId)]).toEqual(
      answer.status === 200 ? [200, 'owner-deleted', 'EXPIRED'] : [409, 'applied', 'PAID'],
    )
  })
})

describe('the export', () => {
  it('holds everything stored of the user, and no secret', async () => {
    const { orderId, charge, clientSecret, awb } = await issued()
    await recordHandover(core, agent, { awb }, undefined)
    await addMessage(orderId)
    await addNote(orderId, 'She called.')
    const by = { kind: 'operator', name: 'Fatima (node)' } as const
    const personal = { reason: 'label lost' }
    await fixture.database.transaction(async () => {
      // Its event is about the order alone.
      await recordEvent(core, { kind: 'label-permitted', by, orderId, data: { personal } })
    })
    const answer = await exportAccount()
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'content-disposition': 'attachment; filename="amtiati-account.json"',
      'cache-control': 'no-store',
    })
    expect([...Value.Errors(AccountExport, answer.json)]).toEqual([])
    expect(answer.json).toMatchObject({
      profile: { userId, name, phone, language: null, messages: true },
      messages: expect.arrayContaining([
        expect.objectContaining({ orderId, about: 'paid', phone, text: 'Paid.', state: 'waiting' }),
      ]),
      operatorActions: [{ action: 'label-permitted', orderId, reason: 'label lost' }],
      sessions: [{ device: 'Chrome · Android' }],
      orders: [
        {
          orderId,
          status: 'PAID',
          amountHalalas: 5_000,
          currency: 'SAR',
          notes: [{ at: isoOf(fixture.clock.now()), text: 'She called.' }],
          transactionId: String(charge.id),
          bookings: [{ awb, label: `/api/orders/barcode/${awb}.pdf`, events: [{ kind: 'handed-over' }] }],
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
    for (const secret of [clientSecret, session, hashOf(session), binding, 'hash', 'token'])
      expect(text).not.toContain(secret)
  })

  it('is complete and valid without orders, and with more than one page of them', async () => {
    expect((await exportAccount()).json).toMatchObject({ orders: [] })
    const placed: number[] = []
    for (let count = 0; count < 201; count += 1) placed.push(await fixture.createOrder())
    const { orders } = Value.Parse(AccountExport, (await exportAccount()).json)
    expect(orders.map(({ orderId }) => orderId)).toEqual(placed.reverse())
  })
})

describe('the limit of calls', () => {
  it('has the notes of each order at that order alone', async () => {
    const [first, second] = [await fixture.createOrder(), await fixture.createOrder()]
    await addNote(first, 'About the first.')
    await addNote(second, 'About the second.')
    const { orders } = Value.Parse(AccountExport, (await exportAccount()).json)
    const notes = orders.map((order) => [order.orderId, order.notes.map(({ text }) => text)])
    expect(Object.fromEntries(notes)).toEqual({
      [first]: ['About the first.'],
      [second]: ['About the second.'],
    })
  })

  it.each([
    ['an export', () => exportAccount()],
    ['a deletion that is refused', () => deleteAccount()],
  ])('limits %s', async (_, call) => {
    await fixture.openPaid()
    for (let calls = 0; calls < callsPerHour; calls += 1) expect((await call()).status).not.toBe(429)
    const refused = await call()
    expect(problemOf(refused)).toMatchObject({ status: 429, code: 'TOO_MANY_CALLS' })
    expect(refused.headers['retry-after']).toBe('3600')
    expect(refused.headers['content-disposition']).toBeUndefined()
    expect(await userExists()).toBe(true)
    fixture.clock.advance(hour)
    expect((await call()).status).not.toBe(429)
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { day } from '#test/kit/clock.ts'
import {
  headerScope,
  openBrowser,
  openFeatureApp,
  problemOf,
  type TestBrowser,
} from '#test/kit/feature-app.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/payment-fixture.ts'
import { receiptsRoutes } from './receipts.routes.ts'
import type { ReceiptDocument } from './receipts.rules.ts'
import { createReceiptsStore, type ReceiptRow } from './receipts.store.ts'
import { checkSequence } from './sequence.service.ts'

let fixture: PaymentFixture
let browser: TestBrowser
beforeEach(async () => {
  fixture = await openPaymentFixture()
  browser = openBrowser(await openFeatureApp((app) => receiptsRoutes(app, headerScope, fixture.receipts)))
})
afterEach(() => fixture.close())

const header = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })
const owner = header({ role: 'user', userId: 1 })
const other = header({ role: 'user', userId: 2 })
const agent = header({ role: 'agent', agentId: 5, partnerAgentId: 'A1' })
const read = (orderId: number, principal = owner) =>
  browser.get(`/api/orders/${orderId}/receipt.pdf`, principal)

const store = () => createReceiptsStore(fixture.database)
const documentsOf = async (orderId: number) =>
  (await store().listOfOrder(orderId)).map(
    ({ document }: ReceiptRow) => JSON.parse(document) as ReceiptDocument,
  )

/** As the worker asks the provider, which is believed also where a callback is not. */
const inquire = async (charge: Parameters<PaymentFixture['provider']['report']>[0]) =>
  fixture.payments.applyReport(fixture.provider.report(charge))

async function payOrder() {
  const { orderId, intention } = await fixture.openOrder()
  const charge = fixture.provider.charge(intention, true)
  await inquire(charge)
  return { orderId, charge, intention }
}

describe('a receipt', () => {
  it('is issued with the payment, once, however often it is reported', async () => {
    const { orderId, charge } = await payOrder()
    await Promise.all(Array.from({ length: 5 }, () => inquire(charge)))
    expect(await documentsOf(orderId)).toMatchObject([
      {
        kind: 'invoice',
        number: 1,
        orderNumber: `OD-${orderId}`,
        transactionId: String(charge.id),
        issuedAt: fixture.clock.now(),
        totalHalalas: 5_000,
        vat: { vatHalalas: 652 },
        corrects: null,
      },
    ])
  })

  it('holds no name and no phone of the buyer', async () => {
    const { orderId } = await payOrder()
    const text = JSON.stringify(await store().listOfOrder(orderId))
    for (const personal of ['Maryam', '966550000001', '50000001']) expect(text).not.toContain(personal)
  })

  it('is not issued for a payment that pays nothing: of a wrong amount, a second one, a declined one', async () => {
    const wrong = await fixture.openOrder()
    await inquire(fixture.provider.charge(wrong.intention, true, 4_900))
    expect(await store().listOfOrder(wrong.orderId)).toEqual([])
    const { orderId, intention } = await payOrder()
    await inquire(fixture.provider.charge(intention, true))
    expect(await documentsOf(orderId)).toHaveLength(1)
    await fixture.refundFor(60_000)
    expect(await documentsOf(orderId)).toHaveLength(1)
    const declined = await fixture.openOrder()
    await inquire(fixture.provider.charge(declined.intention, false))
    expect(await store().listOfOrder(declined.orderId)).toEqual([])
    expect(await store().findLastNumber()).toBe(1)
  })
})

describe('money that went back', () => {
  it('gets a credit note that names the invoice, and the order keeps both', async () => {
    const { orderId, charge } = await payOrder()
    fixture.clock.advance(day)
    fixture.provider.reverse(charge)
    await inquire(charge)
    await inquire(charge)
    expect(await documentsOf(orderId)).toMatchObject([
      { number: 1, kind: 'invoice' },
      { number: 2, kind: 'credit-note', totalHalalas: 5_000, corrects: { number: 'INV-000001' } },
    ])
    expect((await checkSequence(store())).faults).toEqual([])
  })

  it('in parts gets one note for each part', async () => {
    const { orderId, charge } = await payOrder()
    fixture.provider.reverse(charge, 2_000)
    await inquire(charge)
    await inquire(charge)
    fixture.provider.reverse(charge)
    await inquire(charge)
    expect((await documentsOf(orderId)).map(({ kind, totalHalalas }) => [kind, totalHalalas])).toEqual([
      ['invoice', 5_000],
      ['credit-note', 2_000],
      ['credit-note', 3_000],
    ])
  })

  it('in a part that only a callback reports gets a note after the provider was asked', async () => {
    const { orderId, charge } = await payOrder()
    fixture.provider.reverse(charge, 2_000)
    await fixture.payments.receive(fixture.provider.report(charge), 'signed')
    expect(await documentsOf(orderId)).toHaveLength(1)
    fixture.clock.advance(60_000)
    await fixture.sweep()
    expect(await documentsOf(orderId)).toMatchObject([{}, { kind: 'credit-note', totalHalalas: 2_000 }])
  })

  it('of a cancelled order gets a note that says so', async () => {
    const { orderId, charge } = await payOrder()
    await fixture.receipts.correctReceipt(orderId, String(charge.id), 'whole', 'cancelled')
    const [, note] = await documentsOf(orderId)
    expect(note?.corrects?.reason.en).toContain('was cancelled before the bag was handed over')
  })

  it('before the payment was reported gets an invoice and a note at once', async () => {
    const { orderId, intention } = await fixture.openOrder()
    const charge = fixture.provider.charge(intention, true)
    fixture.provider.reverse(charge)
    await inquire(charge)
    expect((await documentsOf(orderId)).map(({ kind }) => kind)).toEqual(['invoice', 'credit-note'])
  })
})

describe('GET /api/orders/:id/receipt.pdf', () => {
  it('answers the owner with a file, inline or to be saved', async () => {
    const { orderId } = await payOrder()
    const answer = await read(orderId)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="amtiati-receipt-${orderId}.pdf"`,
    })
    const saved = await browser.get(`/api/orders/${orderId}/receipt.pdf?download`, owner)
    expect(saved.headers['content-disposition']).toMatch(/^attachment;/)
  })

  it('knows no foreign order, no unknown one, and no receipt of an unpaid one', async () => {
    const { orderId } = await payOrder()
    expect(problemOf(await read(orderId, other)).code).toBe('ORDER_NOT_FOUND')
    expect(problemOf(await read(999_999)).code).toBe('ORDER_NOT_FOUND')
    expect((await read(orderId, agent)).status).toBe(403)
    const unpaid = await fixture.createOrder()
    expect(problemOf(await read(unpaid)).code).toBe('RECEIPT_NOT_FOUND')
  })

  it('answers one user twenty times a minute, and others meanwhile', async () => {
    const { orderId } = await payOrder()
    for (let count = 0; count < 20; count += 1) expect((await read(orderId)).status).toBe(200)
    const refused = await read(orderId)
    expect(problemOf(refused)).toMatchObject({ status: 429, code: 'TOO_MANY_CALLS' })
    expect(refused.headers['retry-after']).toBe('60')
    expect(problemOf(await read(orderId, other)).code).toBe('ORDER_NOT_FOUND')
    fixture.clock.advance(60_000)
    expect((await read(orderId)).status).toBe(200)
  })

  it('is announced by the order, to its owner alone', async () => {
    const { orderId } = await payOrder()
    const unpaid = await fixture.createOrder()
    const ownerOf = { role: 'user', userId: 1 } as const
    expect(await fixture.readOrder(ownerOf, String(orderId))).toMatchObject({ hasReceipt: true })
    expect(await fixture.readOrder(ownerOf, String(unpaid))).toMatchObject({ hasReceipt: false })
    const seen = await fixture.readOrder({ role: 'agent', agentId: 5, partnerAgentId: 'A1' }, String(orderId))
    expect(seen).not.toHaveProperty('hasReceipt')
  })
})

it('receipts are kept for their time and then deleted', async () => {
  const { orderId } = await payOrder()
  expect(await fixture.receipts.deleteOlderThan(day, 10)).toBe(0)
  fixture.clock.advance(day + 1)
  expect(await fixture.receipts.deleteOlderThan(day, 10)).toBe(1)
  expect((await read(orderId)).status).toBe(404)
})

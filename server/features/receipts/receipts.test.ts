import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { receiveCallback } from '#server/features/payments/callbacks.ts'
import { cancelOrder } from '#server/features/payments/cancellations.ts'
import { openPayment } from '#server/features/payments/intentions.ts'
import { applyReport } from '#server/features/payments/outcomes.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { day } from '#test/kit/basics/clock.ts'
import {
  openBrowser,
  openFeatureApp,
  problemOf,
  routesFor,
  type TestBrowser,
} from '#test/kit/gateway/feature-app.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { receiptWriter } from './receipts.jobs.ts'
import { findLastReceiptNumber, listReceiptsOfOrder } from './receipts.queries.ts'
import { receiptsRoutes } from './receipts.routes.ts'
import type { ReceiptDocument } from './receipts.rules.ts'
import { correctReceipt, issueReceipt, receiptReturned, writeReceiptDocuments } from './receipts.ts'
import { checkSequence } from './sequence.ts'

let fixture: PaymentFixture
let core: Core
let browser: TestBrowser
beforeEach(async () => {
  fixture = await openPaymentFixture()
  core = fixture.core
  browser = openBrowser(await openFeatureApp((app) => receiptsRoutes(core, routesFor(core, app))))
})
afterEach(() => fixture.close())

const header = (principal: object) => ({ 'x-caller': JSON.stringify(principal) })
const owner = header({ role: 'user', userId: 1 })
const other = header({ role: 'user', userId: 2 })
const agent = header({ role: 'agent', agentId: 5, partnerAgentId: 'A1' })
const read = (orderId: number, principal = owner) =>
  browser.get(`/api/orders/${orderId}/receipt.pdf`, principal)

async function documentsOf(orderId: number): Promise<ReceiptDocument[]> {
  await writeReceiptDocuments(core)
  return (await listReceiptsOfOrder(core, orderId)).map(({ document }) => JSON.parse(document))
}
/** A name that is too long for the QR code of an invoice; `undefined` resets it. */
const nameSeller = (name: string | undefined) => void Object.assign(core.config, { SELLER_NAME: name })
const tooLong = 'ن'.repeat(200)

/** The worker's inquiry, which is believed even if a callback is not. */
const inquire = (charge: Parameters<PaymentFixture['provider']['report']>[0]): Promise<unknown> =>
  applyReport(core, fixture.provider.report(charge), 'inquiry')

async function payOrder() {
  const order = await fixture.openCharged()
  await inquire(order.charge)
  return order
}

describe('a receipt', () => {
  it('is issued with the payment, once, however often it is reported', async () => {
    const { orderId, charge } = await payOrder()
    await atOnce(5, () => inquire(charge))
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
    const text = JSON.stringify([await documentsOf(orderId), await listReceiptsOfOrder(core, orderId)])
    for (const personal of ['Maryam', '966550000001', '50000001']) expect(text).not.toContain(personal)
  })

  it('is not issued for a declined payment, nor for one that pays nothing before it went back', async () => {
    const wrong = await fixture.openOrder()
    await inquire(fixture.provider.charge(wrong.intention, true, 4_900))
    const declined = await fixture.openOrder()
    await inquire(fixture.provider.charge(declined.intention, false))
    expect(await findLastReceiptNumber(core)).toBe(0)
  })

  it('that cannot be written holds up no payment: its number is given, and it is written when it can be', async () => {
    nameSeller(tooLong)
    const first = await fixture.openOrder()
    const charge = fixture.provider.charge(first.intention, true)
    await receiveCallback(fixture.core, fixture.provider.report(charge), 'signed')
    const second = await payOrder()
    expect(await fixture.readOrder({ role: 'user', userId: 1 }, String(first.orderId))).toMatchObject({
      status: 'PAID',
      hasReceipt: true,
    })
    expect(problemOf(await read(first.orderId))).toMatchObject({
      status: 503,
      code: 'RECEIPT_NOT_READY',
      retryAfterSeconds: 30,
    })
    expect((await checkSequence(core)).unwritten).toBe(2)
    nameSeller(undefined)
    expect((await read(first.orderId)).status).toBe(200)
    expect(await documentsOf(first.orderId)).toMatchObject([{ number: 1, totalHalalas: 5_000 }])
    expect(await documentsOf(second.orderId)).toMatchObject([{ number: 2 }])
    expect(await checkSequence(core)).toMatchObject({ unwritten: 0, faults: [] })
  })
})

describe('the worker', () => {
  it('writes what was issued and says so then: a payment that is rolled back leaves no line', async () => {
    const lines: object[] = []
    const write = (line: object) => void lines.push(line)
    const log = { info: write, warn: write, error: write }
    const orderId = await fixture.createOrder()
    const payment = { orderId, transactionId: '1', amountHalalas: 5_000 }
    const failed = fixture.database.transaction(async () => {
      await issueReceipt(core, payment)
      throw new Error('the payment was not stored')
    })
    await expect(failed).rejects.toThrow('not stored')
    const worker = receiptWriter({ ...core, log })
    await worker.runBatch()
    expect(lines).toEqual([])

    await fixture.database.transaction(() => issueReceipt(core, payment))
    nameSeller(tooLong)
    await worker.runBatch()
    await worker.runBatch()
    nameSeller(undefined)
    await worker.runBatch()
    expect(lines).toEqual([
      { event: 'receipts.document-failed', err: expect.any(RangeError) },
      { event: 'receipts.issued', orderId, number: 1, isCorrection: false },
    ])

    const undone = fixture.database.transaction(async () => {
      await correctReceipt(core, orderId, '1', 'whole')
      await receiptReturned(core, { ...payment, transactionId: '2' }, 'wrong-amount')
      throw new Error('the return was not stored')
    })
    await expect(undone).rejects.toThrow('not stored')
    await worker.runBatch()
    expect(lines).toHaveLength(2)
  })
})

describe('a payment that paid for nothing and went back', () => {
  const owner = { role: 'user', userId: 1 } as const

  it('of a wrong amount has a receipt and a note without VAT, and the order gets its invoice when it is paid', async () => {
    const { orderId, charge } = await fixture.openCharged(4_900)
    await inquire(charge)
    await fixture.refundFor(60_000)
    expect(await fixture.readOrder(owner, String(orderId))).toMatchObject({
      status: 'PENDING_PAYMENT',
      hasReceipt: true,
    })
    const reason = { en: 'The amount paid was not the price of the order, and was returned in full.' }
    const returned = { transactionId: String(charge.id), totalHalalas: 4_900, vat: null, code: null }
    expect(await documentsOf(orderId)).toMatchObject([
      { ...returned, number: 1, kind: 'receipt', corrects: null },
      { ...returned, number: 2, kind: 'refund-receipt', corrects: { number: 'RCP-000001', reason } },
    ])
    const { clientSecret } = await openPayment(fixture.core, orderId)
    await inquire(fixture.provider.charge(fixture.provider.intentionOf(clientSecret), true))
    expect((await documentsOf(orderId))[2]).toMatchObject({ number: 3, kind: 'invoice', totalHalalas: 5_000 })
  })

  it.each(['by us', 'by hand, and reported at once'])(
    'as a second one has both beside the invoice: %s',
    async (how) => {
      const { orderId, intention } = await payOrder()
      const second = fixture.provider.charge(intention, true)
      if (how !== 'by us') fixture.provider.reverse(second)
      await inquire(second)
      await fixture.refundFor(60_000)
      await inquire(second)
      expect((await documentsOf(orderId)).map(({ kind, transactionId }) => [kind, transactionId])).toEqual([
        ['invoice', String(second.id - 1)],
        ['receipt', String(second.id)],
        ['refund-receipt', String(second.id)],
      ])
    },
  )

  it('after the order was cancelled unpaid has an invoice and its credit note', async () => {
    const { orderId, intention } = await fixture.openOrder()
    await cancelOrder(fixture.core, 1, orderId)
    await inquire(fixture.provider.charge(intention, true))
    await fixture.refundFor(60_000)
    expect(await fixture.readOrder(owner, String(orderId))).toMatchObject({
      status: 'REFUNDED',
      hasReceipt: true,
    })
    expect((await documentsOf(orderId)).map(({ kind, totalHalalas }) => [kind, totalHalalas])).toEqual([
      ['invoice', 5_000],
      ['credit-note', 5_000],
    ])
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
    expect((await checkSequence(core)).faults).toEqual([])
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
    await receiveCallback(fixture.core, fixture.provider.report(charge), 'signed')
    expect(await documentsOf(orderId)).toHaveLength(1)
    fixture.clock.advance(60_000)
    await fixture.sweep()
    expect(await documentsOf(orderId)).toMatchObject([{}, { kind: 'credit-note', totalHalalas: 2_000 }])
  })

  it('before the payment was reported gets an invoice and a note at once', async () => {
    const { orderId, charge } = await fixture.openCharged()
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

  it('is named in the order, for its owner alone', async () => {
    const { orderId } = await payOrder()
    const unpaid = await fixture.createOrder()
    const ownerOf = { role: 'user', userId: 1 } as const
    expect(await fixture.readOrder(ownerOf, String(orderId))).toMatchObject({ hasReceipt: true })
    expect(await fixture.readOrder(ownerOf, String(unpaid))).toMatchObject({ hasReceipt: false })
    const seen = await fixture.readOrder({ role: 'agent', agentId: 5, partnerAgentId: 'A1' }, String(orderId))
    expect(seen).not.toHaveProperty('hasReceipt')
  })
})

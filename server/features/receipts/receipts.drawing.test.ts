import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readPages } from '#test/kit/browser/pdf.ts'
import { noSeller } from '#test/kit/orders/no-seller.ts'
import { drawReceipts, endDrawing, newReceiptDrawing } from './receipts.drawing.ts'
import { issuerOf, type ReceiptDocument, receiptOf } from './receipts.rules.ts'

const documentOf = (number: number): ReceiptDocument =>
  receiptOf(
    issuerOf({ ...noSeller, MODE: 'demo' }),
    { orderId: number, transactionId: '9', amountHalalas: 5_000, legs: [] },
    { number, uuid: 'u', issuedAt: Date.UTC(2027, 4, 18) },
  )

function openGateway() {
  const core = { receiptDrawing: newReceiptDrawing() }
  onTestFinished(() => endDrawing(core))
  return core
}

describe('the thread that draws receipts', () => {
  it('draws many at once, each with its own number', async () => {
    const core = openGateway()
    const documents = [11, 12, 13].map(documentOf)
    const given = vi.spyOn(Worker.prototype, 'postMessage')
    const files = await Promise.all(documents.map((document) => drawReceipts(core, [document])))
    expect(given.mock.calls).toEqual(documents.map((document) => [[document]]))
    const texts = await Promise.all(files.map(async (file) => (await readPages(file))[0]?.text))
    expect(texts.map((text) => /INV-\d+/.exec(text ?? '')?.[0])).toEqual([
      'INV-000011',
      'INV-000012',
      'INV-000013',
    ])
  })

  it('is replaced after a failure, which only its own drawing hears of', async () => {
    const core = openGateway()
    const first = drawReceipts(core, [documentOf(1)])
    const failing = drawReceipts(core, [])
    const later = drawReceipts(core, [documentOf(2)])
    await expect(failing).rejects.toThrow('no document to draw')
    expect(await readPages(await first)).toHaveLength(1)
    expect(await readPages(await later)).toHaveLength(1)
  })

  it('belongs to one gateway, and ends with it after what was asked for is drawn', async () => {
    const [one, other] = [openGateway(), openGateway()]
    const file = drawReceipts(one, [documentOf(1)])
    await drawReceipts(other, [documentOf(2)])
    const { thread } = other.receiptDrawing
    await endDrawing(one)
    expect(await readPages(await file)).toHaveLength(1)
    expect(one.receiptDrawing.thread).toBeUndefined()
    await drawReceipts(other, [documentOf(3)])
    expect(other.receiptDrawing.thread).toBe(thread)
  })
})

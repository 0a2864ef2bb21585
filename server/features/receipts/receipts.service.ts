import { randomUUID } from 'node:crypto'
import type { Core } from '#server/core.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { receiptsErrors } from '#shared/receipts/receipts.errors.ts'
import { readReceiptPdf } from '#shared/receipts/receipts.operations.ts'
import type { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import {
  correctionKindOf,
  correctionOf,
  type Issuer,
  isWritten,
  printedNumber,
  type ReceiptDocument,
  type ReturnReason,
  receiptOf,
  returnedReceiptOf,
} from './receipts.rules.ts'
import type { NewReceipt, ReceiptRow, ReceiptsStore } from './receipts.store.ts'

interface ReceiptsDeps {
  readonly store: ReceiptsStore
  readonly issuer: Issuer
}

interface ReceiptDocumentsDeps extends ReceiptsDeps, Pick<Core, 'clock' | 'log' | 'metrics'> {
  readonly orders: Pick<OrdersService, 'findPayable' | 'listLegs'>
  /** Draws the documents, one page each. */
  readonly draw: (documents: readonly ReceiptDocument[]) => Promise<Uint8Array>
}

/** A payment that the provider has reported. */
interface Payment {
  readonly orderId: number
  readonly transactionId: string
  readonly amountHalalas: number
}

export type ReceiptsService = ReturnType<typeof createReceipts>
export type ReceiptDocuments = ReturnType<typeof createReceiptDocuments>

/** Drawn files in memory: repeated requests for one receipt cost no drawing. One takes about 40 kB. */
const drawnAtMost = 64
/** A person reads a few. Each may have to be drawn. */
const readsPerUser = [{ count: 20, windowMs: 60_000 }]

/** Receipts, tax invoices and the notes that correct them. */
export function createReceipts(deps: ReceiptsDeps) {
  return { ...createIssuing(deps), ...createRecords(deps) }
}

/** Written and drawn apart from the numbering, because they name what was ordered. */
export function createReceiptDocuments(deps: ReceiptDocumentsDeps) {
  const { store, clock, metrics } = deps
  metrics.queue('receipts', clock, store.readUnwritten)
  const writeDocuments = createWriting(deps)
  return { ...createReading(deps, writeDocuments), writeDocuments }
}

/** Numbers receipts with the payments they are about; nothing here can fail but the database. */
function createIssuing({ store, issuer }: ReceiptsDeps) {
  const add = (row: Omit<NewReceipt, 'uuid'>) => store.addReceipt({ ...row, uuid: randomUUID() })

  const rowOf = ({ orderId, transactionId, amountHalalas }: Payment) => ({
    order_id: orderId,
    transaction_id: transactionId,
    amount_halalas: amountHalalas,
  })

  /** The receipt of a payment and its corrections. */
  async function listOfPayment({ orderId, transactionId }: Omit<Payment, 'amountHalalas'>) {
    const rows = await store.listOfOrder(orderId)
    return rows.filter((row) => row.transaction_id === transactionId)
  }

  return {
    /** Inside the transaction that stores the payment of an order: issues its receipt. */
    async issueReceipt(payment: Payment): Promise<void> {
      const row = { kind: issuer.kind, corrects: null, returned_halalas: 0, reason: null }
      await add({ ...rowOf(payment), ...row })
    },

    /**
     * Inside the transaction that records a return of money: issues a note for what was returned since the last one.
     * @param returned of this transaction in all so far, in halalas
     * @param reason where it is more than the return itself
     */
    async correctReceipt(
      orderId: number,
      transactionId: string,
      returned: number | 'whole',
      reason?: 'cancelled',
    ): Promise<void> {
      const issued = await listOfPayment({ orderId, transactionId })
      const receipt = issued.find(({ corrects }) => corrects === null)
      // None for an order that was paid before receipts were issued, and for a payment that did not pay the order.
      if (!receipt) return
      const before = Math.max(...issued.map(({ returned_halalas }) => returned_halalas))
      const now = returned === 'whole' ? receipt.amount_halalas : Math.min(returned, receipt.amount_halalas)
      if (now <= before) return
      const isWhole = before === 0 && now === receipt.amount_halalas
      await add({
        ...rowOf({ orderId, transactionId, amountHalalas: now - before }),
        kind: correctionKindOf(receipt.kind),
        corrects: receipt.number,
        returned_halalas: now,
        reason: reason ?? (isWhole ? 'whole' : 'part'),
      })
    },

    /**
     * Inside the transaction that records that a payment went back whole: issues its receipt and the note about the return,
     * unless it has a receipt, because it paid its order.
     */
    async receiptReturned(payment: Payment, reason: ReturnReason): Promise<void> {
      if ((await listOfPayment(payment)).length > 0) return
      const receipt = {
        ...rowOf(payment),
        kind: 'receipt',
        corrects: null,
        returned_halalas: 0,
        reason,
      } as const
      const number = await add(receipt)
      await add({
        ...receipt,
        kind: 'refund-receipt',
        corrects: number,
        returned_halalas: payment.amountHalalas,
      })
    },
  }
}

/** Writes what is printed on the receipts that have been issued, in the order of their numbers. */
function createWriting({ store, orders, issuer, log }: ReceiptDocumentsDeps) {
  async function documentOf(row: ReceiptRow): Promise<ReceiptDocument> {
    const { number, uuid, issued_at: issuedAt, order_id: orderId, amount_halalas: amountHalalas } = row
    const issue = { number, uuid, issuedAt }
    if (row.corrects !== null) {
      const receipt = (await store.listOfOrder(orderId)).find((each) => each.number === row.corrects)
      if (!receipt) throw new Error(`receipt ${number} corrects ${row.corrects}, which does not exist`)
      const document = JSON.parse(receipt.document) as ReceiptDocument
      return correctionOf(document, amountHalalas, row.reason ?? 'whole', issue)
    }
    const payment = { orderId, transactionId: row.transaction_id, amountHalalas }
    if (row.reason !== null) return returnedReceiptOf(issuer, payment, issue)
    const legs = await orders.listLegs(orderId)
    const kind = row.kind === 'invoice' ? 'invoice' : 'receipt'
    return receiptOf({ ...issuer, kind }, { ...payment, legs }, issue)
  }

  /** Writes all that are not written. An error leaves the rest for the next time. */
  return async (): Promise<void> => {
    for (;;) {
      const row = await store.findUnwritten()
      if (!row) return
      const { order_id: orderId, number, corrects } = row
      const document = JSON.stringify(await documentOf(row))
      // Another gateway may have written it meanwhile.
      if (!(await store.writeDocument(number, document))) continue
      log.info({ event: 'receipts.issued', orderId, number, isCorrection: corrects !== null })
    }
  }
}

function createReading(
  { store, orders, draw, clock, log }: ReceiptDocumentsDeps,
  writeDocuments: () => Promise<void>,
) {
  const drawn = new Map<string, Promise<Uint8Array>>()
  const reads = createCallLimit<number>(readsPerUser, clock)

  /** A document never changes, so the newest receipt names the file. */
  function drawOnce(rows: readonly ReceiptRow[]): Promise<Uint8Array> {
    const key = rows.at(-1)?.uuid ?? ''
    const file = drawn.get(key) ?? draw(rows.map(({ document }) => JSON.parse(document) as ReceiptDocument))
    // Moved to the end: the first key is the one used longest ago.
    drawn.delete(key)
    drawn.set(key, file)
    file.catch(() => drawn.delete(key))
    const [oldest] = drawn.keys()
    if (drawn.size > drawnAtMost && oldest !== undefined) drawn.delete(oldest)
    return file
  }

  /**
   * The receipt of an order and its corrections, one page each.
   * @throws Failure ORDER_NOT_FOUND, also for an order of another user; RECEIPT_NOT_FOUND, RECEIPT_NOT_READY,
   * TOO_MANY_CALLS.
   */
  async function read(userId: number, orderId: number, count: () => void): Promise<Uint8Array> {
    const order = await orders.findPayable(orderId)
    if (order?.userId !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
    const rows = await store.listOfOrder(orderId)
    if (rows.length === 0) throw failure(receiptsErrors, 'RECEIPT_NOT_FOUND')
    count()
    if (rows.every(isWritten)) return drawOnce(rows)
    try {
      await writeDocuments()
    } catch (error) {
      log.error({ event: 'receipts.document-failed', orderId, err: error })
      throw failure(receiptsErrors, 'RECEIPT_NOT_READY', { retryAfterSeconds: 30, cause: error })
    }
    return drawOnce(await store.listOfOrder(orderId))
  }

  return {
    readPdf: (userId: number, orderId: number) => read(userId, orderId, () => countCall(reads, userId)),
    /** As `readPdf`, of a letter: not counted among the reads of the user. */
    readForLetter: (userId: number, orderId: number) => read(userId, orderId, () => undefined),
  }
}

/** What is read of receipts without their documents. */
function createRecords({ store }: ReceiptsDeps) {
  return {
    /** Those of the orders that have a receipt. */
    async findReceipts(orderIds: readonly number[]): Promise<ReadonlySet<number>> {
      return new Set((await store.listOfOrders(orderIds)).map(({ order_id }) => order_id))
    },

    /** What is stored of the receipts of the orders, by order. */
    async exportReceipts(orderIds: readonly number[]): Promise<ReadonlyMap<number, ReceiptExport[]>> {
      const rows = await store.listOfOrders(orderIds)
      const kinds = new Map(rows.map(({ number, kind }) => [number, kind]))
      return new Map(
        [...Map.groupBy(rows, (row) => row.order_id)].map(([orderId, own]) => [
          orderId,
          own.map((row) => ({
            number: printedNumber(row.kind, row.number),
            kind: row.kind,
            corrects:
              row.corrects === null
                ? null
                : printedNumber(kinds.get(row.corrects) ?? 'receipt', row.corrects),
            amountHalalas: row.amount_halalas,
            issuedAt: isoOf(row.issued_at),
            file: readReceiptPdf.path.replace(':id', String(orderId)),
          })),
        ]),
      )
    },
  }
}

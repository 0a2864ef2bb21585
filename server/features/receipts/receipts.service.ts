import { randomUUID } from 'node:crypto'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { failure } from '#server/platform/errors.ts'
import { countCall, createCallLimit } from '#server/platform/limits.ts'
import type { Log } from '#server/platform/logging.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { receiptsErrors } from '#shared/receipts/receipts.errors.ts'
import { readReceiptPdf } from '#shared/receipts/receipts.operations.ts'
import type { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import {
  correctionOf,
  freeze,
  type Issue,
  type Issuer,
  printedNumber,
  type ReceiptDocument,
  receiptOf,
} from './receipts.rules.ts'
import type { NewReceipt, ReceiptRow, ReceiptsStore } from './receipts.store.ts'

export interface ReceiptsDeps {
  readonly store: ReceiptsStore
  /** A function, because orders read whether there is a receipt, and are built later. */
  readonly findOrders: () => Pick<OrdersService, 'findPayable' | 'listLegs'>
  readonly issuer: Issuer
  /** Draws the documents, one page each. */
  readonly draw: (documents: readonly ReceiptDocument[]) => Promise<Uint8Array>
  readonly clock: Clock
  readonly log: Log
}

export type ReceiptsService = ReturnType<typeof createReceipts>

/** Drawn files in memory: repeated requests for one receipt cost no drawing. One takes about 30 kB. */
const drawnAtMost = 64
/** A person reads a few. Each may have to be drawn. */
const readsPerUser = [{ count: 20, windowMs: 60_000 }]

/** Receipts, tax invoices and the notes that correct them. */
export function createReceipts(deps: ReceiptsDeps) {
  return { ...createIssuing(deps), ...createReading(deps) }
}

function createIssuing({ store, findOrders, issuer, clock, log }: ReceiptsDeps) {
  async function add(
    make: (issue: Issue) => ReceiptDocument,
    row: Pick<ReceiptRow, 'order_id' | 'corrects' | 'returned_halalas'>,
  ): Promise<void> {
    const [uuid, issuedAt] = [randomUUID(), clock.now()]
    const number = await store.addReceipt((number, previousHash): NewReceipt => {
      const document = make({ number, previousHash, uuid, issuedAt })
      const { text, hash } = freeze(document)
      return {
        ...row,
        kind: document.kind,
        amount_halalas: document.totalHalalas,
        issued_at: issuedAt,
        uuid,
        hash,
        document: text,
      }
    })
    log.info({ event: 'receipts.issued', orderId: row.order_id, number, isCorrection: row.corrects !== null })
  }

  return {
    /** Inside the transaction that marks the order as paid: issues its receipt. */
    async issueReceipt(orderId: number, transactionId: string): Promise<void> {
      const orders = findOrders()
      const order = await orders.findPayable(orderId)
      if (!order) throw new Error(`order ${orderId} was paid and does not exist`)
      const purchase = {
        orderId,
        transactionId,
        amountHalalas: order.amountHalalas,
        legs: await orders.listLegs(orderId),
      }
      await add((issue) => receiptOf(issuer, purchase, issue), {
        order_id: orderId,
        corrects: null,
        returned_halalas: 0,
      })
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
      const issued = await store.listOfOrder(orderId)
      const receipt = issued.find(({ corrects }) => corrects === null)
      // None for an order that was paid before receipts were issued, and for a payment that did not pay the order.
      if (!receipt) return
      const document = JSON.parse(receipt.document) as ReceiptDocument
      if (document.transactionId !== transactionId) return
      const before = Math.max(...issued.map(({ returned_halalas }) => returned_halalas))
      const now = returned === 'whole' ? receipt.amount_halalas : Math.min(returned, receipt.amount_halalas)
      if (now <= before) return
      const isWhole = before === 0 && now === receipt.amount_halalas
      await add(
        (issue) => correctionOf(document, now - before, reason ?? (isWhole ? 'whole' : 'part'), issue),
        {
          order_id: orderId,
          corrects: receipt.number,
          returned_halalas: now,
        },
      )
    },
  }
}

function createReading({ store, findOrders, draw, clock }: ReceiptsDeps) {
  const drawn = new Map<string, Promise<Uint8Array>>()
  const reads = createCallLimit<number>(readsPerUser, clock)

  /** A document never changes, so its hash names the file. */
  function drawOnce(rows: readonly ReceiptRow[]): Promise<Uint8Array> {
    const key = rows.at(-1)?.hash ?? ''
    const file = drawn.get(key) ?? draw(rows.map(({ document }) => JSON.parse(document) as ReceiptDocument))
    // Moved to the end: the first key is the one used longest ago.
    drawn.delete(key)
    drawn.set(key, file)
    file.catch(() => drawn.delete(key))
    const [oldest] = drawn.keys()
    if (drawn.size > drawnAtMost && oldest !== undefined) drawn.delete(oldest)
    return file
  }

  return {
    /**
     * The receipt of an order and its corrections, one page each.
     * @throws Failure ORDER_NOT_FOUND, also for an order of another user; RECEIPT_NOT_FOUND; TOO_MANY_CALLS.
     */
    async readPdf(userId: number, orderId: number): Promise<Uint8Array> {
      const order = await findOrders().findPayable(orderId)
      if (order?.userId !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
      const rows = await store.listOfOrder(orderId)
      if (rows.length === 0) throw failure(receiptsErrors, 'RECEIPT_NOT_FOUND')
      countCall(reads, userId)
      return drawOnce(rows)
    },

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

    /** Deletes at most `limit` receipts older than `keepMs`; returns how many. */
    deleteOlderThan: (keepMs: number, limit: number) => store.deleteIssuedBefore(clock.now() - keepMs, limit),
  }
}

import type { Core } from '#server/core.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { legOf } from '#server/features/orders/orders.rules.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { failure } from '#server/platform/errors.ts'
import { limitCalls } from '#server/platform/limits.ts'
import { ordersErrors } from '#shared/orders/orders.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { readReceiptPdf as readReceiptOperation } from '#shared/receipts/receipts.api.ts'
import { receiptsErrors } from '#shared/receipts/receipts.errors.ts'
import type { ReceiptExport } from '#shared/receipts/receipts.schemas.ts'
import { drawReceiptsOnce } from './receipts.drawing.ts'
import {
  addReceipt,
  findUnwrittenReceipt,
  listReceiptsOfOrder,
  listReceiptsOfOrders,
  type NewReceipt,
  type ReceiptRow,
  writeReceiptDocument,
} from './receipts.queries.ts'
import {
  correctionKindOf,
  correctionOf,
  issuerOf,
  printedNumber,
  type ReceiptDocument,
  type ReturnReason,
  receiptOf,
  returnedReceiptOf,
} from './receipts.rules.ts'

// A receipt gets its number in the transaction of its payment, where only the database can fail. Its document needs
// data of the order, so it is written later.

interface Payment {
  readonly orderId: number
  readonly transactionId: string
  readonly amountHalalas: number
}

const reads = {
  name: 'receipts.reads',
  limits: [{ count: 20, windowMs: 60_000 }],
}

/** Needs the transaction that stores the order's payment. */
export async function issueReceipt(core: Core, payment: Payment): Promise<void> {
  await addNumbered(core, {
    ...rowOf(payment),
    kind: issuerOf(core.config).kind,
    corrects: null,
    returned_halalas: 0,
    reason: null,
  })
}

/**
 * Needs the transaction that records a refund. Corrects the amount that was returned since the last correction.
 * @param returned the total that was returned, in halalas
 */
export async function correctReceipt(
  core: Core,
  orderId: number,
  transactionId: string,
  returned: number | 'whole',
  reason?: 'cancelled',
): Promise<void> {
  const issued = await listReceiptsOfPayment(core, orderId, transactionId)
  const receipt = issued.find(({ corrects }) => corrects === null)
  if (!receipt) return
  const before = Math.max(...issued.map(({ returned_halalas }) => returned_halalas))
  const now = returned === 'whole' ? receipt.amount_halalas : Math.min(returned, receipt.amount_halalas)
  if (now <= before) return
  const isWhole = before === 0 && now === receipt.amount_halalas
  await addNumbered(core, {
    ...rowOf({ orderId, transactionId, amountHalalas: now - before }),
    kind: correctionKindOf(receipt.kind),
    corrects: receipt.number,
    returned_halalas: now,
    reason: reason ?? (isWhole ? 'whole' : 'part'),
  })
}

/** Needs the transaction that records a full refund. Issues nothing when the payment has a receipt. */
export async function receiptReturned(core: Core, payment: Payment, reason: ReturnReason): Promise<void> {
  const { orderId, transactionId } = payment
  if ((await listReceiptsOfPayment(core, orderId, transactionId)).length > 0) return
  const receipt = {
    ...rowOf(payment),
    kind: 'receipt',
    corrects: null,
    returned_halalas: 0,
    reason,
  } as const
  const number = await addNumbered(core, receipt)
  await addNumbered(core, {
    ...receipt,
    kind: 'refund-receipt',
    corrects: number,
    returned_halalas: payment.amountHalalas,
  })
}

export async function writeReceiptDocuments(core: Core): Promise<void> {
  for (;;) {
    const row = await findUnwrittenReceipt(core)
    if (!row) return
    const { order_id: orderId, number, corrects } = row
    const document = JSON.stringify(await documentOf(core, row))
    if (!(await writeReceiptDocument(core, number, document))) continue
    core.log.info({ event: 'receipts.issued', orderId, number, isCorrection: corrects !== null })
  }
}

/**
 * Returns a PDF with one page for the receipt and one for each correction.
 * @throws Failure ORDER_NOT_FOUND (also for an order of another user), RECEIPT_NOT_FOUND, RECEIPT_NOT_READY,
 *   TOO_MANY_CALLS
 */
export async function readReceiptPdf(core: Core, userId: number, orderId: number): Promise<Uint8Array> {
  const rows = await listOwnReceipts(core, userId, orderId)
  limitCalls(core, reads, userId)
  return drawWritten(core, orderId, rows)
}

export async function readReceiptForLetter(core: Core, userId: number, orderId: number): Promise<Uint8Array> {
  return drawWritten(core, orderId, await listOwnReceipts(core, userId, orderId))
}

export async function findReceipts(core: Core, orderIds: readonly number[]): Promise<ReadonlySet<number>> {
  return new Set((await listReceiptsOfOrders(core, orderIds)).map(({ order_id }) => order_id))
}

export async function exportReceipts(
  core: Core,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, ReceiptExport[]>> {
  const rows = await listReceiptsOfOrders(core, orderIds)
  const kinds = new Map(rows.map(({ number, kind }) => [number, kind]))
  return new Map(
    [...Map.groupBy(rows, (row) => row.order_id)].map(([orderId, own]) => [
      orderId,
      own.map((row) => ({
        number: printedNumber(row.kind, row.number),
        kind: row.kind,
        corrects:
          row.corrects === null ? null : printedNumber(kinds.get(row.corrects) ?? 'receipt', row.corrects),
        amountHalalas: row.amount_halalas,
        issuedAt: isoOf(row.issued_at),
        file: readReceiptOperation.path.replace(':id', String(orderId)),
      })),
    ]),
  )
}

const addNumbered = (core: Core, row: Omit<NewReceipt, 'uuid'>) =>
  addReceipt(core, { ...row, uuid: core.random.uuid() })

const rowOf = ({ orderId, transactionId, amountHalalas }: Payment) => ({
  order_id: orderId,
  transaction_id: transactionId,
  amount_halalas: amountHalalas,
})

async function listReceiptsOfPayment(
  core: Core,
  orderId: number,
  transactionId: string,
): Promise<ReceiptRow[]> {
  const rows = await listReceiptsOfOrder(core, orderId)
  return rows.filter((row) => row.transaction_id === transactionId)
}

async function documentOf(core: Core, row: ReceiptRow): Promise<ReceiptDocument> {
  const { number, uuid, issued_at: issuedAt, order_id: orderId, amount_halalas: amountHalalas } = row
  const issue = { number, uuid, issuedAt }
  if (row.corrects !== null) {
    const receipt = (await listReceiptsOfOrder(core, orderId)).find((each) => each.number === row.corrects)
    if (!receipt) throw new Error(`receipt ${number} corrects ${row.corrects}, which does not exist`)
    const document = JSON.parse(receipt.document) as ReceiptDocument
    return correctionOf(document, amountHalalas, row.reason ?? 'whole', issue)
  }
  const issuer = issuerOf(core.config)
  const payment = { orderId, transactionId: row.transaction_id, amountHalalas }
  if (row.reason !== null) return returnedReceiptOf(issuer, payment, issue)
  const legs = (await findBookings(core, [orderId])).map(legOf)
  const kind = row.kind === 'invoice' ? 'invoice' : 'receipt'
  return receiptOf({ ...issuer, kind }, { ...payment, legs }, issue)
}

async function listOwnReceipts(core: Core, userId: number, orderId: number): Promise<ReceiptRow[]> {
  const order = await findPayable(core, orderId)
  if (order?.userId !== userId) throw failure(ordersErrors, 'ORDER_NOT_FOUND')
  const rows = await listReceiptsOfOrder(core, orderId)
  if (rows.length === 0) throw failure(receiptsErrors, 'RECEIPT_NOT_FOUND')
  return rows
}

async function drawWritten(core: Core, orderId: number, rows: readonly ReceiptRow[]): Promise<Uint8Array> {
  if (rows.every(({ document }) => document !== '')) return drawStored(core, rows)
  try {
    await writeReceiptDocuments(core)
  } catch (error) {
    core.log.error({ event: 'receipts.document-failed', orderId, err: error })
    throw failure(receiptsErrors, 'RECEIPT_NOT_READY', { retryAfterSeconds: 30, cause: error })
  }
  return drawStored(core, await listReceiptsOfOrder(core, orderId))
}

function drawStored(core: Core, rows: readonly ReceiptRow[]): Promise<Uint8Array> {
  const documents = rows.map(({ document }) => JSON.parse(document) as ReceiptDocument)
  return drawReceiptsOnce(core, rows.at(-1)?.uuid ?? '', documents)
}

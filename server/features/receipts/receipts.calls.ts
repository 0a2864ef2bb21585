import { legacyCall } from '#server/legacy.ts'
import type { ReceiptDocuments, ReceiptsService } from './receipts.service.ts'

export const correctReceipt = legacyCall<ReceiptsService, 'correctReceipt'>('receipts', 'correctReceipt')
export const exportReceipts = legacyCall<ReceiptsService, 'exportReceipts'>('receipts', 'exportReceipts')
export const issueReceipt = legacyCall<ReceiptsService, 'issueReceipt'>('receipts', 'issueReceipt')
export const receiptReturned = legacyCall<ReceiptsService, 'receiptReturned'>('receipts', 'receiptReturned')
export const findReceipts = legacyCall<ReceiptsService, 'findReceipts'>('receipts', 'findReceipts')
export const writeReceiptDocuments = legacyCall<ReceiptDocuments, 'writeDocuments'>(
  'documents',
  'writeDocuments',
)
export const readReceiptForLetter = legacyCall<ReceiptDocuments, 'readForLetter'>(
  'documents',
  'readForLetter',
)

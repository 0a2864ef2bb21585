export {
  correctReceipt,
  exportReceipts,
  findReceipts,
  issueReceipt,
  readReceiptForLetter,
  receiptReturned,
  writeReceiptDocuments,
} from './receipts.ts'

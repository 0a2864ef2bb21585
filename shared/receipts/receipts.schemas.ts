import Type, { type Static } from 'typebox'

/**
 * `credit-note` corrects an `invoice`; `receipt` and `refund-receipt` are the same for a seller without VAT invoices,
 * and name no VAT.
 */
export const receiptKinds = ['receipt', 'invoice', 'refund-receipt', 'credit-note'] as const
export type ReceiptKind = (typeof receiptKinds)[number]

export const ReceiptExport = Type.Object({
  number: Type.String({ description: 'As printed.' }),
  kind: Type.Enum([...receiptKinds]),
  corrects: Type.Union([Type.String(), Type.Null()], { description: 'The number of the corrected one.' }),
  amountHalalas: Type.Integer({ description: '5000 is 50.00 SAR.' }),
  issuedAt: Type.String({ format: 'date-time' }),
  file: Type.String({ description: 'Where its owner, signed in, downloads the PDF.' }),
})
export type ReceiptExport = Static<typeof ReceiptExport>

import Type, { type Static } from 'typebox'

/** A `credit-note` corrects an `invoice`. A seller without VAT issues a `receipt` and a `refund-receipt` instead. */
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

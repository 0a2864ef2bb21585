import { maxWeightKg, vatPercent } from '#shared/checkout/checkout.operations.ts'
import { includedVat } from '#shared/checkout/checkout.rules.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import type { Location } from '#shared/orders/orders.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import { cityCode } from '#shared/platform/city-codes.ts'
import { cityName } from '#shared/platform/city-names.ts'
import type { ReceiptKind } from '#shared/receipts/receipts.schemas.ts'
import { invoiceCode } from './qr.rules.ts'
import { type Bilingual, both, inOneLine } from './receipts.texts.ts'

export interface Seller {
  readonly name: string
  readonly address: string
  readonly vatNumber: string | null
  readonly registrationNumber: string | null
}

export interface Issuer {
  readonly seller: Seller
  readonly kind: 'invoice' | 'receipt'
  readonly isDemo: boolean
}

interface SellerConfig {
  readonly MODE: 'demo' | 'live'
  readonly SELLER_NAME: string | undefined
  readonly SELLER_ADDRESS: string | undefined
  readonly SELLER_VAT_NUMBER: string | undefined
  readonly SELLER_CR_NUMBER: string | undefined
  readonly INVOICE_PHASE: '1' | undefined
}

/**
 * With `MODE=demo` an example seller issues marked invoices. With `MODE=live` only a seller with a VAT number and
 * `INVOICE_PHASE=1` issues tax invoices. A seller without a VAT number must not state VAT.
 */
export function issuerOf(config: SellerConfig): Issuer {
  const isDemo = config.MODE === 'demo'
  const example = brand.purchase.seller
  const seller = {
    name: config.SELLER_NAME ?? inOneLine(isDemo ? brand.exampleSellerName : brand.name),
    address: config.SELLER_ADDRESS ?? inOneLine(brand.contact.address),
    vatNumber: config.SELLER_VAT_NUMBER ?? (isDemo ? example.vatNumber : null),
    registrationNumber: config.SELLER_CR_NUMBER ?? (isDemo ? example.registrationNumber : null),
  }
  const isInvoice = isDemo || (config.SELLER_VAT_NUMBER !== undefined && config.INVOICE_PHASE === '1')
  return { seller, kind: isInvoice ? 'invoice' : 'receipt', isDemo }
}

export function shownSellerOf(config: SellerConfig) {
  const { vatNumber, registrationNumber } = issuerOf(config).seller
  return {
    ...(vatNumber === null ? {} : { vatNumber }),
    ...(registrationNumber === null ? {} : { registrationNumber }),
    isExample: config.MODE === 'demo' && config.SELLER_VAT_NUMBER === undefined,
  }
}

/** A receipt contains no names and phones of people. */
export interface Purchase {
  readonly orderId: number
  readonly transactionId: string
  readonly amountHalalas: number
  readonly legs: readonly { readonly origin: Location; readonly destination: Location }[]
}

/**
 * A stored document never changes. Add fields, but never rename one, because documents of six years must be readable.
 */
export interface ReceiptDocument {
  readonly kind: ReceiptKind
  readonly number: number
  readonly uuid: string
  readonly issuedAt: number
  readonly isDemo: boolean
  readonly seller: Seller
  readonly orderNumber: string
  readonly transactionId: string
  readonly lines: readonly Bilingual[]
  readonly totalHalalas: number
  readonly vat: { readonly percent: number; readonly netHalalas: number; readonly vatHalalas: number } | null
  readonly code: string | null
  readonly corrects: { readonly number: string; readonly issuedAt: number; readonly reason: Bilingual } | null
  readonly paper: Paper
}

interface Paper {
  readonly name: Bilingual
  readonly support: { readonly phone: string; readonly email: string }
  readonly hijriDay: string
  readonly tag: ReceiptTag | null
}

export interface ReceiptTag {
  readonly city: Bilingual
  readonly letters: string | null
  readonly isVoid: boolean
}

const prefixes = {
  invoice: 'INV',
  'credit-note': 'CRN',
  receipt: 'RCP',
  'refund-receipt': 'RFN',
} as const satisfies Record<ReceiptKind, string>

export function printedNumber(kind: ReceiptKind, number: number): string {
  return `${prefixes[kind]}-${String(number).padStart(6, '0')}`
}

export interface Issue {
  readonly number: number
  readonly uuid: string
  readonly issuedAt: number
}

export function receiptOf(issuer: Issuer, purchase: Purchase, issue: Issue): ReceiptDocument {
  return {
    ...issue,
    kind: issuer.kind,
    isDemo: issuer.isDemo,
    seller: sellerOn(issuer),
    orderNumber: orderNumber(purchase.orderId),
    transactionId: purchase.transactionId,
    lines: purchase.legs.map(serviceOf),
    ...moneyOf(issuer.kind === 'invoice', issuer.seller, issue.issuedAt, purchase.amountHalalas),
    corrects: null,
    paper: {
      name: brand.name,
      support: { phone: brand.contact.phone, email: brand.contact.email },
      hijriDay: hijriDayOf(issue.issuedAt),
      tag: tagOf(purchase),
    },
  }
}

function tagOf({ legs: [first] }: Purchase): ReceiptTag | null {
  const city = first?.destination.city
  if (city === undefined) return null
  return { city: cityOf(city), letters: cityCode(city) ?? null, isVoid: false }
}

const ummAlQura = new Intl.DateTimeFormat('ar-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'Asia/Riyadh',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

function hijriDayOf(epochMs: number) {
  const parts = new Map(ummAlQura.formatToParts(epochMs).map(({ type, value }) => [type, value]))
  return `${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`
}

export function correctionKindOf(kind: ReceiptKind): ReceiptKind {
  return kind === 'invoice' ? 'credit-note' : 'refund-receipt'
}

/** The payment paid for no order and was returned, so the receipt states no VAT. */
export function returnedReceiptOf(
  issuer: Issuer,
  payment: Omit<Purchase, 'legs'>,
  issue: Issue,
): ReceiptDocument {
  return {
    ...receiptOf({ ...issuer, kind: 'receipt' }, { ...payment, legs: [] }, issue),
    lines: [both('not-accepted')],
  }
}

/** A correction names the seller of its receipt, even when another seller is configured now. */
export function correctionOf(
  receipt: ReceiptDocument,
  amountHalalas: number,
  reason: ReturnReason,
  issue: Issue,
): ReceiptDocument {
  const isInvoice = receipt.kind === 'invoice'
  return {
    ...receipt,
    ...issue,
    kind: correctionKindOf(receipt.kind),
    ...moneyOf(isInvoice, receipt.seller, issue.issuedAt, amountHalalas),
    corrects: {
      number: printedNumber(receipt.kind, receipt.number),
      issuedAt: receipt.issuedAt,
      reason: both(`return.${reason}`),
    },
    paper: correctedPaper(receipt.paper, reason, issue),
  }
}

function correctedPaper({ tag, ...paper }: Paper, reason: ReturnReason, { issuedAt }: Issue): Paper {
  return {
    ...paper,
    hijriDay: hijriDayOf(issuedAt),
    // After a partial refund the bag still travels.
    tag: tag && { ...tag, isVoid: reason !== 'part' },
  }
}

export type ReturnReason =
  | 'cancelled'
  | 'whole'
  | 'part'
  | 'wrong-amount'
  | 'second-payment'
  | 'owner-deleted'

function sellerOn({ seller, kind }: Issuer): Seller {
  return kind === 'invoice' ? seller : { ...seller, vatNumber: null }
}

function moneyOf(isInvoice: boolean, seller: Seller, issuedAt: number, totalHalalas: number) {
  const { name, vatNumber } = seller
  if (!isInvoice || vatNumber === null) return { totalHalalas, vat: null, code: null }
  const vatHalalas = includedVat(totalHalalas)
  return {
    totalHalalas,
    vat: { percent: vatPercent, netHalalas: totalHalalas - vatHalalas, vatHalalas },
    code: invoiceCode({ sellerName: name, vatNumber, issuedAt, totalHalalas, vatHalalas }),
  }
}

function serviceOf({ origin, destination }: Purchase['legs'][number]): Bilingual {
  return both('service', {
    maxWeightKg,
    from: cityOf(origin.city ?? ''),
    to: cityOf(destination.city ?? ''),
  })
}

const cityOf = (english: string): Bilingual => ({ ar: cityName(english, 'ar'), en: english })

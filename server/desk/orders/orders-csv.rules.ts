import { type CsvColumn, inFours } from '#server/platform/csv.ts'
import type { DeskOrderRow } from '#shared/desk/orders/desk-orders.schemas.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import { cityName } from '#shared/platform/city-names.ts'
import { riyadhMinuteOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { formatRiyals } from '#shared/platform/money.ts'
import type { Cursor } from './desk-orders.queries.ts'

export interface CsvRow extends DeskOrderRow {
  readonly returned: number
}

const timeOf = (iso: string | null) => (iso === null ? null : riyadhMinuteOf(Date.parse(iso)))

const titles = {
  ar: {
    number: 'رقم الطلب',
    status: 'حالة الطلب',
    type: 'النوع',
    created: 'أُنشئ (بتوقيت الرياض)',
    paid: 'دُفع (بتوقيت الرياض)',
    amount: 'المبلغ',
    returned: 'المُعاد',
    currency: 'العملة',
    agent: 'الوكيل',
    branch: 'الفرع',
    city: 'المدينة',
    awbs: 'بوالص الشحن',
    bags: 'حالة الحقائب',
  },
  en: {
    number: 'Order',
    status: 'Status',
    type: 'Type',
    created: 'Created (Riyadh)',
    paid: 'Paid (Riyadh)',
    amount: 'Amount',
    returned: 'Returned',
    currency: 'Currency',
    agent: 'Agent',
    branch: 'Branch',
    city: 'City',
    awbs: 'Airway bills',
    bags: 'Bags',
  },
} as const satisfies Readonly<Record<LanguageCode, object>>

/** The CSV file contains no phone, no name of a person and no text that a person wrote. */
function columnsIn(language: LanguageCode): readonly CsvColumn<CsvRow>[] {
  const title = titles[language]
  return [
    { title: title.number, value: (row) => orderNumber(row.orderId) },
    { title: title.status, value: (row) => row.status },
    { title: title.type, value: (row) => row.type },
    { title: title.created, value: (row) => timeOf(row.createdAt) },
    { title: title.paid, value: (row) => timeOf(row.paidAt) },
    { title: title.amount, value: (row) => formatRiyals(row.amountHalalas), isNumber: true },
    { title: title.returned, value: (row) => formatRiyals(row.returned), isNumber: true },
    { title: title.currency, value: (row) => row.currency },
    { title: title.agent, value: (row) => row.agentCode },
    { title: title.branch, value: (row) => row.centerCode },
    { title: title.city, value: (row) => (row.city === null ? null : cityName(row.city, language)) },
    { title: title.awbs, value: (row) => listed(row.bags.map(({ awb }) => awb && inFours(awb))) },
    { title: title.bags, value: (row) => listed(row.bags.map(({ state }) => state)) },
  ]
}

const listed = (values: readonly (string | null)[]) => values.filter((value) => value !== null).join(' / ')

export function csvNote(cursor: Cursor, address: string, language: LanguageCode): string {
  const [number, time] = [orderNumber(cursor.id), riyadhMinuteOf(cursor.createdAt)]
  return language === 'ar'
    ? `الملف غير كامل: الطلبات الأقدم من ${number} (${time} بتوقيت الرياض) في الملف التالي: ${address}`
    : `Not all orders: those before ${number} (${time}, Riyadh) are in the next file: ${address}`
}

export const csvColumns: Readonly<Record<LanguageCode, readonly CsvColumn<CsvRow>[]>> = {
  ar: columnsIn('ar'),
  en: columnsIn('en'),
}

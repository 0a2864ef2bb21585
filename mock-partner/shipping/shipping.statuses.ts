import type { StatusText } from '#shared/wire/tracking/tracking.wire.ts'

/**
 * The answer of the status look-up. The first six are in the courier's documents; the other Arabic texts are ours, and the
 * real list has about 110 rows.
 */
export const statuses: readonly StatusText[] = [
  ['AF', 'Arrived Delivery Facility', 'وصلت محطة التوزيع'],
  ['CC', 'Processing for Consignee Collection', 'تحت المعالجة لإستلام العميل'],
  ['CR', 'Clearance Released', 'تم التخليص الجمركي'],
  ['DE', 'Delivery Exception', 'تعذر تسليم الشحنة'],
  ['DL', 'Delivered', 'تم التسليم'],
  ['OD', 'Out for Delivery', 'في الطريق للتسليم'],
  ['PU', 'Picked Up', 'تم استلام الشحنة'],
  ['HOP', 'Shipment Departed SMSA Sorting Facility', 'غادرت مركز الفرز'],
  ['RTIN', 'Awaiting Collection at Retail Center', 'بانتظار الاستلام في مركز البيع'],
  ['RTOPS', 'Collected from Retail', 'استُلمت من مركز البيع'],
  ['DMG', 'Damaged', 'الشحنة متضررة'],
  ['MISS', 'Missing', 'الشحنة مفقودة'],
  ['RTS', 'Returned to Shipper', 'أُعيدت إلى المرسل'],
  ['ZZ8', 'Held for Weighing', 'بانتظار الوزن'],
].map(([Code = '', ScanDescEN = '', ScanDescAR = '']) => ({ Code, ScanDescEN, ScanDescAR }))

export const workerNames = [
  'shipments',
  'tracking',
  'trackingTexts',
  'messages',
  'claims',
  'inquiries',
  'refunds',
  'expiry',
  'receiptWriter',
  'retention',
] as const

export type WorkerName = (typeof workerNames)[number]

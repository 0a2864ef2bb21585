import type { DemoOrder } from '#shared/demo/demo.schemas.ts'

type DemoPayment = DemoOrder['payments'][number]

const noon = '2026-05-27T09:00:00.000Z'

export function buildDemoPayment(change: Partial<DemoPayment> = {}): DemoPayment {
  return {
    reference: '42-1',
    state: 'open',
    amountHalalas: 5_000,
    currency: 'SAR',
    startedAt: noon,
    events: [],
    refunds: [],
    ...change,
  }
}

/** What a gateway stores of a payment that went through. */
export function buildDemoEvent(
  transactionId: string,
  change: Partial<DemoPayment['events'][number]> = {},
): DemoPayment['events'][number] {
  return {
    transactionId,
    kind: 'succeeded',
    source: 'callback',
    outcome: 'applied',
    amountHalalas: 5_000,
    currency: 'SAR',
    receivedAt: noon,
    ...change,
  }
}

export function buildDemoRefund(
  transactionId: string,
  change: Partial<DemoPayment['refunds'][number]> = {},
): DemoPayment['refunds'][number] {
  return {
    transactionId,
    state: 'done',
    reason: 'second-payment',
    amountHalalas: 5_000,
    currency: 'SAR',
    orderedAt: noon,
    doneAt: noon,
    ...change,
  }
}

/** An unpaid order 42 with one bag and one open payment, as `GET /api/demo/orders/{ref}` answers it. */
export function buildDemoOrder(change: Partial<DemoOrder> = {}): DemoOrder {
  return {
    orderId: 42,
    status: 'PENDING_PAYMENT',
    type: 'FROM_MINA',
    amountHalalas: 5_000,
    currency: 'SAR',
    agentCode: 'A01',
    centerCode: '1',
    transactionId: null,
    createdAt: noon,
    paidAt: null,
    bookings: [buildDemoBag(null)],
    user: null,
    payments: [buildDemoPayment()],
    messages: [],
    ...change,
  }
}

export function buildDemoBag(awb: string | null): DemoOrder['bookings'][number] {
  return {
    awb,
    state: awb === null ? null : 'READY',
    lastEventAt: null,
    events: [],
    origin: { coordinates: null },
    destination: { coordinates: null },
    reference: 'AM-1',
    labelState: awb === null ? 'none' : 'issued',
    label: null,
  }
}

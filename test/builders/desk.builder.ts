import type { DeskOrderRow } from '#shared/desk/orders/desk-orders.schemas.ts'

/** An order in a list of the desk. */
export const deskRowOf = (orderId: number): DeskOrderRow => ({
  orderId,
  status: 'PAID',
  type: 'FROM_MINA',
  amountHalalas: 5000,
  currency: 'SAR',
  createdAt: '2027-05-14T17:06:00.000Z',
  paidAt: '2027-05-14T17:11:00.000Z',
  agentCode: 'A1',
  agentName: 'وكيل منى 1 · Mina Agent 1',
  centerCode: 'RUH1',
  city: 'Riyadh',
  owner: { userId: 7, name: 'فاطمة أ…', phone: '+966 ••••• 4678' },
  bags: [{ awb: '222735133983', state: 'IN_TRANSIT', lastEventAt: '2027-05-17T07:22:00.000Z' }],
})

/** A person as the desk reads one, without orders, codes and claims. */
export const deskPerson = {
  userId: 7,
  name: 'فاطمة أ…',
  phone: '+966 ••••• 4678',
  language: 'ar',
  messages: true,
  hasEmail: false,
  wrongCodes: 0,
  isLocked: false,
  numberAsked: null,
  numberChange: null,
  codes: [],
  sessions: [],
  orders: [],
  claims: [],
}

const line = (kind: string, at: string, text: string, data = {}) => ({
  kind,
  at,
  text,
  data,
  by: { kind: kind === 'disclosed' ? 'staff' : 'provider', ...(kind === 'disclosed' && { name: 'هدى' }) },
})
/** An order’s page at the desk: on its way, silent since two days. */
export const deskOrderOf = (orderId: number) => ({
  orderId,
  status: 'PAID',
  type: 'FROM_MINA',
  amountHalalas: 5000,
  currency: 'SAR',
  agentCode: 'A1',
  centerCode: 'RUH1',
  transactionId: '192036465',
  createdAt: '2027-05-14T17:06:00.000Z',
  paidAt: '2027-05-14T17:11:00.000Z',
  cancelledAt: null,
  expiredAt: null,
  messages: [],
  otherOrders: [],
  alerts: [],
  mayCancel: false,
  alone: { halalas: 0, returnHalalas: 0, receiver: false, reissue: true },
  bookings: [
    {
      awb: '222735133983',
      state: 'IN_TRANSIT',
      lastEventAt: '2027-05-17T07:22:00.000Z',
      events: [],
      reference: 'S-1',
      labelState: 'issued',
      label: null,
      stoppedAt: null,
      tries: 1,
      lastError: null,
      newsBy: '2027-05-18T07:22:00.000Z',
      claimKinds: ['late', 'lost', 'other'],
      origin: { name: 'Mina Agent 1', city: 'Mina', coordinates: null },
      destination: { name: 'Yasmin', city: 'Riyadh', coordinates: null },
    },
  ],
  user: { userId: 7, name: 'فاطمة أ…', phone: '+966 ••••• 4678', language: 'ar', messages: true },
  payments: [],
  receipts: [],
  timeline: [
    line('disclosed', '2027-05-19T11:10:00.000Z', 'Looked at name and phone'),
    line('paid', '2027-05-14T17:11:00.000Z', 'Paid SAR 50.00'),
    line('payment-noted', '2027-05-14T17:10:50.000Z', 'Callback about 1: captured', {
      source: 'callback',
      outcome: 'noted',
      reported: 'captured',
    }),
    line('payment-noted', '2027-05-14T17:10:40.000Z', 'Callback about 1: declined', {
      source: 'callback',
      outcome: 'noted',
      reported: 'failed',
    }),
  ],
})

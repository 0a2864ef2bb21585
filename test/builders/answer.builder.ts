import type { PublicConfig } from '#shared/config/config.api.ts'
import type { Booking, Order } from '#shared/orders/orders.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import { brand } from '#shared/platform/brand.ts'
import type { CodeSent } from '#shared/sessions/sessions.schemas.ts'

/*
 * What the gateway answers, for tests of the client.
 */

/** A bag from an agent in Mina to Riyadh, with its airway bill unless `awb` is null. */
export function bookingOf(changes: Partial<Booking> = {}): Booking {
  return {
    awb: '290012345678',
    origin: { name: 'Agent A1', city: 'Mina', coordinates: null },
    destination: { addressAR: 'الملز', addressEN: 'Malaz', city: 'Riyadh', coordinates: null },
    state: changes.awb === null ? 'AWAITING_LABEL' : 'READY',
    lastEventAt: null,
    events: [],
    ...changes,
  }
}

/** An order of one bag, paid unless `status` says otherwise. */
export function orderOf(changes: Partial<Order> = {}): Order {
  return {
    orderId: 42,
    status: 'PAID',
    type: 'FROM_MINA',
    creationDate: '2027-05-18T12:30:00.000Z',
    payable: changes.status === 'PENDING_PAYMENT',
    bookings: [bookingOf()],
    ...changes,
  }
}

/** An order whose money went back before its bags were handed over. */
export const refunded = (order: Order): Order => ({
  ...order,
  status: 'REFUNDED',
  bookings: order.bookings.map((booking) => ({ ...booking, state: 'CANCELLED' })),
})

/** A branch in Riyadh. */
export const centerOf = (changes: Partial<Center> = {}): Center => ({
  code: 'RUH1',
  addressAR: 'الملز',
  addressEN: 'Malaz',
  city: 'Riyadh',
  coordinates: null,
  ...changes,
})

/** An agent in Mina. */
export const agentOf = (changes: Partial<PartnerAgent> = {}): PartnerAgent => ({
  id: 'A1',
  name: 'Agent A1',
  address: 'Jamarat side',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: null,
  ...changes,
})

/** The lists of the partner, by their calls. */
export const partnerOf = (centers: readonly Center[], agents: readonly PartnerAgent[]) => ({
  'GET /api/partner/centers': { body: { success: true, centers } },
  'GET /api/partner/agents': { body: { success: true, agents } },
})

/** A code that was just sent by SMS, the one way that is on offer; another one may be asked for at once. */
export const sentCodeOf = (changes: Partial<CodeSent> = {}): CodeSent => ({
  success: true,
  sent: true,
  expiresInSeconds: 300,
  resendInSeconds: 0,
  channel: 'sms',
  channels: ['sms'],
  nextChannelInSeconds: 0,
  ...changes,
})

export function configOf(changes: Partial<PublicConfig> = {}): PublicConfig {
  return {
    success: true,
    demo: true,
    widget: { script: '/pixel.js', styles: [] },
    fare: { base: 50, return: 50, currency: 'SAR' },
    maxWeightKg: 15,
    enabledTypes: ['FROM_MINA'],
    contact: brand.contact,
    purchase: {
      ...brand.purchase,
      cards: [...brand.purchase.cards],
      cancellation: { isOffered: true, hours: 0 },
    },
    promises: { transitDays: {} },
    termsVersion: '0123456789abcdef',
    tracking: { silenceHours: 24 },
    wallets: [],
    hasEmail: true,
    paymentTest: false,
    stops: [],
    appLink: brand.androidAppUrl,
    ...changes,
  }
}

import { describe, expect, it } from 'vitest'
import { audit, type Ledger, type ReportedOrder } from './ledger.ts'

const order = (id: number, change: Partial<Ledger['stored'][number]> = {}) => ({
  id,
  status: 'PAID',
  bookings: [{ reference: `R${id}`, awb: `10000${id}`, hasLabel: true, handovers: 0 }],
  ...change,
})

const promised = (...orders: ReportedOrder[]) => ({ checkouts: 2, orders })

const sound: Ledger = {
  promised: promised(
    { orderId: 1, status: 'PAID', awb: '100001' },
    { orderId: 2, status: 'PENDING_PAYMENT', awb: null },
  ),
  stored: [
    order(1),
    order(2, {
      status: 'PENDING_PAYMENT',
      bookings: [{ reference: 'R2', awb: null, hasLabel: false, handovers: 0 }],
    }),
  ],
  payments: [1],
  shipments: [{ reference: 'R1', awb: '100001' }],
}

describe('the ledger of a run', () => {
  it('reports nothing for consistent rows', () => {
    expect(audit(sound)).toEqual({ lost: [], double: [] })
  })

  it.each<[string, Partial<Ledger>, string]>([
    ['a promised order that is not stored', { stored: [order(1)] }, 'order 2 was promised and is not stored'],
    [
      'a payment unknown to the gateway',
      { payments: [1, 2] },
      'order 2 is paid at the provider and PENDING_PAYMENT here',
    ],
    [
      'a paid order without airway bill',
      {
        stored: [
          order(1, { bookings: [{ reference: 'R1', awb: null, hasLabel: false, handovers: 0 }] }),
          ...sound.stored.slice(1),
        ],
        promised: promised(),
      },
      'order 1 is paid and has no airway bill',
    ],
    [
      'a paid order without label',
      {
        stored: [
          order(1, { bookings: [{ reference: 'R1', awb: '100001', hasLabel: false, handovers: 0 }] }),
          ...sound.stored.slice(1),
        ],
      },
      'order 1 has no label',
    ],
    [
      'an airway bill that was shown and is another now',
      { promised: promised({ orderId: 1, status: 'PAID', awb: '999' }) },
      'airway bill 999 of order 1 was shown and is not stored',
    ],
    [
      'an airway bill that the partner never issued',
      { shipments: [{ reference: 'R1', awb: '5' }] },
      'airway bill 100001 of order 1 is not the partner’s',
    ],
    [
      'a hand-over that an agent was told of',
      { promised: promised({ orderId: 1, status: 'PAID', awb: '100001', isHandedOver: true }) },
      'the hand-over of order 1 was acknowledged and is not stored',
    ],
    [
      'a paid order that is unpaid now',
      { promised: promised({ orderId: 2, status: 'PAID', awb: null }) },
      'order 2 was called paid and is PENDING_PAYMENT',
    ],
  ])('counts as lost: %s', (_, change, sentence) => {
    expect(audit({ ...sound, ...change }).lost).toEqual([sentence])
  })

  it.each<[string, Partial<Ledger>, string]>([
    [
      'two hand-overs of one bag',
      {
        stored: [
          order(1, { bookings: [{ reference: 'R1', awb: '100001', hasLabel: true, handovers: 2 }] }),
          ...sound.stored.slice(1),
        ],
      },
      'a bag of order 1 was handed over 2 times',
    ],
    [
      'two shipments of one bag',
      { shipments: [...sound.shipments, { reference: 'R1', awb: '7' }] },
      'order 1 has 2 shipments',
    ],
    ['two payments of one order', { payments: [1, 1] }, 'order 1 was paid 2 times'],
    [
      'more orders than checkouts',
      { promised: { ...sound.promised, checkouts: 1 } },
      '2 orders of 1 checkouts',
    ],
    [
      'one order for two pilgrims',
      {
        promised: promised(...sound.promised.orders, { orderId: 2, status: 'PENDING_PAYMENT', awb: null }),
      },
      'order 2 was promised to 2 pilgrims',
    ],
    ['an order without a payment', { payments: [] }, 'order 1 is paid here and not at the provider'],
    [
      'a shipment of an unpaid order',
      { shipments: [...sound.shipments, { reference: 'R2', awb: '7' }] },
      'order 2 is PENDING_PAYMENT and has a shipment',
    ],
    [
      'a shipment of no order',
      { shipments: [...sound.shipments, { reference: 'R9', awb: '7' }] },
      'shipment R9 belongs to no order',
    ],
    [
      'one airway bill on two bags',
      {
        stored: [
          ...sound.stored,
          order(3, { bookings: [{ reference: 'R3', awb: '100001', hasLabel: true, handovers: 0 }] }),
        ],
        promised: { ...sound.promised, checkouts: 3 },
        payments: [1, 3],
        shipments: [...sound.shipments, { reference: 'R3', awb: '100001' }],
      },
      'airway bill 100001 is on 2 bags',
    ],
  ])('counts as double: %s', (_, change, sentence) => {
    expect(audit({ ...sound, ...change }).double).toEqual([sentence])
  })
})

import { describe, expect, it } from 'vitest'
import { agentOrderStates } from '#shared/orders/orders.operations.ts'
import { agentPartsOf, filterFor, isNothing, type Searchable, wholeNumbersOf } from './agent-list.rules.ts'

const agent = { name: 'وكيل منى', city: 'Mina', coordinates: null }
const branch = { addressAR: 'الملز', addressEN: 'Malaz', city: 'Riyadh', coordinates: null }
const booking = {
  awb: '290012345678',
  receiver: 'Fatimah Al Ansari',
  leg: 0,
  origin: JSON.stringify(agent),
  destination: JSON.stringify(branch),
}

const orderOf = (change: Partial<Searchable> = {}): Searchable => ({
  orderId: 1042,
  type: 'FROM_MINA',
  name: 'فاطمة الأنصاري',
  phone: '+966501112233',
  bookings: [booking],
  ...change,
})

const finds = (q: string, order = orderOf(), city?: string) => filterFor({ q, city })?.(order)

describe('a search of an agent', () => {
  it.each([
    ...[
      'OD-1042',
      'od 1042',
      '1042',
      '١٠٤٢',
      '১০৪২',
      'OD-१०४२',
      '290012345678',
      '5678',
      '٥٦٧٨',
      '0501112233',
    ],
    ...['+966 50 111 2233', '2233', 'فاطمه الانصاري', 'الأَنْصاري', 'fatimah', 'ANSARI fatimah', 'الرياض'],
    ...['riyadh', 'فاطمة الرياض 2233'],
  ])('finds the order by %j', (q) => {
    expect(finds(q)).toBe(true)
  })

  it.each([
    ...['OD-1043', '042', '290012345679', '0501112234', 'مريم', 'فاطمة جدة', 'Mina', 'Malaz'],
    ...['5_78', '5%8', '12%78', "' or 1=1 --"],
  ])('does not find it by %j', (q) => {
    expect(finds(q)).toBe(false)
  })

  it.each(['%', '_', '%%%', '--'])('is nothing as %j', (q) => {
    expect(isNothing(q)).toBe(true)
  })

  it('matches every order without text and city', () => {
    expect(filterFor({ q: '', city: undefined })).toBeUndefined()
    expect(filterFor({ q: '  ', city: undefined })).toBeUndefined()
  })

  it('accepts an order without customer, airway bill and receiver', () => {
    const order = orderOf({
      name: undefined,
      phone: undefined,
      bookings: [{ ...booking, awb: null, receiver: null }],
    })
    expect(finds('1042', order)).toBe(true)
    expect(finds('fatimah', order)).toBe(false)
    expect(finds('riyadh', orderOf({ bookings: [] }))).toBe(false)
  })
})

describe('the city of an order', () => {
  const back = { ...booking, leg: 1 }
  const there = { ...booking, origin: booking.destination, destination: booking.origin }

  it.each([
    ['FROM_MINA', [booking]],
    ['TO_MINA', [there]],
    ['TO_AND_FROM_MINA', [there, back]],
  ] as const)('is that of its branch: %s', (type, bookings) => {
    const order = orderOf({ type, bookings })
    expect(finds('', order, 'Riyadh')).toBe(true)
    expect(finds('', order, 'Mina')).toBe(false)
    expect(finds('', order, 'riyadh')).toBe(false)
  })
})

describe('a whole number', () => {
  const none = { orderId: undefined, isOrderNumber: false, awb: undefined, phone: undefined }

  it.each([
    ['OD-42', { orderId: 42, isOrderNumber: true }],
    ['od ٤٢', { orderId: 42, isOrderNumber: true }],
    ['42', { orderId: 42 }],
    ['290012345678', { orderId: 290_012_345_678, awb: '290012345678' }],
    ['2900 1234 5678', { orderId: 290_012_345_678, awb: '290012345678' }],
    ['٢٩٠٠١٢٣٤٥٦٧٨', { orderId: 290_012_345_678, awb: '290012345678' }],
    ['+966501112233', { phone: '+966501112233' }],
    ['0501112233', { awb: '0501112233', phone: '+966501112233' }],
    ['966501112233', { orderId: 966_501_112_233, awb: '966501112233', phone: '+966501112233' }],
    ['0', {}],
    ['042', {}],
    ['99999999999999999999999', {}],
    ['OD-', {}],
    ['fatimah', {}],
    ['', {}],
  ])('%j can be of %j', (q, numbers) => {
    expect(wholeNumbersOf(q)).toEqual({ ...none, ...numbers })
  })
})

it('an order that an agent may see is in exactly one list', () => {
  const parts = agentOrderStates.flatMap((state) => agentPartsOf(state))
  expect(parts.toSorted()).toEqual(agentPartsOf().toSorted())
  expect(agentPartsOf('waiting')).toEqual(['none', 'some'])
})

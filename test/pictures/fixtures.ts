import { bookingVersion } from '#client/features/booking/booking.rules.ts'
import type { Claim, ClaimOffer } from '#shared/claims/claims.schemas.ts'
import type { Booking, Order, OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { EventKind } from '#shared/orders/travel.schemas.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import type { SessionView } from '#shared/sessions/sessions.schemas.ts'
import type { SharedBooking } from '#shared/shares/shares.schemas.ts'
import { bookingOf, orderOf, refunded } from '#test/builders/answer.builder.ts'

/** Data of states that are rare on a running stack and must look right, too. */

export const longNameAr = 'عبد الرحمن بن عبد العزيز بن محمد القحطاني'
export const longNameEn = 'Muhammad Abdurrahman Wibisono Kusumaputra'
const longWord = 'Wolfeschlegelsteinhausenbergerdorffmuell'

export const agents: readonly PartnerAgent[] = [
  {
    id: 'AG-1',
    name: 'وكيل منى 1 · Mina Agent 1',
    address: 'مخيم 14، شارع الجوهرة، منى · Camp 14, Al Jawharah Street, Mina',
    city: 'Mina',
    phone: '+966500000101',
    coordinates: { latitude: 21.4133, longitude: 39.8933 },
  },
  {
    id: 'AG-2',
    name: 'مكتب خدمة ضيوف الرحمن في حي العزيزية الشمالية · Al Aziziyah North Pilgrim Service Office',
    address:
      'بجوار محطة الحافلات، طريق المسجد الحرام، حي العزيزية الشمالية، مكة المكرمة · Beside the bus station, Al Masjid Al Haram Road, Al Aziziyah North, Makkah',
    city: 'Makkah',
    phone: '+966500000102',
    coordinates: null,
  },
]

const workDays = { days: [0, 1, 2, 3, 4], from: '08:00', to: '23:00' }

/** In the order of the branches: open at the weekend, closed then, and not known. */
const hours: readonly Pick<Center, 'hours'>[] = [
  { hours: { week: [workDays, { days: [5, 6], from: '16:00', to: '20:00' }] } },
  { hours: { week: [workDays] } },
  {},
]

/** A Friday afternoon in Riyadh. */
export const friday = new Date('2027-06-18T17:00:00+03:00')

const namedCenters: readonly Center[] = [
  {
    code: 'RUH-1',
    addressAR: 'طريق الملك فهد، حي العليا، الرياض',
    addressEN: 'King Fahd Road, Al Olaya, Riyadh',
    city: 'Riyadh',
    coordinates: { latitude: 24.7, longitude: 46.68 },
    ...hours[0],
  },
  {
    code: 'RUH-2',
    addressAR: 'شارع الأمير محمد بن عبد العزيز، بجوار مجمع العيادات، حي السليمانية، الرياض',
    addressEN: 'Prince Muhammad bin Abdulaziz Street, beside the clinics, As Sulaimaniyah, Riyadh',
    city: 'Riyadh',
    coordinates: null,
    ...hours[1],
  },
  {
    code: 'SHW-1',
    addressAR: 'طريق الملك عبد العزيز، شرورة',
    addressEN: 'King Abdulaziz Road, Sharurah',
    city: 'Sharurah',
    coordinates: null,
  },
]

const streets = [
  ['شارع العليا', 'Al Olaya Street'],
  ['طريق الملك عبد الله', 'King Abdullah Road'],
  ['شارع التحلية', 'At Tahliyah Street'],
  ['طريق الأمير سلطان بن عبد العزيز', 'Prince Sultan bin Abdulaziz Road'],
  ['شارع الجامعة', 'University Street'],
] as const
const districts = [
  ['العليا', 'Al Olaya'],
  ['السويدي', 'As Suwaidi'],
  ['الملز', 'Al Malaz'],
  ['النرجس', 'An Narjis'],
  ['الياسمين', 'Al Yasmin'],
  ['طويق', 'Tuwaiq'],
  ['الأمير محمد بن عبد العزيز', 'Prince Muhammad bin Abdulaziz'],
] as const
const towns = [
  ['الرياض', 'Riyadh'],
  ['جدة', 'Jeddah'],
  ['الدمام', 'Dammam'],
  ['المدينة المنورة', 'Madinah'],
  ['أبها', 'Abha'],
  ['تبوك', 'Tabuk'],
  ['حائل', 'Hail'],
  ['بريدة', 'Buraidah'],
  ['جازان', 'Jazan'],
  ['نجران', 'Najran'],
  ['عرعر', 'Arar'],
  ['سكاكا', 'Sakaka'],
] as const

/** As many branches as the partner has, half of them in the first city. */
function furtherCenters(): readonly Center[] {
  return Array.from({ length: 350 - namedCenters.length }, (_, index) => {
    const [, townEn] = towns[index % 2 === 0 ? 0 : index % towns.length] ?? towns[0]
    const [street, streetEn] = streets[index % streets.length] ?? streets[0]
    const [district, districtEn] = districts[index % districts.length] ?? districts[0]
    return {
      code: `BR-${index}`,
      addressAR: `حي ${district} - ${street}، مبنى ${index + 100}`,
      addressEN: `${districtEn} Dist. - ${streetEn}, building ${index + 100}`,
      city: townEn,
      coordinates:
        index % 33 === 32
          ? null
          : { latitude: 24.6 + (index % 40) / 100, longitude: 46.6 + (index % 25) / 100 },
      ...hours[index % hours.length],
    }
  })
}

export const centers: readonly Center[] = [...namedCenters, ...furtherCenters()]

const [agent, agentUnmapped] = agents
const [center, centerUnmapped] = namedCenters
if (!agent || !agentUnmapped || !center || !centerUnmapped) throw new Error('the fixtures are short')

function bagOf(awb: string | null, from: PartnerAgent, to: Center): Booking {
  const { name, address, city, phone, coordinates } = from
  return bookingOf({
    awb,
    origin: { name, address, city, phone, coordinates },
    destination: {
      addressAR: to.addressAR,
      addressEN: to.addressEN,
      city: to.city,
      coordinates: to.coordinates,
    },
  })
}

const centerCode = center.code
const there = bagOf('290012345671', agent, center)
const unmapped = bagOf('290012345672', agentUnmapped, centerUnmapped)
const unknownPlace: Booking['origin'] = { coordinates: null }
const khadija = { name: 'Khadija', phone: '+966501234568' }

/** An order without an airway bill. */
const orderAt = (orderId: number, changes: Partial<Order>): Order =>
  orderOf({
    orderId,
    creationDate: '2026-05-28T09:30:00.000Z',
    bookings: [bagOf(null, agent, center)],
    ...changes,
  })

export const orders = {
  paid: orderAt(1042, {
    transactionId: '192036465',
    centerCode: 'RUH-1',
    user: { name: longNameAr, phone: '+966501234567' },
    bookings: [there],
  }),
  twoLegs: orderAt(1043, {
    transactionId: '192036466',
    type: 'TO_AND_FROM_MINA',
    centerCode: 'RUH-2',
    user: { name: longNameEn, phone: '+6281234567890' },
    bookings: [{ ...there, origin: there.destination, destination: there.origin }, unmapped],
  }),
  issuing: orderAt(1044, {
    user: { name: longWord, phone: '+2348031234567' },
    bookings: [bagOf(null, agentUnmapped, centerUnmapped)],
  }),
  pending: orderAt(1045, { status: 'PENDING_PAYMENT', user: { name: null, phone: '+442071234567' } }),
  expired: orderAt(1046, { status: 'EXPIRED', user: { name: 'Aisha', phone: null } }),
  refunded: refunded(
    orderAt(1047, {
      refund: { state: 'done', amount: 50, reason: 'operator' },
      transactionId: '192036467',
      type: 'TO_MINA',
      user: { name: 'Siti Nurhaliza', phone: '+60123456789' },
      bookings: [there],
    }),
  ),
  wrongAmount: orderAt(1049, {
    status: 'PENDING_PAYMENT',
    payable: false,
    refund: { state: 'pending', amount: 49, reason: 'wrong-amount' },
    user: khadija,
  }),
  amountStuck: orderAt(1051, {
    status: 'EXPIRED',
    refund: { state: 'needs-help', amount: 49, reason: 'wrong-amount' },
    user: khadija,
  }),
  paidTwice: orderAt(1052, {
    refund: { state: 'pending', amount: 50, reason: 'second-payment' },
    transactionId: '192036468',
    user: { name: longNameEn, phone: '+966501234568' },
    bookings: [{ ...there, receiver: longNameEn }],
  }),
  unknown: orderAt(1048, {
    status: 'AWAITING_INSPECTION_BY_CUSTOMS' as string as OrderStatus,
    user: { name: 'Fatima', phone: '+923001234567' },
    bookings: [bookingOf({ awb: null, state: null, origin: unknownPlace, destination: unknownPlace })],
  }),
}

/** Another person collects the bag: named, and on the airway bill. */
export const namedReceiver = {
  receiver: { name: longNameEn, phone: '+6281234567890' },
  secondPhone: '+966501234568',
} as const
/** Of the bank, as staff have typed it. */
const transferReference = 'TR-20270614-118'

const huda = { name: 'Huda Salem', phone: '+962790000000' }
export const namedOrder: Order = { ...orders.issuing, ...namedReceiver, receiver: huda }

const bagOfJourney = (orderId: number, receiver: string, state: Booking['state']): Order => ({
  ...orders.paid,
  orderId,
  agentCode: 'AG-1',
  paidAt: '2026-05-28T09:31:00.000Z',
  bookings: [{ ...there, awb: `29001234${orderId}`, receiver, state }],
})

/** Newest first; the first one is handed in. */
export const journeyOrders: readonly Order[] = [
  bagOfJourney(1053, longNameEn, 'READY'),
  bagOfJourney(1052, huda.name, 'READY'),
  bagOfJourney(1051, longNameAr, 'HANDED_OVER'),
]

type OnTheWay = 'HANDED_OVER' | 'IN_TRANSIT' | 'EXCEPTION' | 'AT_BRANCH' | 'COLLECTED'

const taken = { kind: 'handed-over', source: 'agent', at: '2027-06-16T13:20:00.000Z' } as const
const scan = (kind: EventKind, at: string, place: string) => ({ kind, at, place, source: 'courier' as const })
const picked = scan('picked-up', '2027-06-17T03:40:00.000Z', 'Makkah')
const passed = scan('in-transit', '2027-06-17T08:02:00.000Z', 'Taif')
const arrived = scan('at-branch', '2027-06-18T06:30:00.000Z', 'Riyadh')

/** What the courier saw by then. */
const scans: Readonly<Record<OnTheWay, readonly ReturnType<typeof scan>[]>> = {
  HANDED_OVER: [],
  IN_TRANSIT: [picked, passed],
  EXCEPTION: [picked, passed, scan('exception', '2027-06-18T08:02:00.000Z', 'Taif')],
  AT_BRANCH: [picked, passed, arrived],
  COLLECTED: [picked, passed, arrived, scan('collected', '2027-06-18T12:40:00.000Z', 'Riyadh')],
}

/** The paid order with its bag on the way. */
export function orderIn(state: OnTheWay): Order {
  const events = [
    { ...taken, place: state === 'EXCEPTION' ? longNameEn : (agents[0]?.name ?? '') },
    ...scans[state],
  ]
  const lastEventAt = events.at(-1)?.at ?? null
  return {
    ...orders.paid,
    centerCode,
    bookings: [{ ...there, receiver: longNameAr, state, lastEventAt, events }],
  }
}

export const bagPicture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 88 68"><path fill="#d9cdb4" d="M0 0h88v68H0z"/><path fill="#0b5d51" d="M22 20h44v36H22z"/></svg>'

export const claimOffer: ClaimOffer = {
  answerBy: '2027-06-27',
  bags: [{ awb: '290012345671', kinds: ['late', 'lost', 'damaged', 'missing', 'wrong-branch', 'other'] }],
}

/** What owner and staff write. */
export const claimTexts = {
  ar: {
    text: 'استلمتها اليوم من فرع الياسمين، ووجدت إحدى العجلات مكسورة والجانب ممزقًا.',
    question: 'هل كان الجانب ممزقًا حين سلّمتها للوكيل؟',
    answer: 'لا، كانت سليمة.',
    refusal: 'راجعنا صور الوكيل عند الاستلام، وفيها التمزق نفسه.',
  },
  en: {
    text: 'I collected it today at the Yasmin branch: one of its wheels is broken, and a side is torn.',
    question: 'Was the side torn when you handed it over?',
    answer: 'No, it was whole.',
    refusal: 'The agent’s pictures of the hand-over show the same tear.',
  },
} as const

/** One that is late, one that is asked about, and each way of being closed that looks different. */
export function claimsIn(language: LanguageCode): readonly Claim[] {
  const { text, question, answer, refusal } = claimTexts[language]
  const openedAt = '2027-06-10T09:00:00.000Z'
  const you = (text: string) => ({ at: openedAt, from: 'you' as const, text })
  const us = (text: string) => ({ at: '2027-06-14T11:20:00.000Z', from: 'us' as const, text })
  const closed = { state: 'CLOSED', reopensUntil: '2027-07-14T11:20:00.000Z' } as const
  const claim = (claimId: number, change: Pick<Claim, 'kind' | 'state'> & Partial<Claim>): Claim => ({
    openedAt,
    answerBy: '2027-06-20',
    awb: '290012345671',
    claimId,
    number: `CL-${claimId}`,
    photos: [],
    messages: [you(text)],
    ...change,
  })
  return [
    claim(118, {
      kind: 'damaged',
      state: 'OPEN',
      isLate: true,
      messages: [you(text), us(question), you(answer)],
      photos: [1, 2],
    }),
    claim(117, {
      kind: 'missing',
      state: 'ANSWERED',
      messages: [you(text), { ...us(question), isQuestion: true }],
    }),
    claim(12, {
      ...closed,
      kind: 'late',
      photos: [1],
      messages: [you(text), us(refusal)],
      outcome: 'refused',
    }),
    claim(11, {
      ...closed,
      kind: 'damaged',
      outcome: 'compensated',
      compensation: { halalas: 4_000, reference: transferReference },
    }),
    claim(10, { ...closed, kind: 'other', outcome: 'withdrawn' }),
  ]
}

/** A draft as the booking page stores it for the tab. */
export function draftOf(
  choice: Partial<Record<'type' | 'fromCity' | 'toCity' | 'centerCode' | 'agentCode', string>>,
) {
  const draft = {
    type: 'FROM_MINA',
    fromCity: null,
    toCity: null,
    centerCode: null,
    agentCode: null,
    ...choice,
  }
  return JSON.stringify({ version: bookingVersion, step: 0, draft, history: [] })
}

/** Sessions of this phone, of another one, and of a client without a known User-Agent. */
export const sessions: readonly SessionView[] = [
  {
    id: '11111111-1111-4111-8111-111111111111',
    device: 'Samsung Internet · Android',
    createdAt: '2027-05-17T05:10:00.000Z',
    lastSeenAt: '2027-05-18T12:30:00.000Z',
    isCurrent: true,
  },
  {
    id: '22222222-2222-4222-8222-222222222222',
    device: 'Safari · iPhone',
    createdAt: '2027-05-16T18:45:00.000Z',
    lastSeenAt: '2027-05-18T09:02:00.000Z',
    isCurrent: false,
  },
  {
    id: '33333333-3333-4333-8333-333333333333',
    device: null,
    createdAt: '2027-05-12T08:00:00.000Z',
    lastSeenAt: '2027-05-13T21:15:00.000Z',
    isCurrent: false,
  },
]

/** The promises of an order. */
export const promises = {
  transitDays: { RUH: [2, 4] },
  handInUntil: '2027-06-20',
  storageDays: 7,
  lateAfterDays: 8,
  lostSar: 75,
} satisfies NonNullable<Order['promises']>

/** The bag of such an order that should have arrived on the day after the hand-over. */
export const lateOrder: Order = {
  ...orderIn('IN_TRANSIT'),
  promises: { ...promises, transitDays: { RUH: [1, 1] }, lateAfterDays: 1 },
}

/** A bag behind a shared link. */
export function sharedIn(state: OnTheWay): SharedBooking {
  const events = [{ ...taken, place: 'Mina' }, ...scans[state]]
  const lastEventAt = events.at(-1)?.at ?? null
  return { state, lastEventAt, events, origin: { city: 'Mina' }, destination: { city: 'Riyadh' } }
}

/** What an agent sees at the counter: name, phone, branch city, minutes since the order, last four digits. */
const waiting: readonly (readonly [string, string, string, number, string])[] = [
  ['محمود عبد السلام', '+201001234567', 'Madinah', 72, '5604'],
  ['Aisha Bello', '+2348031234567', 'Riyadh', 58, '5605'],
  ['خديجة بنت محمد الغامدي', '+966554120987', 'Jeddah', 48, '5607'],
  ['Siti Nurhaliza binti Ahmad', '+60123456789', 'Dammam', 37, '5602'],
  [longNameAr, '+966501112233', 'Riyadh', 26, '5600'],
  ['فاطمة الزهراء بنت علي', '+966505556677', 'Jeddah', 24, '5601'],
  ['Muhammad Yusuf Ibrahim', '+923001234567', 'Riyadh', 21, '5611'],
  ['سعيد بن ناصر عسيري', '+966533334444', 'Abha', 19, '5613'],
  ['نورة بنت سالم الدوسري', '+966544445555', 'Dammam', 15, '5614'],
  ['Budi Santoso', '+6281234567890', 'Riyadh', 11, '5616'],
  ['إبراهيم عثمان دياب', '+249912345678', 'Madinah', 6, '5619'],
  [longNameEn, '+966566667777', 'Jeddah', 4, '5620'],
  [longWord, '+2348031234599', 'Tabuk', 2, '5621'],
]

export function counterOrders(now: number): readonly Order[] {
  return waiting.map(([name, phone, city, minutes, last], index) => {
    const branch = centers.find((each) => each.city === city) ?? namedCenters[0]
    if (branch === undefined || agent === undefined) throw new Error('the fixtures are short')
    const order = orderAt(1038 + index, {
      transactionId: String(192_036_400 + index),
      creationDate: new Date(now - minutes * 60_000).toISOString(),
      user: { name, phone },
      bookings: [{ ...bagOf(index === 9 ? null : `22273513${last}`, agent, branch), receiver: name }],
    })
    return last === '5601' ? refunded(order) : order
  })
}

/** Names and words that people and machines typed: every language shows them as they are. */
export const typed: readonly string[] = [
  longNameAr,
  longNameEn,
  longWord,
  huda.name,
  'zzz',
  transferReference,
  ...waiting.map(([name]) => name),
  ...Object.values(orders).flatMap(({ user, status }) => [user?.name ?? '', status]),
  ...sessions.flatMap(({ device }) => device ?? []),
].filter((text) => text !== '')

import { describe, expect, it, vi } from 'vitest'
import { createOrders, type OrdersService } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { Unreachable } from '#server/platform/unreachable.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { manualClock, minute, noon, second } from '#test/kit/clock.ts'
import { openMemory } from '#test/kit/databases.ts'
import { silentLog } from '#test/kit/room-app.ts'
import {
  type AirwayBill,
  ShipmentDoubt,
  type ShipmentGateway,
  ShipmentRefusal,
  type ShipmentRequest,
} from './shipments.gateway.ts'
import { doubtMs, leaseMs } from './shipments.rules.ts'
import { createShipmentWorker } from './shipments.worker.ts'

const agent = {
  id: 'A01',
  name: 'وكيل',
  address: 'منى',
  city: 'Mina',
  phone: '+966500000101',
  coordinates: null,
}
const center = {
  code: '17',
  addressAR: 'حي السويدي',
  addressEN: 'Al Suwaidi',
  city: 'Riyadh',
  coordinates: null,
}
const pdf = new TextEncoder().encode('%PDF-1.4')

/** The partner: it writes down what it is asked, and each of its answers can be replaced. */
function partnerDouble() {
  const asked: string[] = []
  const requests: ShipmentRequest[] = []
  const made = new Map<string, string>()
  const make = (reference: string): AirwayBill => {
    const awb = String(231_200_000_001 + made.size)
    made.set(reference, awb)
    return { awb, pdf }
  }
  const answers = {
    create: async (reference: string): Promise<AirwayBill> => make(reference),
    find: async (reference: string): Promise<AirwayBill | undefined> => {
      const awb = made.get(reference)
      return awb === undefined ? undefined : { awb, pdf }
    },
    label: async (): Promise<Uint8Array | undefined> => pdf,
  }
  const gateway: ShipmentGateway = {
    create(request) {
      asked.push('create')
      requests.push(request)
      return answers.create(request.reference)
    },
    findByReference(reference) {
      asked.push('find')
      return answers.find(reference)
    },
    fetchLabel() {
      asked.push('label')
      return answers.label()
    },
  }
  return { gateway, asked, requests, answers, make }
}

async function openRoom() {
  const database = await openMemory()
  const clock = manualClock()
  const partner = partnerDouble()
  const sessions = createSessionsStore(database)
  const user = await sessions.ensureUser('+966512345678', 'علي', noon)
  const store = createOrdersStore(database)
  const service = createOrders({
    database,
    store,
    findUsers: async () => new Map([[user.id, user]]),
    holdUser: sessions.holdUser,
    clock,
  })
  let leases = 0
  const orders: OrdersService = {
    ...service,
    async leaseBooking(lease, forMs) {
      const booking = await service.leaseBooking(lease, forMs)
      if (booking) leases += 1
      return booking
    },
  }
  const metrics = createMetrics()
  const worker = createShipmentWorker({
    orders,
    gateway: partner.gateway,
    findUser: async (id) => (id === user.id ? user : undefined),
    clock,
    log: silentLog,
    metrics,
  })

  async function place(type: BookingType = 'FROM_MINA'): Promise<number> {
    const { orderId } = await orders.place(
      { userId: user.id, type, agent, center, amountHalalas: 5_000 },
      undefined,
    )
    return orderId
  }

  async function pay(type?: BookingType): Promise<number> {
    const orderId = await place(type)
    await orders.markPaid(orderId, `T${orderId}`)
    return orderId
  }

  const owner = { role: 'user', userId: user.id } as const
  return {
    clock,
    partner,
    orders,
    worker,
    metrics,
    place,
    pay,
    /** Does everything that is due at this moment, one after the other, and comes back when it is done. */
    async round() {
      let before: number
      do {
        before = leases
        worker.start()
        await worker.stop()
      } while (leases > before)
    },
    awbsOf: async (orderId: number) => (await orders.readFor(owner, orderId)).bookings.map(({ awb }) => awb),
    labelOf: async (awb: string) => orders.readLabel(owner, awb),
    /** Milliseconds until the booking is tried again. */
    async wait(orderId: number): Promise<number> {
      const [booking] = await store.findBookings([orderId])
      return (booking?.next_try_at ?? 0) - clock.now()
    },
    bookingOf: async (orderId: number) => (await store.findBookings([orderId]))[0],
  }
}

const doubtful = () => new Unreachable('POST /api/shipment/b2c/new', true)

describe('the first try', () => {
  it('makes the shipment of a paid booking and keeps its label', async () => {
    const { partner, round, pay, awbsOf, labelOf } = await openRoom()
    const orderId = await pay()
    await round()
    expect(partner.asked).toEqual(['create'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
    expect([...(await labelOf('231200000001'))]).toEqual([...pdf])
  })

  it('tells the partner everything it needs', async () => {
    const { partner, round, pay } = await openRoom()
    const orderId = await pay()
    await round()
    expect(partner.requests).toEqual([
      {
        reference: expect.stringMatching(/^AM-/),
        orderId,
        branchCode: '17',
        origin: expect.objectContaining({ city: 'Mina' }),
        destination: expect.objectContaining({ city: 'Riyadh' }),
        customer: { name: 'علي', phone: '+966512345678' },
        weightKg: 15,
        shipAt: noon,
      },
    ])
  })

  it('makes one shipment per leg, and sends only the way back to the branch', async () => {
    const { partner, round, pay, awbsOf } = await openRoom()
    const orderId = await pay('TO_AND_FROM_MINA')
    await round()
    expect(await awbsOf(orderId)).toHaveLength(2)
    const wishes = partner.requests.map(({ origin, branchCode }) => [origin.city, branchCode])
    expect(wishes).toEqual(
      expect.arrayContaining([
        ['Riyadh', undefined],
        ['Mina', '17'],
      ]),
    )
  })

  it('leaves alone what is not paid, and what is done', async () => {
    const { partner, clock, round, place, pay } = await openRoom()
    await place()
    await round()
    expect(partner.asked).toEqual([])
    await pay()
    await round()
    clock.advance(60 * minute)
    await round()
    expect(partner.asked).toEqual(['create'])
  })

  it('leaves alone what was given back before its turn', async () => {
    const { partner, orders, round, pay } = await openRoom()
    const orderId = await pay()
    await orders.markRefunded(orderId, `T${orderId}`)
    await round()
    expect(partner.asked).toEqual([])
  })

  it('works on twenty bookings at a time, and on each of them once', async () => {
    const { partner, worker, pay, awbsOf } = await openRoom()
    const orderIds: number[] = []
    for (let count = 0; count < 25; count += 1) orderIds.push(await pay())
    const gate = Promise.withResolvers<void>()
    const { create } = partner.answers
    partner.answers.create = async (reference) => {
      await gate.promise
      return create(reference)
    }
    worker.start()
    await vi.waitFor(() => expect(partner.asked).toHaveLength(20))
    await new Promise((resolve) => setImmediate(resolve))
    expect(partner.asked).toHaveLength(20)
    gate.resolve()
    await vi.waitFor(async () => {
      expect((await Promise.all(orderIds.map(awbsOf))).flat()).not.toContain(null)
    })
    await worker.stop()
    expect(new Set((await Promise.all(orderIds.map(awbsOf))).flat()).size).toBe(25)
    expect(partner.asked).toHaveLength(25)
  })
})

describe('a try after a doubtful one', () => {
  it.each<[string, () => Error]>([
    ['the answer was lost', doubtful],
    ['the answer said nothing', () => new ShipmentDoubt('create', 500)],
  ])('finds the shipment that was made although %s', async (_, error) => {
    const { partner, clock, round, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    partner.answers.create = async (reference) => {
      partner.make(reference)
      throw error()
    }
    await round()
    expect(await awbsOf(orderId)).toEqual([null])
    clock.advance(3 * second)
    await round()
    expect(partner.asked).toEqual(['create', 'find'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('makes the shipment when the partner knows of none', async () => {
    const { partner, clock, round, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    const { create } = partner.answers
    partner.answers.create = async () => {
      throw doubtful()
    }
    await round()
    partner.answers.create = create
    clock.advance(10 * minute)
    await round()
    expect(partner.asked).toEqual(['create', 'find', 'create'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('makes nothing while the partner cannot be asked whether it made something', async () => {
    const { partner, clock, round, pay } = await openRoom()
    await pay()
    const { find } = partner.answers
    partner.answers.create = async (reference) => {
      partner.make(reference)
      throw doubtful()
    }
    partner.answers.find = async () => {
      throw new ShipmentDoubt('track', 500)
    }
    await round()
    for (let count = 0; count < 4; count += 1) {
      clock.advance(10 * minute)
      await round()
    }
    expect(partner.asked).toEqual(['create', 'find', 'find', 'find', 'find'])
    partner.answers.find = find
    clock.advance(10 * minute)
    await round()
    expect(partner.asked.filter((what) => what === 'create')).toHaveLength(1)
  })

  it('looks first also where the process that asked has died', async () => {
    const { partner, clock, orders, round, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    const dead = await orders.leaseBooking('dead', leaseMs)
    await orders.noteDoubt(dead?.id ?? 0, 'dead', clock.now() + doubtMs)
    partner.make(dead?.reference ?? '')
    await round()
    expect(partner.asked).toEqual([])
    clock.advance(leaseMs)
    await round()
    expect(partner.asked).toEqual(['find'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('asks at once where the process that held the lease died before it asked', async () => {
    const { partner, orders, round, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    await orders.leaseBooking('dead', leaseMs)
    expect(await orders.freeLeases()).toBe(1)
    await round()
    expect(partner.asked).toEqual(['create'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('makes nothing while a partner that did not answer may still be at it', async () => {
    const { partner, clock, orders, round, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    const dead = await orders.leaseBooking('dead', leaseMs)
    await orders.noteDoubt(dead?.id ?? 0, 'dead', clock.now() + doubtMs)
    await orders.freeLeases()
    await round()
    expect(partner.asked).toEqual(['find'])
    partner.make(dead?.reference ?? '')
    clock.advance(doubtMs)
    await round()
    expect(partner.asked).toEqual(['find', 'find'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it.each([
    [500, 'asks at once'],
    [503, 'asks at once'],
    [502, 'gives it time'],
    [504, 'gives it time'],
  ])('after a %i that left nothing behind %s', async (status, then) => {
    const { partner, clock, round, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    const { create } = partner.answers
    partner.answers.create = async () => {
      throw new ShipmentDoubt('create', status)
    }
    await round()
    partner.answers.create = create
    clock.advance(3 * second)
    await round()
    // What answers in the partner's place does not know whether the partner is still at it.
    expect(partner.asked).toEqual(then === 'asks at once' ? ['create', 'find', 'create'] : ['create', 'find'])
    clock.advance(doubtMs)
    await round()
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('looks often while in doubt, and does not wait the longer for it afterwards', async () => {
    const { partner, clock, round, pay, wait } = await openRoom()
    const orderId = await pay()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    partner.answers.create = async () => {
      throw doubtful()
    }
    await round()
    for (let passed = 0; passed < doubtMs - second; passed += second) {
      clock.advance(second)
      await round()
    }
    const looks = partner.asked.filter((what) => what === 'find').length
    expect(looks).toBeGreaterThan(4)
    expect(partner.asked).toHaveLength(1 + looks)

    partner.answers.create = async () => {
      throw new ShipmentRefusal(400, ['ConsigneeAddress.City'])
    }
    clock.advance(second)
    await round()
    expect(partner.asked.filter((what) => what === 'create')).toHaveLength(2)
    expect(await wait(orderId)).toBe(4 * second)
  })

  it('writes no doubt, and does not ask, where the lease was lost', async () => {
    const { orders, pay } = await openRoom()
    await pay()
    const leased = await orders.leaseBooking('ours', leaseMs)
    expect(await orders.noteDoubt(leased?.id ?? 0, 'theirs', 1)).toBe(false)
    await orders.freeLeases()
    expect(await orders.leaseBooking('again', leaseMs)).toMatchObject({ inDoubtUntil: 0 })
  })
})

describe('a label that is missing', () => {
  it('is fetched by the number that is known, and the number is shown at once', async () => {
    const { partner, clock, round, pay, awbsOf, labelOf } = await openRoom()
    const orderId = await pay()
    partner.answers.create = async (reference) => ({ ...partner.make(reference), pdf: undefined })
    partner.answers.label = async () => undefined
    await round()
    expect(partner.asked).toEqual(['create', 'label'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
    await expect(labelOf('231200000001')).rejects.toMatchObject({ code: 'LABEL_NOT_READY' })

    partner.answers.label = async () => pdf
    clock.advance(3 * second)
    await round()
    expect(partner.asked).toEqual(['create', 'label', 'label'])
    expect([...(await labelOf('231200000001'))]).toEqual([...pdf])
  })

  it('never costs a second shipment', async () => {
    const { partner, clock, round, pay } = await openRoom()
    await pay()
    partner.answers.create = async (reference) => ({ ...partner.make(reference), pdf: undefined })
    partner.answers.label = async () => {
      throw new Unreachable('GET /api/shipment/b2c/query', true)
    }
    for (let count = 0; count < 5; count += 1) {
      await round()
      clock.advance(10 * minute)
    }
    expect(partner.asked).toEqual(['create', 'label', 'label', 'label', 'label', 'label'])
  })
})

describe('a worker that has lost its lease', () => {
  it('does not write its number over the one that another worker found', async () => {
    const { partner, clock, orders, round, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    partner.answers.create = async (reference) => {
      const bill = partner.make(reference)
      // The process stood still for longer than its lease; meanwhile another one found what it had made.
      clock.advance(leaseMs)
      const taken = await orders.leaseBooking('other', leaseMs)
      await orders.recordAwb(taken?.id ?? 0, 'other', bill.awb)
      return { awb: '999999999999', pdf }
    }
    await round()
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })
})

describe('a refusal', () => {
  it('is tried again after ever longer waits', async () => {
    const { partner, clock, round, pay, wait } = await openRoom()
    const orderId = await pay()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    partner.answers.create = async () => {
      throw new ShipmentRefusal(400, ['ConsigneeAddress.City'])
    }
    const waits: number[] = []
    for (let count = 0; count < 9; count += 1) {
      await round()
      waits.push((await wait(orderId)) / second)
      clock.advance(await wait(orderId))
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300])
  })

  it('does not hold up other bookings', async () => {
    const { partner, clock, round, pay, awbsOf } = await openRoom()
    const refused = await pay()
    const { create } = partner.answers
    partner.answers.create = async () => {
      throw new ShipmentRefusal(400, ['OrderNumber'])
    }
    await round()
    partner.answers.create = create
    const served = await pay()
    await round()
    expect(await awbsOf(refused)).toEqual([null])
    expect(await awbsOf(served)).toEqual(['231200000001'])
    clock.advance(3 * second)
    await round()
    expect(await awbsOf(refused)).toEqual(['231200000002'])
  })

  it('is counted, and the oldest booking that waits can be seen', async () => {
    const { partner, clock, metrics, round, pay } = await openRoom()
    await pay()
    partner.answers.create = async () => {
      throw new ShipmentRefusal(401, ['apikey'])
    }
    await round()
    clock.advance(90 * second)
    const text = await metrics.registry.metrics()
    expect(text).toMatch(/^shipment_tries_total\{outcome="refused"\} 1$/m)
    expect(text).toMatch(/^oldest_paid_booking_without_awb_seconds 90$/m)
  })
})

describe('stopping', () => {
  it('waits for the shipment that is being made, and keeps its number', async () => {
    const { partner, worker, pay, awbsOf } = await openRoom()
    const orderId = await pay()
    const gate = Promise.withResolvers<void>()
    partner.answers.create = async (reference) => {
      await gate.promise
      return partner.make(reference)
    }
    worker.start()
    await vi.waitFor(() => expect(partner.asked).toEqual(['create']))
    let isStopped = false
    const stopping = worker.stop().then(() => {
      isStopped = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isStopped).toBe(false)
    gate.resolve()
    await stopping
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })
})

describe('a booking whose release fails', () => {
  it('comes back when its lease runs out', async () => {
    const { partner, clock, orders, round, pay, awbsOf, bookingOf } = await openRoom()
    const orderId = await pay()
    const { create } = partner.answers
    const { releaseBooking } = orders
    partner.answers.create = async () => {
      throw doubtful()
    }
    Object.assign(orders, {
      releaseBooking: async () => {
        throw new Error('the database went away')
      },
    })
    await round()
    expect(await bookingOf(orderId)).toMatchObject({ lease_until: noon + leaseMs })
    Object.assign(orders, { releaseBooking })
    partner.answers.create = create
    clock.advance(leaseMs)
    await round()
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })
})

import pino from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { readLabel, readOrderFor } from '#server/features/order-views/order-views.ts'
import { findBookings, permitCreation } from '#server/features/orders/bookings.queries.ts'
import { beginCreation, leaseBooking } from '#server/features/orders/bookings.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { gatewayLimits } from '#server/platform/gateway-limits.ts'
import { type Random, systemRandom } from '#server/platform/random.ts'
import { OutcomeUnknownError, UnreachableError } from '#server/platform/unreachable.ts'
import type { BookingType } from '#shared/orders/orders.schemas.ts'
import { manualClock, minute, noon, second } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { addOrder, addPaidOrder } from '#test/kit/orders/core-orders.ts'
import {
  type AirwayBill,
  type ShipmentProvider,
  ShipmentRefusal,
  type ShipmentRequest,
} from './shipments.provider.ts'
import { leaseMs, unansweredMs } from './shipments.rules.ts'

const pdf = new TextEncoder().encode('%PDF-1.4')

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
  const provider: ShipmentProvider = {
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
  const { create } = answers
  return {
    provider,
    asked,
    requests,
    answers,
    make,
    created: () => asked.filter((what) => what === 'create').length,
    /** Every creation fails, without effect, until `works`. */
    fails(error: () => Error) {
      answers.create = async () => {
        throw error()
      }
    },
    /** Every creation makes a shipment and then fails. */
    losesAnswers(error: () => Error) {
      answers.create = async (reference) => {
        make(reference)
        throw error()
      }
    },
    works() {
      answers.create = create
    },
  }
}

const quietMs = gatewayLimits.shipmentQuietMs

async function openFixture(random: Random = systemRandom) {
  const clock = manualClock()
  const database = await openMemory(clock)
  const partner = partnerDouble()
  const user = await ensureUser({ database }, '+966512345678', 'علي', noon)
  const errors: { event: string }[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(JSON.parse(line)) })
  const providers = { shipments: partner.provider }
  const core = await openCore({ database, clock }, { providers, log, random })
  const worker = core.workers.get('shipments')
  if (!worker) throw new Error('the work of shipments is not registered')

  async function round(): Promise<void> {
    let before: number
    do {
      before = partner.asked.length
      worker?.start()
      await worker?.stop()
    } while (partner.asked.length > before)
  }

  const owner = { role: 'user', userId: user.id } as const
  return {
    clock,
    partner,
    core,
    worker,
    database,
    errors,
    createOrder: () => addOrder(core, user.id),
    pay: (type?: BookingType) => addPaidOrder(core, user.id, type && { type }),
    rename: (name: string) =>
      database.tables.updateTable('users').set({ name }).where('id', '=', user.id).execute(),
    /** The next look-up finds no shipment; `what` happens before the creation that follows. */
    happenInLookUp(what: () => unknown): void {
      const { find } = partner.answers
      partner.answers.find = async () => {
        partner.answers.find = find
        await what()
        return undefined
      }
    },
    round,
    /** Advances seconds, with a round before each. */
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds; passed += 1) {
        await round()
        clock.advance(second)
      }
    },
    readMetrics: () => core.metrics.registry.metrics(),
    awbsOf: async (orderId: number) =>
      (await readOrderFor(core, owner, orderId)).bookings.map(({ awb }) => awb),
    receiverOf: async (orderId: number) => (await readOrderFor(core, owner, orderId)).bookings[0]?.receiver,
    labelOf: (awb: string) => readLabel(core, owner, awb),
    /** Milliseconds until the next try of the booking. */
    async wait(orderId: number): Promise<number> {
      const [booking] = await findBookings({ database }, [orderId])
      return (booking?.due_at ?? 0) - clock.now()
    },
    bookingOf: async (orderId: number) => (await findBookings({ database }, [orderId]))[0],
  }
}

const outcomeUnknown = () => new OutcomeUnknownError('POST /api/shipment/b2c/new')
const answered = (status: number) => new OutcomeUnknownError('create', { status })
const failed = () => answered(500)

describe('the first try', () => {
  it('creates the shipment of a paid booking and stores its label', async () => {
    const { partner, round, pay, awbsOf, labelOf } = await openFixture()
    const orderId = await pay()
    await round()
    expect(partner.asked).toEqual(['create'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
    expect([...(await labelOf('231200000001'))]).toEqual([...pdf])
  })

  it('sends the partner everything it needs', async () => {
    const { partner, round, pay } = await openFixture()
    const orderId = await pay()
    await round()
    expect(partner.requests).toEqual([
      {
        reference: expect.stringMatching(/^AM-/),
        orderId,
        branchCode: '1',
        origin: expect.objectContaining({ city: 'Mina' }),
        destination: expect.objectContaining({ city: 'Riyadh' }),
        consignee: { name: 'علي', phone: '+966512345678', secondPhone: null },
        ownerPhone: '+966512345678',
        weightKg: 15,
        shipAt: noon,
      },
    ])
  })

  it('creates one shipment per leg, of which only the return leg goes to the branch', async () => {
    const { partner, round, pay, awbsOf } = await openFixture()
    const orderId = await pay('TO_AND_FROM_MINA')
    await round()
    expect(await awbsOf(orderId)).toHaveLength(2)
    const sent = partner.requests.map(({ origin, branchCode }) => [origin.city, branchCode])
    expect(sent).toEqual(
      expect.arrayContaining([
        ['Riyadh', undefined],
        ['Mina', '1'],
      ]),
    )
  })

  it('works on twenty bookings at a time, and on each once', async () => {
    const { partner, worker, pay, awbsOf } = await openFixture()
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

describe('a try after an unknown outcome', () => {
  it.each<[string, () => Error]>([
    ['the answer was lost', outcomeUnknown],
    ['the answer was a 500', failed],
  ])('finds the shipment that was created although %s', async (_, error) => {
    const { partner, clock, round, pay, awbsOf } = await openFixture()
    const orderId = await pay()
    partner.losesAnswers(error)
    await round()
    expect(await awbsOf(orderId)).toEqual([null])
    clock.advance(3 * second)
    await round()
    expect(partner.asked).toEqual(['create', 'find'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('creates nothing while the look-up fails', async () => {
    const { partner, clock, round, pay } = await openFixture()
    await pay()
    const { find } = partner.answers
    partner.losesAnswers(outcomeUnknown)
    partner.answers.find = async () => {
      throw new OutcomeUnknownError('track', { status: 500 })
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
    expect(partner.created()).toBe(1)
  })

  it('looks up first when the process that asked has died', async () => {
    const { partner, clock, core, round, pay, awbsOf } = await openFixture()
    const orderId = await pay()
    const dead = await leaseBooking(core, 'dead', leaseMs)
    await beginCreation(core, dead?.id ?? 0, 'dead', unansweredMs(quietMs), 'N')
    partner.make(dead?.reference ?? '')
    await round()
    expect(partner.asked).toEqual([])
    clock.advance(leaseMs)
    await round()
    expect(partner.asked).toEqual(['find'])
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('counts its uncertainty from the request on, also when the machine was suspended before it', async () => {
    const { partner, clock, round, pay, bookingOf, happenInLookUp } = await openFixture()
    const orderId = await pay()
    partner.fails(outcomeUnknown)
    await round()
    clock.advance(10 * minute)
    happenInLookUp(() => clock.set(40 * second))
    await round()
    expect(partner.asked).toEqual(['create', 'find', 'create'])
    expect((await bookingOf(orderId))?.uncertain_until).toBe(clock.now() + unansweredMs(quietMs))
  })

  it('does not begin under a lease that has run out', async () => {
    const { partner, clock, worker, round, pay, happenInLookUp } = await openFixture()
    await pay()
    partner.fails(outcomeUnknown)
    await round()
    partner.works()
    clock.advance(10 * minute)
    happenInLookUp(() => clock.set(leaseMs))
    worker.start()
    await worker.stop()
    expect(partner.asked).toEqual(['create', 'find'])
    worker.start()
    await worker.stop()
    expect(partner.asked).toEqual(['create', 'find', 'find', 'create'])
  })

  it('creates nothing more when the clock is set forward during a creation', async () => {
    const { partner, clock, worker, pay, pass } = await openFixture()
    await pay()
    const answer = Promise.withResolvers<AirwayBill>()
    partner.answers.create = () => answer.promise
    worker.start()
    await vi.waitFor(() => expect(partner.asked).toEqual(['create']))
    clock.set(2 * minute)
    await pay()
    worker.wake()
    // The second booking: the first one, due earlier, would be looked up.
    await vi.waitFor(() => expect(partner.asked.slice(1)).toEqual(['create']))
    clock.advance(30 * second)
    answer.reject(outcomeUnknown())
    await worker.stop()
    await pass(60)
    expect(partner.created()).toBe(2)
    partner.works()
    await pass(10)
    expect(partner.created()).toBe(4)
  })

  /** When the partner receives its next `count` requests, in seconds from now. */
  async function momentsOf(
    { partner, clock, round }: Pick<Awaited<ReturnType<typeof openFixture>>, 'partner' | 'clock' | 'round'>,
    count: number,
  ): Promise<[string, number][]> {
    const startedAt = clock.now()
    const moments: [string, number][] = []
    while (moments.length < count) {
      const before = partner.asked.length
      await round()
      for (const what of partner.asked.slice(before)) moments.push([what, (clock.now() - startedAt) / second])
      clock.advance(second)
    }
    return moments
  }

  it.each<[string, () => Error]>([
    ['a 500', failed],
    ['a 503', () => answered(503)],
    ['a 200 that cannot be read', () => answered(200)],
  ])('looks up 2, 5, 10, 20, 40 and 60 seconds after %s, and creates again only then', async (_, error) => {
    const fixture = await openFixture()
    await fixture.pay()
    fixture.partner.fails(error)
    expect(await momentsOf(fixture, 8)).toEqual([
      ['create', 0],
      ['find', 2],
      ['find', 5],
      ['find', 10],
      ['find', 20],
      ['find', 40],
      ['find', 60],
      ['create', 60],
    ])
  })

  it.each<[string, () => Error]>([
    ['a time-out', outcomeUnknown],
    ['a 502', () => answered(502)],
    ['a 504', () => answered(504)],
  ])('waits 30 seconds more for a partner that may still be working after %s', async (_, error) => {
    const fixture = await openFixture()
    await fixture.pay()
    fixture.partner.fails(error)
    const lookUps = [2, 5, 10, 20, 32, 35, 40, 50, 70, 90].map((at) => ['find', at])
    expect(await momentsOf(fixture, 12)).toEqual([['create', 0], ...lookUps, ['create', 90]])
  })

  it('creates one shipment after a failure whose look-up lags, and stores its number', async () => {
    const { partner, clock, pay, awbsOf, pass } = await openFixture()
    const orderId = await pay()
    const { find } = partner.answers
    partner.losesAnswers(failed)
    const madeAt = clock.now()
    partner.answers.find = async (reference) =>
      clock.now() - madeAt >= 40 * second ? find(reference) : undefined
    await pass(120)
    expect(partner.created()).toBe(1)
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('does not treat a look-up sent before the end of the window as conclusive', async () => {
    const { partner, clock, round, pay } = await openFixture()
    await pay()
    partner.fails(failed)
    await round()
    clock.advance(59 * second)
    const answered: number[] = []
    partner.answers.find = async () => {
      clock.advance(5 * second)
      answered.push(clock.now() - noon)
      return undefined
    }
    await round()
    expect(partner.asked).toEqual(['create', 'find', 'find', 'create'])
    expect(answered).toEqual([64 * second, 69 * second])
  })

  it('does not lengthen the delay by look-ups', async () => {
    const { partner, round, pay, wait, pass } = await openFixture({ ...systemRandom, below: () => 0 })
    const orderId = await pay()
    partner.fails(failed)
    await pass(60)
    partner.fails(() => new ShipmentRefusal(400, ['ConsigneeAddress.City']))
    await round()
    expect(partner.created()).toBe(2)
    expect(await wait(orderId)).toBe(4 * second)
  })
})

describe('a booking whose creations are used up', () => {
  async function openStopped() {
    const fixture = await openFixture()
    const orderId = await fixture.pay()
    fixture.partner.fails(failed)
    await fixture.pass(180)
    return { ...fixture, orderId }
  }
  const stopsIn = (errors: readonly { event: string }[]) =>
    errors.filter(({ event }) => event === 'shipments.needs-person')

  it('stops after two, is logged once, and is looked up every ten minutes', async () => {
    const { partner, clock, readMetrics, errors, round, orderId, bookingOf, wait } = await openStopped()
    expect(partner.created()).toBe(2)
    expect(await readMetrics()).toMatch(/^amtiati_bookings_needing_person 1$/m)
    const before = partner.asked.length
    for (let count = 0; count < 3; count += 1) {
      clock.advance(await wait(orderId))
      await round()
      expect(await wait(orderId)).toBe(10 * minute)
    }
    expect(partner.asked.slice(before)).toEqual(['find', 'find', 'find'])
    expect(stopsIn(errors)).toEqual([expect.objectContaining({ orderId })])
    expect(await bookingOf(orderId)).toMatchObject({ creations: 2, last_error: 'create' })
  })

  it('continues when a look-up finds the shipment', async () => {
    const { partner, clock, readMetrics, round, orderId, awbsOf, bookingOf } = await openStopped()
    partner.make((await bookingOf(orderId))?.reference ?? '')
    clock.advance(10 * minute)
    await round()
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
    expect(partner.created()).toBe(2)
    expect(await readMetrics()).toMatch(/^amtiati_bookings_needing_person 0$/m)
  })

  it('is looked up and created once more when an operator permits it, and then stops again', async () => {
    const { partner, clock, database, errors, round, orderId } = await openStopped()
    const operator = { kind: 'operator', name: 'Sara' } as const
    const before = partner.asked.length
    await database.transaction(() => permitCreation({ database }, orderId, { by: operator }))
    await round()
    expect(partner.asked.slice(before)).toEqual(['find', 'create'])
    for (let passed = 0; passed < 120; passed += 1) {
      clock.advance(second)
      await round()
    }
    expect(partner.created()).toBe(3)
    expect(stopsIn(errors)).toHaveLength(2)
    // The reason is always the same.
    const labels = (await listEvents({ database }, 'order_id', [orderId])).slice(1)
    expect(labels.map(({ kind, by }) => `${kind} ${by.kind}`)).toEqual([
      'label-requested system',
      'label-refused courier',
      'label-requested system',
      'label-escalated system',
      'label-permitted operator',
      'label-requested system',
      'label-escalated system',
    ])
  })

  it('is recorded as asked for again after a new reason, and not at each try', async () => {
    const { partner, clock, database, round, pay } = await openFixture()
    const orderId = await pay()
    partner.answers.create = () =>
      Promise.reject(new ShipmentRefusal(partner.asked.length > 3 ? 422 : 400, []))
    for (let tries = 0; tries < 6; tries += 1) {
      await round()
      clock.advance(10 * minute)
    }
    expect(partner.asked).toHaveLength(6)
    const labels = (await listEvents({ database }, 'order_id', [orderId])).slice(1)
    expect(labels.map(({ kind }) => kind)).toEqual([
      'label-requested',
      'label-refused',
      'label-requested',
      'label-refused',
      'label-requested',
    ])
  })

  it('is not stopped by refusals or an unreachable partner', async () => {
    const { partner, clock, round, pay, awbsOf, bookingOf } = await openFixture()
    const orderId = await pay()
    let count = 0
    partner.answers.create = async () => {
      count += 1
      throw count % 2 ? new ShipmentRefusal(400, []) : new UnreachableError('POST')
    }
    for (let tries = 0; tries < 6; tries += 1) {
      await round()
      clock.advance(10 * minute)
    }
    expect(partner.asked).toEqual(Array.from({ length: 6 }, () => 'create'))
    expect(await bookingOf(orderId)).toMatchObject({ creations: 0, stopped_at: null, receiver: null })
    partner.works()
    await round()
    expect(await awbsOf(orderId)).toEqual(['231200000001'])
  })

  it('is looked up, then created, after a refusal that followed an unknown outcome', async () => {
    const { partner, pay, pass } = await openFixture()
    await pay()
    const answers = [answered(500), new ShipmentRefusal(400, ['ConsigneeAddress.City']), answered(500)]
    partner.fails(() => answers.shift() ?? new Error('asked too often'))
    await pass(300)
    expect(answers).toEqual([])
    expect(partner.created()).toBe(3)
  })
})

describe('the receiver’s name, as it was typed,', () => {
  it('is the same on every creation of a booking', async () => {
    const { partner, clock, round, pay, rename, bookingOf } = await openFixture()
    const orderId = await pay()
    partner.fails(failed)
    await round()
    await rename('عبد الرحمن العتيبي')
    partner.works()
    clock.advance(minute)
    await round()
    expect(partner.requests.map(({ consignee }) => consignee.name)).toEqual(['علي', 'علي'])
    expect((await bookingOf(orderId))?.receiver).toBe('علي')
  })
})

describe('a missing label', () => {
  it('is fetched by the known number, which is shown at once', async () => {
    const { partner, clock, round, pay, awbsOf, labelOf } = await openFixture()
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

  it('never causes a second shipment', async () => {
    const { partner, clock, round, pay } = await openFixture()
    await pay()
    partner.answers.create = async (reference) => ({ ...partner.make(reference), pdf: undefined })
    partner.answers.label = async () => {
      throw new OutcomeUnknownError('GET /api/shipment/b2c/query')
    }
    for (let count = 0; count < 5; count += 1) {
      await round()
      clock.advance(10 * minute)
    }
    expect(partner.asked).toEqual(['create', 'label', 'label', 'label', 'label', 'label'])
  })
})

describe('a refusal', () => {
  it('is counted, and the age of the oldest waiting booking is a metric', async () => {
    const { partner, clock, readMetrics, round, pay } = await openFixture()
    await pay()
    partner.fails(() => new ShipmentRefusal(401, ['apikey']))
    await round()
    clock.advance(90 * second)
    const text = await readMetrics()
    expect(text).toMatch(/^amtiati_shipment_tries_total\{outcome="refused"\} 1$/m)
    expect(text).toContain('amtiati_queue_length{queue="shipments"} 1\n')
    expect(text).toContain('amtiati_queue_oldest_age_seconds{queue="shipments"} 90\n')
  })

  it('leaves a queue of its own when the courier sends no label: a metric, with its reason', async () => {
    const { partner, clock, readMetrics, round, pay, bookingOf } = await openFixture()
    const orderId = await pay()
    partner.answers.create = async (reference) => ({ ...partner.make(reference), pdf: undefined })
    partner.answers.label = async () => undefined
    await round()
    clock.advance(90 * second)
    const text = await readMetrics()
    expect(text).toContain('amtiati_queue_length{queue="shipments"} 0\n')
    expect(text).toContain('amtiati_queue_oldest_age_seconds{queue="labels"} 90\n')
    expect(await bookingOf(orderId)).toMatchObject({ last_error: 'the answer holds no PDF' })
  })
})

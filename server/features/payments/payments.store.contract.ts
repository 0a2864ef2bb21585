import { beforeEach, describe, expect, it } from 'vitest'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import { inquiryDueAt, openVerdicts } from './payments.rules.ts'
import { type AttemptRow, createPaymentsStore, type EventRow, type PaymentsStore } from './payments.store.ts'

const noon = 1_800_000_000_000
const second = 1_000

const minute = 60 * second

/** Laws of the payments store. */
export function paymentsStoreLaws(engine: Engine, open: OpenDatabase): void {
  let store: PaymentsStore
  let database: Database
  let addOrder: () => Promise<number>
  let orderId: number
  let references = 0

  beforeEach(async () => {
    database = await open()
    store = createPaymentsStore(database)
    const orders = createOrdersStore(database)
    const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)
    references = 0
    addOrder = () =>
      orders.addOrder(
        {
          userId,
          type: 'FROM_MINA',
          amountHalalas: 5_000,
          currency: 'SAR',
          agentCode: 'A01',
          centerCode: '1',
          createdAt: noon,
        },
        [{ leg: 0, reference: `AM-${crypto.randomUUID()}`, origin: '{}', destination: '{}' }],
      )
    orderId = await addOrder()
  })

  function wish(change: Partial<AttemptRow> = {}) {
    references += 1
    return {
      order_id: orderId,
      reference: `OD${orderId}-${references}`,
      amount_halalas: 5_000,
      currency: 'SAR',
      created_at: noon,
      ...change,
    }
  }

  async function start(change: Partial<AttemptRow> = {}): Promise<AttemptRow> {
    const attempt = await store.startAttempt(wish(change))
    if (!attempt) throw new Error('the attempt is not started')
    return attempt
  }

  const intention = (providerOrderId: number) => ({
    intentionId: `pi_test_${providerOrderId}`,
    providerOrderId,
    clientSecret: `sau_csk_test_${providerOrderId}`,
    secretUntil: noon + 3_000 * second,
  })

  async function opened(providerOrderId: number): Promise<AttemptRow> {
    const attempt = await start()
    await store.openAttempt(attempt.id, intention(providerOrderId))
    return attempt
  }

  const event = (change: Partial<EventRow> = {}): Omit<EventRow, 'id'> => ({
    transaction_id: '9000001',
    kind: 'succeeded',
    attempt_id: null,
    source: 'callback',
    outcome: 'applied',
    amount_halalas: 5_000,
    currency: 'SAR',
    body: '{"owner":"عبد الله"}',
    received_at: noon,
    ...change,
  })

  describe('keeps and finds', () => {
    it('an attempt before the provider knows of it', async () => {
      const attempt = await start()
      expect(attempt).toEqual({
        ...wish({ reference: attempt.reference }),
        id: expect.any(Number),
        state: 'creating',
        intention_id: null,
        provider_order_id: null,
        client_secret: null,
        secret_until: 0,
        inquired_at: 0,
        next_inquiry_at: inquiryDueAt(noon, 0),
        inquiry_step: 0,
      })
      expect(await store.findLiveAttempt(orderId)).toEqual(attempt)
      expect(await store.findByReference(attempt.reference)).toEqual(attempt)
    })

    it('what the provider answered, by its own order number too', async () => {
      const attempt = await start()
      expect(await store.openAttempt(attempt.id, intention(7_000_001))).toBe(true)
      expect(await store.findByProviderOrder(7_000_001)).toEqual({
        ...attempt,
        state: 'open',
        intention_id: 'pi_test_7000001',
        provider_order_id: 7_000_001,
        client_secret: 'sau_csk_test_7000001',
        secret_until: noon + 3_000 * second,
      })
    })

    it('an event to the letter', async () => {
      const attempt = await opened(7_000_001)
      const kept = event({ attempt_id: attempt.id })
      expect(await store.addEvent(kept)).toBe(true)
      expect(await store.listEvents('9000001')).toEqual([{ ...kept, id: expect.any(Number) }])
    })
  })

  const refund = async (transactionId = '9000001') => ({
    transaction_id: transactionId,
    attempt_id: (await store.findLiveAttempt(orderId))?.id ?? (await start()).id,
    amount_halalas: 5_000,
    reason: 'second-payment' as const,
  })

  describe('keeps and finds money that must go back', () => {
    it('to the halala, due at once', async () => {
      const wanted = await refund()
      await store.addRefund(wanted, noon)
      expect(await store.claimDueRefund(noon, noon + minute)).toEqual({
        ...wanted,
        id: expect.any(Number),
        state: 'due',
        tries: 1,
        next_try_at: noon + minute,
        created_at: noon,
        done_at: null,
      })
    })

    it('counted by how far it is', async () => {
      expect(await store.countRefunds()).toEqual([])
      await store.addRefund(await refund('1'), noon)
      await store.addRefund(await refund('2'), noon)
      await store.finishRefund('2', noon)
      const counts = (await store.countRefunds()).map(({ state, count }) => [state, Number(count)])
      expect(Object.fromEntries(counts)).toEqual({ due: 1, done: 1 })
    })
  })

  describe('the money of orders whose owner leaves', () => {
    it('is settled where nothing was paid: a success that comes later goes back by itself', async () => {
      expect(await store.hasUnsettled([])).toBe(false)
      expect(await store.hasUnsettled([orderId])).toBe(false)
      await opened(7_000_001)
      expect(await store.hasUnsettled([orderId])).toBe(false)
    })

    it('has to go back until a refund is done', async () => {
      const { id } = await start()
      await store.moveAttempt(id, ['creating'], 'succeeded')
      await store.addRefund(
        { transaction_id: 'T2', attempt_id: id, amount_halalas: 5_000, reason: 'second-payment' },
        noon,
      )
      expect(await store.hasUnsettled([await addOrder(), orderId])).toBe(true)
      await store.finishRefund('T2', noon)
      expect(await store.hasUnsettled([orderId])).toBe(false)
    })

    it.each(['amount-mismatch', 'reference-mismatch'] as const)(
      'has to go back while a payment is put aside for %s, until it did',
      async (outcome) => {
        const { id } = await start()
        await store.moveAttempt(id, ['creating'], 'superseded')
        await store.addEvent(event({ attempt_id: id, outcome }))
        expect(await store.hasUnsettled([orderId])).toBe(true)
        await store.addEvent(event({ attempt_id: id, kind: 'refunded', outcome: 'partial-refund' }))
        expect(await store.hasUnsettled([orderId])).toBe(true)
        await store.addEvent(event({ attempt_id: id, kind: 'refunded', outcome: 'noted' }))
        expect(await store.hasUnsettled([orderId])).toBe(false)
      },
    )

    it('is told whole, oldest first, and without that of others', async () => {
      const first = await opened(7_000_001)
      await store.moveAttempt(first.id, ['open'], 'superseded')
      const second = await opened(7_000_002)
      const another = await addOrder()
      await store.addEvent(event({ attempt_id: second.id }))
      await store.addEvent(event({ transaction_id: '9000002', attempt_id: null }))
      await store.addRefund(
        { transaction_id: 'T2', attempt_id: first.id, amount_halalas: 5_000, reason: 'owner-deleted' },
        noon,
      )
      const { attempts, events, refunds } = await store.listOfOrders([orderId, another])
      expect(attempts.map(({ id }) => id)).toEqual([first.id, second.id])
      expect(events.map(({ transaction_id }) => transaction_id)).toEqual(['9000001'])
      expect(refunds).toMatchObject([{ transaction_id: 'T2', reason: 'owner-deleted', state: 'due' }])
      const nothing = { attempts: [], events: [], refunds: [] }
      expect(await store.listOfOrders([another])).toEqual(nothing)
      expect(await store.listOfOrders([])).toEqual(nothing)
    })

    it('loses its secrets and keeps its record', async () => {
      const { reference } = await opened(7_000_001)
      await store.dropSecrets([])
      expect((await store.findByReference(reference))?.client_secret).toBe('sau_csk_test_7000001')
      await store.dropSecrets([orderId])
      expect(await store.findByReference(reference)).toMatchObject({
        client_secret: null,
        provider_order_id: 7_000_001,
        amount_halalas: 5_000,
      })
    })
  })

  describe('unknown and duplicate', () => {
    it('finds nothing where nothing is', async () => {
      expect(await store.findLiveAttempt(orderId)).toBeUndefined()
      expect(await store.listOpened(orderId)).toEqual([])
      expect(await store.findByProviderOrder(7_000_001)).toBeUndefined()
      expect(await store.findByReference('OD1-1')).toBeUndefined()
      expect(await store.listEvents('9000001')).toEqual([])
      expect(await store.claimDueInquiry(noon, noon + minute)).toBeUndefined()
      expect(await store.claimDueRefund(noon, noon + minute)).toBeUndefined()
      expect(await store.hasLaterAttempt(orderId, 0)).toBe(false)
      expect(await store.countAttempts()).toEqual([])
    })

    it('changes nothing where nothing is', async () => {
      expect(await store.openAttempt(1, intention(7_000_001))).toBe(false)
      expect(await store.moveAttempt(1, ['creating', 'open'], 'failed')).toBe(false)
      expect(await store.claimInquiry(1, noon, second)).toBe(false)
      await store.setOutcome('9000001', 'succeeded', 'noted')
      await store.lockAttempt(1)
      await store.planInquiry(1, noon, 1, noon)
      await store.adoptProviderOrder(1, 7_000_001)
      await store.planRefund(1, 'asked', noon)
      await store.finishRefund('9000001', noon)
      expect(await store.listEvents('9000001')).toEqual([])
    })

    it.each(['creating', 'open', 'unknown'] as const)(
      'starts no second attempt beside one that is %s',
      async (state) => {
        const first = await start()
        await store.moveAttempt(first.id, ['creating'], state)
        expect(await store.startAttempt(wish())).toBeUndefined()
        expect((await store.findLiveAttempt(orderId))?.id).toBe(first.id)
      },
    )

    it.each(['superseded', 'failed', 'succeeded'] as const)(
      'starts a second attempt after one that is %s',
      async (state) => {
        const first = await start()
        await store.moveAttempt(first.id, ['creating'], state)
        expect(await store.findLiveAttempt(orderId)).toBeUndefined()
        const second = await start()
        expect((await store.findLiveAttempt(orderId))?.id).toBe(second.id)
      },
    )

    it('keeps the first of two events of one transaction and kind', async () => {
      await store.addEvent(event({ source: 'callback' }))
      expect(await store.addEvent(event({ source: 'inquiry' }))).toBe(false)
      expect((await store.listEvents('9000001')).map(({ source }) => source)).toEqual(['callback'])
    })

    it.each([...openVerdicts])('judges an event anew whose verdict was %s', async (outcome) => {
      const attempt = await start()
      await store.addEvent(event({ outcome, body: '{"tampered":true}' }))
      const judged = event({ outcome: 'applied', attempt_id: attempt.id, source: 'inquiry' })
      expect(await store.addEvent(judged)).toBe(true)
      expect(await store.listEvents('9000001')).toEqual([{ ...judged, id: expect.any(Number) }])
      expect(await store.addEvent(event({ outcome }))).toBe(false)
    })

    it.each(['applied', 'noted', 'second-payment', 'amount-mismatch'] as const)(
      'does not judge an event again whose verdict was %s',
      async (outcome) => {
        await store.addEvent(event({ outcome }))
        expect(await store.addEvent(event({ outcome: 'applied' }))).toBe(false)
        expect(await store.listEvents('9000001')).toMatchObject([{ outcome }])
      },
    )

    it('orders one refund per transaction', async () => {
      await store.addRefund(await refund(), noon)
      await store.addRefund({ ...(await refund()), amount_halalas: 9_999 }, noon)
      expect(await store.claimDueRefund(noon, noon + minute)).toMatchObject({ amount_halalas: 5_000 })
      expect(await store.claimDueRefund(noon, noon + minute)).toBeUndefined()
    })

    it('keeps every kind of one transaction, and one kind of every transaction', async () => {
      expect(await store.addEvent(event({ kind: 'pending' }))).toBe(true)
      expect(await store.addEvent(event({ kind: 'succeeded' }))).toBe(true)
      expect(await store.addEvent(event({ kind: 'refunded' }))).toBe(true)
      expect(await store.addEvent(event({ transaction_id: '9000002' }))).toBe(true)
    })

    it('refuses one provider order on two attempts', async () => {
      const first = await opened(7_000_001)
      await store.moveAttempt(first.id, ['open'], 'superseded')
      const second = await start()
      await expect(store.openAttempt(second.id, intention(7_000_001))).rejects.toThrow()
    })
  })

  describe('order', () => {
    it('lists the attempts the provider knows, newest first', async () => {
      const first = await opened(7_000_001)
      await store.moveAttempt(first.id, ['open'], 'superseded')
      const second = await opened(7_000_002)
      await store.moveAttempt(second.id, ['open'], 'superseded')
      await start()
      const numbers = (await store.listOpened(orderId)).map((row) => row.provider_order_id)
      expect(numbers).toEqual([7_000_002, 7_000_001])
    })

    it('lists events in the order they came', async () => {
      await store.addEvent(event({ kind: 'refunded' }))
      await store.addEvent(event({ kind: 'pending' }))
      expect((await store.listEvents('9000001')).map(({ kind }) => kind)).toEqual(['refunded', 'pending'])
    })
  })

  describe('transitions', () => {
    it('opens only what is still being created', async () => {
      const given = await start()
      await store.moveAttempt(given.id, ['creating'], 'superseded')
      expect(await store.openAttempt(given.id, intention(7_000_001))).toBe(false)
      expect(await store.findByProviderOrder(7_000_001)).toBeUndefined()
    })

    it('moves only from the states it is told', async () => {
      const { id } = await start()
      expect(await store.moveAttempt(id, ['open', 'unknown'], 'failed')).toBe(false)
      expect(await store.moveAttempt(id, ['creating'], 'unknown')).toBe(true)
      expect(await store.moveAttempt(id, ['creating'], 'failed')).toBe(false)
      expect(await store.findLiveAttempt(orderId)).toMatchObject({ state: 'unknown' })
    })

    it('adopts the provider’s number once', async () => {
      const { id } = await start()
      await store.adoptProviderOrder(id, 7_000_001)
      await store.adoptProviderOrder(id, 7_000_002)
      expect(await store.findByProviderOrder(7_000_001)).toMatchObject({ id })
      expect(await store.findByProviderOrder(7_000_002)).toBeUndefined()
    })

    it('knows whether a later attempt of the order exists', async () => {
      const first = await start()
      await start({ order_id: await addOrder() })
      expect(await store.hasLaterAttempt(orderId, first.id)).toBe(false)
      await store.moveAttempt(first.id, ['creating'], 'failed')
      await start()
      expect(await store.hasLaterAttempt(orderId, first.id)).toBe(true)
    })

    it('counts attempts by state', async () => {
      await opened(7_000_001)
      await start({ order_id: await addOrder() })
      await start({ order_id: await addOrder() })
      const counts = (await store.countAttempts()).map(({ state, count }) => [state, Number(count)])
      expect(Object.fromEntries(counts)).toEqual({ creating: 2, open: 1 })
    })

    it('plans the next inquiry only under a claim that still holds', async () => {
      const { id } = await start()
      const due = inquiryDueAt(noon, 0) ?? 0
      await store.claimDueInquiry(due, due + minute)
      await store.planInquiry(id, due + minute - 1, 5, due)
      expect(await store.findLiveAttempt(orderId)).toMatchObject({
        inquiry_step: 0,
        next_inquiry_at: due + minute,
      })
      await store.planInquiry(id, due + minute, 1, due + 2 * minute)
      expect(await store.findLiveAttempt(orderId)).toMatchObject({
        inquiry_step: 1,
        next_inquiry_at: due + 2 * minute,
      })
    })

    it('asks no more about an attempt whose last inquiry was planned', async () => {
      const { id } = await start()
      const due = inquiryDueAt(noon, 0) ?? 0
      await store.claimDueInquiry(due, due + minute)
      await store.planInquiry(id, due + minute, 12, null)
      expect(await store.claimDueInquiry(due + 1_000 * minute, due + 2_000 * minute)).toBeUndefined()
    })

    it('leads a refund on, and never back from done', async () => {
      await store.addRefund(await refund(), noon)
      const claimed = await store.claimDueRefund(noon, noon + minute)
      if (!claimed) throw new Error('no refund is due')
      await store.planRefund(claimed.id, 'asked', noon + 5)
      expect(await store.claimDueRefund(noon + 5, noon + minute)).toMatchObject({ state: 'asked', tries: 2 })
      await store.finishRefund('9000001', noon + 10)
      await store.planRefund(claimed.id, 'due', noon)
      expect(await store.claimDueRefund(noon + minute, noon + 2 * minute)).toBeUndefined()
    })

    it('corrects what became of one event', async () => {
      await store.addEvent(event({ kind: 'succeeded' }))
      await store.addEvent(event({ kind: 'refunded' }))
      await store.setOutcome('9000001', 'succeeded', 'second-payment')
      expect((await store.listEvents('9000001')).map(({ outcome }) => outcome)).toEqual([
        'second-payment',
        'applied',
      ])
    })
  })

  describe('concurrency', () => {
    it('starts one of twenty attempts', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const order = await addOrder()
        const started = await Promise.all(
          Array.from({ length: 20 }, () => store.startAttempt(wish({ order_id: order }))),
        )
        expect(started.filter(Boolean)).toHaveLength(1)
      }
    })

    it('lets one of twenty movers move', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { id } = await start({ order_id: await addOrder() })
        const moved = await Promise.all(
          Array.from({ length: 20 }, () => store.moveAttempt(id, ['creating'], 'unknown')),
        )
        expect(moved.filter(Boolean)).toHaveLength(1)
      }
    })

    it('keeps one of twenty equal events', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const added = await Promise.all(
          Array.from({ length: 20 }, () =>
            store.addEvent(event({ transaction_id: String(9_000_001 + round) })),
          ),
        )
        expect(added.filter(Boolean)).toHaveLength(1)
      }
    })

    it('gives a due inquiry and a due refund to one of twenty workers', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const attempt = await start({ order_id: await addOrder() })
        await store.addRefund({ ...(await refund(String(round))), attempt_id: attempt.id }, noon)
        const due = inquiryDueAt(noon, 0) ?? 0
        const [inquiries, refunds] = await Promise.all([
          Promise.all(Array.from({ length: 20 }, () => store.claimDueInquiry(due, due + minute))),
          Promise.all(Array.from({ length: 20 }, () => store.claimDueRefund(noon, noon + minute))),
        ])
        expect(inquiries.flatMap((row) => (row ? [row.id] : []))).toContain(attempt.id)
        expect(new Set(inquiries.flatMap((row) => (row ? [row.id] : []))).size).toBe(
          inquiries.filter(Boolean).length,
        )
        expect(refunds.filter(Boolean)).toHaveLength(1)
      }
    })

    it('lets reports on one attempt follow each other: none sees what the other has half done', async () => {
      const { id } = await opened(7_000_001)
      const order: string[] = []
      const report = (name: string) =>
        database.transaction(async () => {
          await store.lockAttempt(id)
          order.push(`${name} in`)
          await store.addEvent(event({ transaction_id: name }))
          order.push(`${name} out`)
        })
      await Promise.all(['a', 'b', 'c', 'd'].map(report))
      expect(order).toHaveLength(8)
      for (let index = 0; index < order.length; index += 2)
        expect(order[index + 1]).toBe(order[index]?.replace('in', 'out'))
    })

    it('lets one of twenty ask the provider', async () => {
      const { id } = await opened(7_000_001)
      for (let round = 0; round < raceRounds; round += 1) {
        const claims = await Promise.all(
          Array.from({ length: 20 }, () => store.claimInquiry(id, noon + round * second, second)),
        )
        expect(claims.filter(Boolean)).toHaveLength(1)
      }
    })
  })

  describe('isolation between owners', () => {
    it('keeps the attempts of two orders apart', async () => {
      const other = await addOrder()
      const mine = await start()
      const theirs = await start({ order_id: other })
      expect((await store.findLiveAttempt(orderId))?.id).toBe(mine.id)
      expect((await store.findLiveAttempt(other))?.id).toBe(theirs.id)
      await store.openAttempt(theirs.id, intention(7_000_002))
      expect(await store.listOpened(orderId)).toEqual([])
      await store.moveAttempt(theirs.id, ['open'], 'failed')
      expect(await store.findLiveAttempt(orderId)).toMatchObject({ state: 'creating' })
    })

    it('keeps the right to ask of two attempts apart', async () => {
      const mine = await start()
      const theirs = await start({ order_id: await addOrder() })
      expect(await store.claimInquiry(mine.id, noon, second)).toBe(true)
      expect(await store.claimInquiry(theirs.id, noon, second)).toBe(true)
    })
  })

  describe('clock', () => {
    it('lets the provider be asked again from the end of the gap, and not a millisecond before', async () => {
      const { id } = await start()
      expect(await store.claimInquiry(id, noon, second)).toBe(true)
      expect(await store.claimInquiry(id, noon + second - 1, second)).toBe(false)
      expect(await store.claimInquiry(id, noon + second, second)).toBe(true)
    })

    it('hides a due inquiry and a due refund until the end of the claim', async () => {
      const { id } = await start()
      const due = inquiryDueAt(noon, 0) ?? 0
      expect(await store.claimDueInquiry(due - 1, due + minute)).toBeUndefined()
      expect(await store.claimDueInquiry(due, due + minute)).toMatchObject({ id })
      expect(await store.claimDueInquiry(due + minute - 1, due + 2 * minute)).toBeUndefined()
      expect(await store.claimDueInquiry(due + minute, due + 2 * minute)).toMatchObject({ id })

      await store.addRefund(await refund(), noon)
      expect(await store.claimDueRefund(noon - 1, noon + minute)).toBeUndefined()
      expect(await store.claimDueRefund(noon, noon + minute)).toBeDefined()
      expect(await store.claimDueRefund(noon + minute - 1, noon + 2 * minute)).toBeUndefined()
      expect(await store.claimDueRefund(noon + minute, noon + 2 * minute)).toMatchObject({ tries: 2 })
    })

    it(`keeps times and provider numbers on ${engine} beyond 32 bits`, async () => {
      const far = 4_102_444_800_123
      const attempt = await start({ created_at: far })
      await store.openAttempt(attempt.id, { ...intention(9_876_543_210), secretUntil: far + 1 })
      expect(await store.findByProviderOrder(9_876_543_210)).toMatchObject({
        created_at: far,
        secret_until: far + 1,
      })
    })
  })
}

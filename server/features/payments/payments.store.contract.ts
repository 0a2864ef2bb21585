import { beforeEach, describe, expect, it } from 'vitest'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Engine } from '#server/platform/database/database.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import { type AttemptRow, createPaymentsStore, type EventRow, type PaymentsStore } from './payments.store.ts'

const noon = 1_800_000_000_000
const second = 1_000

/** Laws of the payments store. */
export function paymentsStoreLaws(engine: Engine, open: OpenDatabase): void {
  let store: PaymentsStore
  let addOrder: () => Promise<number>
  let orderId: number
  let references = 0

  beforeEach(async () => {
    const database = await open()
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

  describe('unknown and duplicate', () => {
    it('finds nothing where nothing is', async () => {
      expect(await store.findLiveAttempt(orderId)).toBeUndefined()
      expect(await store.listOpened(orderId)).toEqual([])
      expect(await store.findByProviderOrder(7_000_001)).toBeUndefined()
      expect(await store.findByReference('OD1-1')).toBeUndefined()
      expect(await store.listEvents('9000001')).toEqual([])
    })

    it('changes nothing where nothing is', async () => {
      expect(await store.openAttempt(1, intention(7_000_001))).toBe(false)
      expect(await store.moveAttempt(1, ['creating', 'open'], 'failed')).toBe(false)
      expect(await store.claimInquiry(1, noon, second)).toBe(false)
      await store.setOutcome('9000001', 'succeeded', 'noted')
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

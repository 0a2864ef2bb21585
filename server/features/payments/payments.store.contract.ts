import { beforeEach, describe, expect, it } from 'vitest'
import { listEvents } from '#server/features/history/history.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { freeLeases } from '#server/platform/database/leases.ts'
import { type OpenDatabase, raceRounds } from '#test/kit/databases.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import type { AttemptRow } from './attempts.store.ts'
import type { NewEvent } from './events.store.ts'
import { inquiryDueAt, refundRules, unresolvedOutcomes } from './payments.rules.ts'
import { createPaymentsStore, type PaymentsStore } from './payments.store.ts'

const noon = 1_800_000_000_000
const second = 1_000

const system = { kind: 'system' } as const
const staff = {
  kind: 'staff',
  issuer: 'https://id.example',
  subject: 'Majed',
  name: 'Majed',
  roles: ['money'],
} as const

const minute = 60 * second
const day = 24 * 60 * minute

/** Contract of the payments store. */
export function paymentsStoreContract(_engine: Engine, open: OpenDatabase): void {
  let store: PaymentsStore
  let database: Database
  let addOrder: () => Promise<number>
  let orderId: number
  let references = 0

  beforeEach(async () => {
    database = await open()
    store = transacting(database, createPaymentsStore(database), [
      'addRefund',
      'refundPayment',
      'recordReturned',
      'withdrawRefund',
      'writeOffRefund',
      'beginRefund',
      'refuseRefund',
      'doubtRefund',
      'finishRefund',
    ])
    const orders = createOrdersStore(database)
    const { id: userId } = await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)
    references = 0
    addOrder = () => orders.addOrder(newOrder(userId), [newLeg(`AM-${crypto.randomUUID()}`)])
    orderId = await addOrder()
  })

  function newAttempt(change: Partial<AttemptRow> = {}) {
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
    const attempt = await store.startAttempt(newAttempt(change))
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

  const unleased = { lease: null, leased_until: 0, tries: 0, last_error: null }

  function held<T>(claimed: T | undefined): T {
    if (claimed === undefined) throw new Error('nothing is due')
    return claimed
  }

  const event = (change: Partial<NewEvent> = {}): NewEvent => ({
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

  describe('stores and finds', () => {
    it('an attempt before the provider knows of it', async () => {
      const attempt = await start()
      expect(attempt).toEqual({
        ...newAttempt({ reference: attempt.reference }),
        id: expect.any(Number),
        state: 'creating',
        intention_id: null,
        provider_order_id: null,
        client_secret: null,
        secret_until: 0,
        inquired_at: 0,
        due_at: inquiryDueAt(noon, 0),
        ...unleased,
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

    it('an event unchanged', async () => {
      const attempt = await opened(7_000_001)
      const kept = event({ attempt_id: attempt.id })
      expect(await store.addEvent(kept)).toBe(true)
      expect(await store.listEvents('9000001')).toEqual([{ ...kept, ...unseen }])
    })
  })

  const unseen = { seen_at: null, id: expect.any(Number) }

  const refund = async (transactionId = '9000001') => ({
    transaction_id: transactionId,
    attempt_id: (await store.findLiveAttempt(orderId))?.id ?? (await start()).id,
    captured: 5_000,
    currency: 'SAR',
    reason: 'second-payment' as const,
    by: system,
  })

  describe('stores and finds refunds', () => {
    it('unchanged, due at once', async () => {
      const { captured, by, ...wanted } = await refund()
      await store.addRefund({ ...wanted, captured, by }, noon)
      expect(await store.leaseRefund(noon, noon + minute)).toEqual({
        ...wanted,
        amount_halalas: captured,
        id: expect.any(Number),
        asked_at: null,
        refused_at: null,
        state: 'due',
        tries: 1,
        last_error: null,
        written_off_at: null,
        due_at: noon,
        lease: expect.any(String),
        leased_until: noon + minute,
        claimed_at: noon,
        created_at: noon,
        done_at: null,
      })
    })

    it('counted by state while they are not done', async () => {
      expect(await store.countOpenRefunds()).toEqual(new Map())
      expect(await store.readOpenRefunds()).toEqual({ count: 0, oldest: null })
      await store.addRefund(await refund('1'), noon)
      await store.addRefund(await refund('2'), noon)
      const { id, ...finished } = (await store.finishRefund('2', noon)) ?? {}
      expect(finished).toMatchObject({ reason: 'second-payment', order_id: orderId })
      expect(await store.findRefundById(id ?? 0)).toMatchObject({ transaction_id: '2', state: 'done' })
      expect(await store.finishRefund('2', noon)).toBeUndefined()
      expect(await store.countOpenRefunds()).toEqual(new Map([['due', { count: 1, halalas: 5_000 }]]))
      expect(await store.readOpenRefunds()).toEqual({ count: 1, oldest: noon })
    })
  })

  describe('refunds of one payment', () => {
    const part = async (amount?: number) => ({ ...(await refund()), reason: 'operator' as const, amount })
    const rows = async () =>
      (await store.listRefundsOf('9000001')).map((row) => `${row.reason} ${row.amount_halalas} ${row.state}`)
    const byHand = async () => {
      const { captured: _, by: __, ...row } = await part()
      return row
    }
    const request = async () => {
      const begun = held(await store.beginRefund(held(await store.leaseRefund(noon, noon + minute)), noon))
      await store.planRefund(begun, 'asked', noon + minute)
    }

    it('are ordered under a lock: the sum of the ledger is read before', async () => {
      const wanted = await refund()
      const unlocked = createPaymentsStore(database)
      await expect(unlocked.addRefund(wanted, noon)).rejects.toThrow()
      await expect(unlocked.recordReturned(await byHand(), 1_000, noon)).rejects.toThrow()
    })

    it('are parts that never add up to more than was captured', async () => {
      expect(await store.addRefund(await part(2_000), noon)).toBe(true)
      // One at a time: that goes back already.
      expect(await store.addRefund(await part(1_000), noon)).toBe(true)
      expect(await rows()).toEqual(['operator 2000 due'])
      await store.finishRefund('9000001', noon)
      expect(await store.addRefund(await part(9_000), noon)).toBe(true)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 due'])
      expect(await store.sumReturned('transaction_id', '9000001')).toBe(2_000)
      await store.finishRefund('9000001', noon)
      expect(await store.sumReturned('transaction_id', '9000001')).toBe(5_000)
      for (const amount of [1, undefined]) expect(await store.addRefund(await part(amount), noon)).toBe(false)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 done'])
    })

    it('are ordered again after one was written off, which counts as no return', async () => {
      await store.addRefund(await part(2_000), noon)
      await store.finishRefund('9000001', noon)
      await store.addRefund(await part(), noon)
      expect(await store.writeOffRefund('9000001', { by: staff }, noon + refundRules.helpAfterMs)).toBe(true)
      expect(await store.addRefund({ ...(await refund()), reason: 'cancelled' }, noon + day)).toBe(true)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 done', 'cancelled 3000 due'])
      expect(await store.sumReturned('transaction_id', '9000001')).toBe(2_000)
    })

    it('are open one at a time, also where two are ordered at once', async () => {
      const wanted = await part(1_000)
      for (let round = 0; round < raceRounds; round += 1) {
        const transaction_id = `race-${round}`
        const order = () =>
          database.transaction(async () => {
            await store.lockAttempt(wanted.attempt_id)
            return store.addRefund({ ...wanted, transaction_id }, noon)
          })
        expect(await Promise.all([order(), order(), order()])).toEqual([true, true, true])
        expect(await store.listRefundsOf(transaction_id)).toMatchObject([{ state: 'due' }])
      }
      const [open] = await store.listRefundsOf('race-0')
      const { id: _, ...row } = held(open)
      await expect(database.tables.insertInto('refunds').values(row).execute()).rejects.toThrow(/unique/i)
    })

    it('made by hand at the provider are stored, and shrink the one that is open', async () => {
      await store.addRefund(await part(), noon)
      await store.recordReturned(await byHand(), 1_000, noon)
      expect(await rows()).toEqual(['operator 4000 due', 'operator 1000 done'])
      // Seen again, it is the same.
      await store.recordReturned(await byHand(), 1_000, noon)
      expect(await rows()).toEqual(['operator 4000 due', 'operator 1000 done'])
      await request()
      // Less than was requested is another one by hand.
      await store.recordReturned(await byHand(), 1_500, noon)
      expect(await rows()).toEqual(['operator 3500 asked', 'operator 1000 done', 'operator 500 done'])
      await store.recordReturned(await byHand(), 5_000, noon)
      expect(await rows()).toEqual(['operator 3500 done', 'operator 1000 done', 'operator 500 done'])
      expect(await store.sumReturned('transaction_id', '9000001')).toBe(5_000)
    })

    it('made by hand stay beside a correction of the one that is open', async () => {
      const wrong = { ...(await refund()), reason: 'wrong-amount' as const }
      await store.addRefund(wrong, noon)
      await store.recordReturned(await byHand(), 1_000, noon)
      expect(await store.addRefund(wrong, noon)).toBe(true)
      expect(await rows()).toEqual(['wrong-amount 4000 due', 'wrong-amount 1000 done'])
      await store.addRefund({ ...wrong, captured: 4_900 }, noon)
      expect(await rows()).toEqual(['wrong-amount 3900 due', 'wrong-amount 1000 done'])
    })

    it('that were requested become done as the provider shows them, without another row', async () => {
      await store.addRefund({ ...(await refund()), reason: 'cancelled' }, noon)
      await request()
      await store.recordReturned(await byHand(), 5_000, noon + second)
      expect(await store.listRefundsOf('9000001')).toMatchObject([
        { reason: 'cancelled', amount_halalas: 5_000, state: 'done', done_at: noon + second, due_at: null },
      ])
    })

    it('are one of the whole where the whole is ordered while a part is due, and false where a part was requested', async () => {
      await store.addRefund({ ...(await part()), amount: 2_000 }, noon)
      expect(await store.addRefund(await part(), noon)).toBe(true)
      expect(await rows()).toEqual(['operator 5000 due'])
      await database.tables.updateTable('refunds').set({ amount_halalas: 2_000, state: 'asked' }).execute()
      expect(await store.addRefund(await part(), noon)).toBe(false)
    })

    it('made by hand where none was ordered are stored as done', async () => {
      await store.recordReturned(await byHand(), 2_000, noon)
      await store.recordReturned(await byHand(), 5_000, noon)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 done'])
      expect(await store.addRefund(await part(), noon)).toBe(false)
    })
  })

  describe('the payments of a deleted account', () => {
    it('are settled where nothing was paid', async () => {
      expect(await store.hasUnsettled([])).toBe(false)
      expect(await store.hasUnsettled([orderId])).toBe(false)
      await opened(7_000_001)
      expect(await store.hasUnsettled([orderId])).toBe(false)
    })

    it('are unsettled until a refund is done', async () => {
      const { id } = await start()
      await store.moveAttempt(id, ['creating'], 'succeeded')
      await store.addRefund(
        {
          transaction_id: 'T2',
          attempt_id: id,
          captured: 5_000,
          currency: 'SAR',
          reason: 'second-payment',
          by: system,
        },
        noon,
      )
      expect(await store.hasUnsettled([await addOrder(), orderId])).toBe(true)
      await store.finishRefund('T2', noon)
      expect(await store.hasUnsettled([orderId])).toBe(false)
    })

    it.each(['reference-mismatch'] as const)(
      'are unsettled while a payment is held for %s, until it was returned',
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

    it('are listed completely, oldest first, without those of other orders', async () => {
      const first = await opened(7_000_001)
      await store.moveAttempt(first.id, ['open'], 'superseded')
      const second = await opened(7_000_002)
      const another = await addOrder()
      await store.addEvent(event({ attempt_id: second.id }))
      await store.addEvent(event({ transaction_id: '9000002', attempt_id: null }))
      await store.addRefund(
        {
          transaction_id: 'T2',
          attempt_id: first.id,
          captured: 5_000,
          currency: 'SAR',
          reason: 'owner-deleted',
          by: { kind: 'owner' },
        },
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

    it('lose their secrets and keep their record', async () => {
      const { reference } = await opened(7_000_001)
      await store.clearSecrets([])
      expect((await store.findByReference(reference))?.client_secret).toBe('sau_csk_test_7000001')
      await store.clearSecrets([orderId])
      expect(await store.findByReference(reference)).toMatchObject({
        client_secret: null,
        provider_order_id: 7_000_001,
        amount_halalas: 5_000,
      })
    })
  })

  describe('unknown and duplicate', () => {
    it.each(['creating', 'open', 'unknown'] as const)(
      'starts no second attempt beside one that is %s',
      async (state) => {
        const first = await start()
        await store.moveAttempt(first.id, ['creating'], state)
        expect(await store.startAttempt(newAttempt())).toBeUndefined()
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

    it('stores the first of two events of one transaction and kind', async () => {
      await store.addEvent(event({ source: 'callback' }))
      expect(await store.addEvent(event({ source: 'inquiry' }))).toBe(false)
      expect((await store.listEvents('9000001')).map(({ source }) => source)).toEqual(['callback'])
    })

    it.each([...unresolvedOutcomes])('replaces an event with the outcome %s', async (outcome) => {
      const attempt = await start()
      await store.addEvent(event({ outcome, body: '{"tampered":true}' }))
      const replaced = event({ outcome: 'applied', attempt_id: attempt.id, source: 'inquiry' })
      expect(await store.addEvent(replaced)).toBe(true)
      expect(await store.listEvents('9000001')).toEqual([{ ...replaced, ...unseen }])
      expect(await store.addEvent(event({ outcome }))).toBe(false)
    })

    const mismatch = event({ outcome: 'amount-mismatch', amount_halalas: 4_900 })
    const exact = event({ outcome: 'applied' })
    it.each<[string, NewEvent, NewEvent, boolean]>([
      ['of a callback, the same callback', mismatch, mismatch, false],
      ['of a callback, a callback of another amount', mismatch, exact, true],
      ['of a callback, a callback of another currency', mismatch, { ...mismatch, currency: 'EGP' }, true],
      ['of a callback, an inquiry', mismatch, { ...mismatch, source: 'inquiry' }, true],
      [
        'of an inquiry, the same inquiry',
        { ...mismatch, source: 'inquiry' },
        { ...mismatch, source: 'inquiry' },
        false,
      ],
      [
        'of an inquiry, an inquiry of another amount',
        { ...mismatch, source: 'inquiry' },
        { ...exact, source: 'inquiry' },
        true,
      ],
      ['of an inquiry, a callback of another amount', { ...mismatch, source: 'inquiry' }, exact, false],
    ])('replaces an event with a wrong amount %s: %#', async (_, first, second, isReplaced) => {
      expect(await store.addEvent(first)).toBe(true)
      expect(await store.addEvent(second)).toBe(isReplaced)
      expect(await store.listEvents('9000001')).toMatchObject([isReplaced ? second : first])
    })

    it.each(['applied', 'noted', 'second-payment'] as const)(
      'does not replace an event with the outcome %s',
      async (outcome) => {
        await store.addEvent(event({ outcome }))
        expect(await store.addEvent(event({ outcome: 'applied' }))).toBe(false)
        expect(await store.listEvents('9000001')).toMatchObject([{ outcome }])
      },
    )

    it('orders one refund of a payment that pays for nothing, and corrects it until it is requested', async () => {
      expect(await store.addRefund(await refund(), noon)).toBe(true)
      expect(await store.addRefund({ ...(await refund()), captured: 4_900, currency: 'EGP' }, noon)).toBe(
        true,
      )
      const claimed = await store.leaseRefund(noon, noon + minute)
      expect(claimed).toMatchObject({ amount_halalas: 4_900, currency: 'EGP' })
      expect(await store.leaseRefund(noon, noon + minute)).toBeUndefined()
      expect(await store.beginRefund(held(claimed))).toMatchObject({
        state: 'uncertain',
        amount_halalas: 4_900,
      })
      await store.addRefund({ ...(await refund()), captured: 9_999 }, noon)
      expect(await store.listRefundsOf('9000001')).toMatchObject([{ amount_halalas: 4_900 }])
      await store.finishRefund('9000001', noon)
      expect(await store.addRefund({ ...(await refund()), captured: 9_999 }, noon)).toBe(false)
    })
  })

  describe('order', () => {
    it('lists the attempts with a provider order, newest first', async () => {
      const first = await opened(7_000_001)
      await store.moveAttempt(first.id, ['open'], 'superseded')
      const second = await opened(7_000_002)
      await store.moveAttempt(second.id, ['open'], 'superseded')
      await start()
      const numbers = (await store.listOpened(orderId)).map((row) => row.provider_order_id)
      expect(numbers).toEqual([7_000_002, 7_000_001])
    })
  })

  describe('transitions', () => {
    it('opens only an attempt in `creating`', async () => {
      const given = await start()
      await store.moveAttempt(given.id, ['creating'], 'superseded')
      expect(await store.openAttempt(given.id, intention(7_000_001))).toBe(false)
      expect(await store.findByProviderOrder(7_000_001)).toBeUndefined()
    })

    it('moves an attempt only from the given states', async () => {
      const { id } = await start()
      expect(await store.moveAttempt(id, ['open', 'unknown'], 'failed')).toBe(false)
      expect(await store.moveAttempt(id, ['creating'], 'unknown')).toBe(true)
      expect(await store.moveAttempt(id, ['creating'], 'failed')).toBe(false)
      expect(await store.findLiveAttempt(orderId)).toMatchObject({ state: 'unknown' })
    })

    it('stores the provider’s order number once', async () => {
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

    it('counts live attempts by state', async () => {
      const { id } = await opened(7_000_001)
      for (let count = 0; count < 2; count += 1) await start({ order_id: await addOrder() })
      expect(await store.countLive()).toEqual(
        new Map([
          ['open', 1],
          ['creating', 2],
        ]),
      )
      await store.moveAttempt(id, ['open'], 'failed')
      expect(await store.countLive()).toEqual(new Map([['creating', 2]]))
    })

    it('schedules the next inquiry only under a valid claim', async () => {
      const { id } = await start()
      const due = inquiryDueAt(noon, 0) ?? 0
      const attempt = held(await store.leaseInquiry(due, due + minute))
      await store.planInquiry({ id, lease: 'another' }, 5, due)
      expect(await store.findLiveAttempt(orderId)).toMatchObject({
        inquiry_step: 0,
        due_at: due,
        leased_until: due + minute,
        inquired_at: due,
      })
      await store.planInquiry(attempt, 1, due + 2 * minute, 'unreadable')
      expect(await store.findLiveAttempt(orderId)).toMatchObject({
        inquiry_step: 1,
        due_at: due + 2 * minute,
        lease: null,
        last_error: 'unreadable',
      })
    })

    it('claims no inquiry after the last one', async () => {
      await start()
      const due = inquiryDueAt(noon, 0) ?? 0
      await store.planInquiry(held(await store.leaseInquiry(due, due + minute)), 12, null)
      expect(await store.leaseInquiry(due + 1_000 * minute, due + 2_000 * minute)).toBeUndefined()
    })

    it('makes a refund due now until it is requested; a claim ends with it', async () => {
      await store.addRefund(await refund(), noon)
      const claimed = held(await store.leaseRefund(noon, noon + minute))
      const { id } = claimed
      expect(await store.hastenRefund(id, noon + second)).toBe(true)
      expect(await store.hastenRefund(id, noon + second)).toBe(false)
      expect(await store.beginRefund(claimed)).toBeUndefined()
      const next = held(await store.leaseRefund(noon + second, noon + minute))
      expect(next).toMatchObject({ id, tries: 2 })
      expect(await store.beginRefund(next)).toMatchObject({ id, state: 'uncertain' })
      expect(await store.hastenRefund(id, noon + second)).toBe(false)
      expect(await store.hastenRefund(id + 1, noon)).toBe(false)
    })

    it('makes a refund due that was requested a day ago, and not one that was requested lately', async () => {
      const requestedAt = noon + 2 * day
      await store.addRefund({ ...(await refund()), reason: 'wrong-amount' }, noon)
      const claimed = held(await store.leaseRefund(requestedAt, requestedAt + minute))
      const { id } = claimed
      const begun = await store.beginRefund(claimed, requestedAt)
      await store.planRefund(held(begun), 'asked', requestedAt + 40 * 60 * minute)
      expect(await store.hastenRefund(id, requestedAt + day - 1)).toBe(false)
      const now = requestedAt + day
      expect(await store.hastenRefund(id, now)).toBe(true)
      // The money may be on its way back: it cannot be taken for never requested.
      expect(await store.withdrawRefund('9000001')).toBe(false)
      expect(await store.leaseRefund(now, now + minute)).toMatchObject({ id, state: 'uncertain' })
    })

    it('writes a refund off that the provider refused or never got, once, and counts it as no return', async () => {
      const row = await refund()
      const writeOff = (at: number) =>
        store.writeOffRefund('9000001', { by: staff, words: 'the account is closed' }, at)
      const may = (at: number) => store.mayWriteOff('9000001', at)
      await store.addRefund(row, noon)
      const late = noon + refundRules.helpAfterMs
      expect([await may(late - 1), await writeOff(late - 1), await may(late)]).toEqual([false, false, true])
      const claimed = held(await store.leaseRefund(noon, noon + minute))
      // A worker has it.
      expect([await may(late), await writeOff(late)]).toEqual([false, false])
      // It was not read, and so not requested.
      await store.planRefund(claimed, 'due', noon, 'the payment provider answered 503 to read transaction')
      expect([await may(noon), await writeOff(noon)]).toEqual([false, false])
      // Of an unknown outcome, and taken by the provider: only once that was dropped.
      const read = held(await store.leaseRefund(noon, noon + minute))
      const begun = held(await store.beginRefund(read, noon))
      await store.planRefund(begun, 'uncertain', noon + minute, 'no answer')
      expect(await writeOff(noon + day - 1)).toBe(false)
      expect(await may(noon + day)).toBe(true)
      const again = held(await store.leaseRefund(noon + minute, noon + 2 * minute))
      await store.refuseRefund(again, noon + minute, 'refused', noon + minute)
      expect(await may(noon + minute)).toBe(true)
      // Requested again: what was refused before says nothing of it.
      const third = held(await store.leaseRefund(noon + minute, noon + 2 * minute))
      const asked = held(await store.beginRefund(third, noon + minute))
      await store.planRefund(asked, 'due', noon + minute, 'not sent')
      expect(await may(noon + minute)).toBe(false)
      const last = held(await store.leaseRefund(noon + minute, noon + 2 * minute))
      await store.refuseRefund(last, noon + day, 'refused', noon + minute)
      expect(await writeOff(noon + minute)).toBe(true)
      expect(await writeOff(noon + day)).toBe(false)
      const writtenOff = { state: 'done', written_off_at: noon + minute, due_at: null }
      expect(await store.listRefundsOf('9000001')).toMatchObject([writtenOff])
      expect(await store.sumReturned('attempt_id', row.attempt_id)).toBe(0)
      expect(await store.finishRefund('9000001', noon + day)).toBeUndefined()
      // A repeated report orders none again; a cancellation does.
      expect(await store.addRefund(row, noon + day)).toBe(false)
      expect(await store.addRefund({ ...row, reason: 'cancelled' }, noon + day)).toBe(true)
      expect(await store.listRefundsOf('9000001')).toMatchObject([
        writtenOff,
        {
          state: 'due',
          reason: 'cancelled',
          amount_halalas: 5_000,
          created_at: noon + day,
          written_off_at: null,
          refused_at: null,
        },
      ])
      await store.finishRefund('9000001', noon + day)
      expect(await store.sumReturned('transaction_id', '9000001')).toBe(5_000)
      expect(await store.addRefund({ ...row, reason: 'cancelled' }, noon + day)).toBe(false)
    })

    it('reads a refund of unknown outcome no sooner after a crash of the only gateway', async () => {
      await store.addRefund(await refund(), noon)
      await store.beginRefund(held(await store.leaseRefund(noon, noon + minute)), noon)
      await freeLeases(database)
      const certain = noon + refundRules.leaseMs
      expect(await store.leaseRefund(certain - 1, certain + minute)).toBeUndefined()
      expect(await store.leaseRefund(certain, certain + minute)).toMatchObject({ state: 'uncertain' })
    })

    it('orders the refund of a stored payment, and of no other', async () => {
      const { id } = await start()
      await store.addEvent(event({ attempt_id: id, amount_halalas: 4_900 }))
      await store.refundPayment('9000001', { reason: 'operator', by: staff }, noon)
      expect(await store.listRefundsOf('9000001')).toMatchObject([
        { attempt_id: id, amount_halalas: 4_900, currency: 'SAR', reason: 'operator', state: 'due' },
      ])
      await expect(store.refundPayment('9000002', { reason: 'operator', by: staff }, noon)).rejects.toThrow(
        '9000002',
      )
    })

    it('lists refunds that are not done for long, with their orders', async () => {
      await store.addRefund(await refund('1'), noon)
      await store.addRefund(await refund('2'), noon)
      await store.addRefund(await refund('3'), noon + second)
      await store.finishRefund('2', noon)
      const overdue = await store.listOverdueRefunds(noon, 10)
      expect(overdue.map((row) => [row.order_id, row.transaction_id])).toEqual([[orderId, '1']])
      expect(await store.listOverdueRefunds(noon + second, 1)).toHaveLength(1)
    })

    it('finds the order of a transaction', async () => {
      const { id } = await start()
      await store.addEvent(event({ attempt_id: id }))
      await store.addEvent(event({ transaction_id: '9000002', outcome: 'unknown-order' }))
      expect(await store.findOrderOfTransaction('9000001')).toBe(orderId)
      expect(await store.findOrderOfTransaction('9000002')).toBeUndefined()
      expect(await store.findOrderOfTransaction('9000003')).toBeUndefined()
    })

    it('sums up the payments that were reported on an attempt, whatever became of them', async () => {
      const mine = await start()
      expect(await store.readCharged(mine.id)).toEqual({ charged: 0, hasFinding: false, seen: 0 })
      await store.addEvent(event({ attempt_id: mine.id }))
      await store.addEvent(event({ attempt_id: mine.id, kind: 'refunded' }))
      await store.addEvent(
        event({ attempt_id: mine.id, transaction_id: '9000002', outcome: 'second-payment' }),
      )
      await store.addEvent(
        event({ attempt_id: mine.id, transaction_id: '9000003', kind: 'failed', outcome: 'noted' }),
      )
      await store.addEvent(event({ transaction_id: '9000004' }))
      expect(await store.readCharged(mine.id)).toEqual({ charged: 10_000, hasFinding: false, seen: 0 })
      await store.addFinding(mine.id, 5_000, noon)
      await store.addFinding(mine.id, 7_000, noon + second)
      expect(await database.tables.selectFrom('payment_findings').selectAll().execute()).toMatchObject([
        { attempt_id: mine.id, amount_halalas: 7_000, noticed_at: noon, closed_at: null },
      ])
      expect(await store.readCharged(mine.id)).toEqual({ charged: 10_000, hasFinding: true, seen: 0 })
      await store.endFindings(mine.id, noon + minute)
      expect(await store.readCharged(mine.id)).toEqual({ charged: 10_000, hasFinding: false, seen: 0 })
      // The same sum again is another payment, and what there was stays.
      await store.addFinding(mine.id, 7_000, noon + day)
      await store.endFindings(mine.id, noon + 2 * day)
      expect(await database.tables.selectFrom('payment_findings').selectAll().execute()).toMatchObject([
        { noticed_at: noon, closed_at: noon + minute, agreed_at: noon + minute },
        { noticed_at: noon + day, closed_at: noon + 2 * day, agreed_at: noon + 2 * day },
      ])
    })

    it('moves a refund forward, and never back from done', async () => {
      await store.addRefund(await refund(), noon)
      await store.planRefund(held(await store.leaseRefund(noon, noon + minute)), 'asked', noon + 5)
      const claimed = held(await store.leaseRefund(noon + 5, noon + minute))
      expect(claimed).toMatchObject({ state: 'asked', tries: 2 })
      await store.finishRefund('9000001', noon + 10)
      await store.planRefund(claimed, 'due', noon)
      expect(await store.listRefundsOf('9000001')).toMatchObject([{ state: 'done', due_at: null }])
      expect(await store.leaseRefund(noon + minute, noon + 2 * minute)).toBeUndefined()
    })

    it('records each change of a refund once, with who decided it and why', async () => {
      const lease = async () => held(await store.leaseRefund(noon, noon + minute))
      const refuse = async (reason: string) => {
        const begun = held(await store.beginRefund(await lease(), noon))
        await store.refuseRefund(begun, noon, reason, noon)
      }
      const words = 'the bag was lost'
      const wanted = { ...(await refund()), reason: 'operator' as const, by: staff, words }
      const byHand = { transaction_id: '9000001', attempt_id: wanted.attempt_id, currency: 'SAR' }
      await store.addRefund({ ...wanted, amount: 1_000 }, noon)
      await store.addRefund({ ...wanted, by: system, words: null }, noon)
      await store.addRefund(wanted, noon)
      for (const reason of ['closed', 'closed', 'limit']) await refuse(reason)
      const doubted = held(await store.beginRefund(await lease(), noon))
      for (let time = 0; time < 2; time += 1) await store.doubtRefund(doubted, noon, 'cut off')
      for (let time = 0; time < 2; time += 1)
        await store.recordReturned({ ...byHand, reason: 'operator' }, 2_000, noon)
      for (let time = 0; time < 2; time += 1) await store.finishRefund('9000001', noon)
      const other = { ...(await refund('9000002')), reason: 'wrong-amount' as const }
      for (let time = 0; time < 2; time += 1) await store.addRefund(other, noon)
      for (let time = 0; time < 2; time += 1) await store.withdrawRefund('9000002')
      await store.addRefund(other, noon)
      await refuse('closed')
      for (let time = 0; time < 2; time += 1)
        await store.writeOffRefund('9000002', { by: staff, words }, noon)
      const events = await listEvents({ database }, 'order_id', [orderId])
      const rows = events.filter(({ kind }) => kind.startsWith('refund'))
      const told = rows.map(({ kind, by, data }) => {
        const { halalas, personal } = { halalas: 0, personal: null, ...data }
        return [kind, by.kind, halalas, ...Object.values(personal ?? {})].join(' ')
      })
      const requested = 'refund-requested system'
      expect(told).toEqual([
        'refund-ordered staff 1000 the bag was lost',
        'refund-ordered system 5000',
        `${requested} 5000`,
        'refund-refused provider 5000 closed',
        `${requested} 5000`,
        'refund-refused provider 5000 limit',
        `${requested} 5000`,
        'refund-doubtful system 5000',
        'refunded provider 2000',
        'refund-ordered system 3000',
        'refunded provider 3000',
        'refund-ordered system 5000',
        'refund-withdrawn system 5000',
        'refund-ordered system 5000',
        `${requested} 5000`,
        'refund-refused provider 5000 closed',
        'refund-written-off staff 5000 the bag was lost',
      ])
      const refunds = await store.listRefunds([orderId])
      expect(new Set(rows.map(({ data }) => (data as { refundId: number }).refundId)).size).toBe(
        refunds.length + 1,
      )
    })

    it('withdraws the refund of a wrong amount until it may have been requested, and no other', async () => {
      const wrong = async (id: string) => ({ ...(await refund(id)), reason: 'wrong-amount' as const })
      expect(await store.withdrawRefund('none')).toBe(true)
      await store.addRefund(await wrong('due'), noon)
      expect(await store.withdrawRefund('due')).toBe(true)
      expect(await store.listRefundsOf('due')).toEqual([])
      for (const state of ['uncertain', 'asked', 'done'] as const) {
        await store.addRefund(await wrong(state), noon)
        await store.planRefund(held(await store.leaseRefund(noon, noon + minute)), state, noon + day)
        expect(await store.withdrawRefund(state)).toBe(false)
        expect(await store.listRefundsOf(state)).toMatchObject([{ state }])
      }
      await store.addRefund(await refund('second'), noon)
      expect(await store.withdrawRefund('second')).toBe(true)
      expect(await store.listRefundsOf('second')).toHaveLength(1)
    })

    it('lists the refunds of orders, and sums up what was returned', async () => {
      const mine = await refund('1')
      await store.addRefund(mine, noon)
      await store.addRefund({ ...mine, transaction_id: '2', captured: 700 }, noon + second)
      await store.addRefund(
        { ...mine, transaction_id: '3', attempt_id: (await start({ order_id: await addOrder() })).id },
        noon,
      )
      expect(await store.listRefunds([])).toEqual([])
      expect((await store.listRefunds([orderId])).map((row) => [row.order_id, row.transaction_id])).toEqual([
        [orderId, '1'],
        [orderId, '2'],
      ])
      expect(await store.sumReturned('attempt_id', mine.attempt_id)).toBe(0)
      await store.finishRefund('2', noon)
      expect(await store.sumReturned('attempt_id', mine.attempt_id)).toBe(700)
      expect(await store.countOverdueRefunds(noon - 1)).toBe(0)
      expect(await store.countOverdueRefunds(noon + second)).toBe(2)
    })

    it('knows how many inquiries are due, and since when', async () => {
      expect(await store.readDueInquiries(noon)).toEqual({ count: 0, oldest: null })
      const first = await opened(7_000_001)
      await store.hastenInquiry(first.id, second, noon + 1)
      const other = await start({ order_id: await addOrder() })
      await store.hastenInquiry(other.id, second, noon + 2)
      expect(await store.readDueInquiries(noon + 1)).toEqual({ count: 1, oldest: noon + 1 })
      expect(await store.readDueInquiries(noon + 2)).toEqual({ count: 2, oldest: noon + 1 })
      await store.leaseInquiry(noon + 2, noon + minute)
      expect(await store.readDueInquiries(noon + 2)).toEqual({ count: 1, oldest: noon + 2 })
    })

    it('adds no refund in another currency to our money', async () => {
      await store.addRefund(await refund('1'), noon)
      await store.addRefund({ ...(await refund('2')), currency: 'EUR' }, noon - 1)
      expect(await store.readOpenRefunds()).toEqual({ count: 2, oldest: noon - 1 })
      expect((await store.countOpenRefunds()).get('due')).toEqual({ count: 2, halalas: 5_000 })
    })

    it('makes an inquiry due out of turn, never sooner than the gap after the last one', async () => {
      const { id } = await opened(7_000_001)
      expect(await store.hastenInquiry(id, second, noon)).toBe(true)
      expect(await store.hastenInquiry(id, second, noon)).toBe(false)
      const first = held(await store.leaseInquiry(noon, noon + minute))
      expect(first).toMatchObject({ id, inquiry_step: 0 })
      expect(await store.hastenInquiry(id, second, noon + 1)).toBe(true)
      // A claim that ends meanwhile does not overwrite it.
      await store.planInquiry(first, 1, noon + 10 * minute)
      expect(await store.hastenInquiry(id, second, noon + second - 1)).toBe(false)
      expect(await store.leaseInquiry(noon + second - 1, noon + minute)).toBeUndefined()
      await store.planInquiry(held(await store.leaseInquiry(noon + second, noon + minute)), 1, null)
      expect(await store.hastenInquiry(id, second, noon + 10 * minute)).toBe(true)
      expect(await store.leaseInquiry(noon + 10 * minute, noon + 11 * minute)).toMatchObject({ id })
    })

    it('makes an inquiry due out of turn, the gap after an inquiry for a page', async () => {
      const { id } = await opened(7_000_001)
      expect(await store.claimInquiry(id, second, noon)).toBe(true)
      expect(await store.hastenInquiry(id, second, noon + 1)).toBe(true)
      expect(await store.leaseInquiry(noon + second - 1, noon + minute)).toBeUndefined()
      expect(await store.leaseInquiry(noon + second, noon + minute)).toMatchObject({ id })
    })

    it('corrects the outcome of one event', async () => {
      await store.addEvent(event({ kind: 'succeeded' }))
      await store.addEvent(event({ kind: 'refunded' }))
      await store.setOutcome('9000001', 'succeeded', 'second-payment')
      expect((await store.listEvents('9000001')).map(({ outcome }) => outcome)).toEqual([
        'second-payment',
        'applied',
      ])
    })

    it('finds an attempt by its intention and by any of several numbers', async () => {
      const { id } = await opened(7_000_001)
      expect(await store.findByIntention('pi_test_7000001')).toMatchObject({ id })
      expect(await store.findByIntention('pi_test_1')).toBeUndefined()
      expect(await store.findByAnyProviderOrder([])).toBeUndefined()
      expect(await store.findByAnyProviderOrder([1, 2])).toBeUndefined()
      expect(await store.findByAnyProviderOrder([1, 7_000_001])).toMatchObject({ id })
    })
  })

  describe('the live attempt of a cancelled order', () => {
    it('is superseded, so that its secret is not returned again; those of other orders stay', async () => {
      const { id } = await opened(7_000_001)
      const other = await addOrder()
      const theirs = await start({ order_id: other })
      await database.transaction(async () => {
        await store.lockAttempts(orderId)
        await store.supersedeLive(orderId)
      })
      expect(await store.findLiveAttempt(orderId)).toBeUndefined()
      expect(await store.listOpened(orderId)).toMatchObject([{ id, state: 'superseded' }])
      expect((await store.findLiveAttempt(other))?.id).toBe(theirs.id)
    })
  })

  describe('concurrency', () => {
    it('starts a refund once under one claim', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        await store.addRefund(await refund(`begin-${round}`), noon)
        const claimed = held(await store.leaseRefund(noon, noon + minute))
        const begun = await Promise.all(Array.from({ length: 20 }, () => store.beginRefund(claimed)))
        expect(begun.filter(Boolean)).toHaveLength(1)
        await store.finishRefund(`begin-${round}`, noon)
      }
    })

    it('leases eight inquiries and eight refunds at once', async () => {
      for (let count = 0; count < 9; count += 1) {
        const { id } = await start({ order_id: await addOrder() })
        await store.addRefund({ ...(await refund(String(count))), attempt_id: id }, noon)
      }
      const due = inquiryDueAt(noon, 0) ?? 0
      const winners = { inquiries: 0, refunds: 0 }
      for (let count = 0; count < 9; count += 1) {
        if (await store.leaseInquiry(due, due + minute)) winners.inquiries += 1
        if (await store.leaseRefund(noon, noon + minute)) winners.refunds += 1
      }
      expect(winners).toEqual({ inquiries: 8, refunds: 8 })
    })

    it('serialises reports on one attempt', async () => {
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

    it('grants an inquiry to one of twenty requests', async () => {
      const { id } = await opened(7_000_001)
      for (let round = 0; round < raceRounds; round += 1) {
        const claims = await Promise.all(
          Array.from({ length: 20 }, () => store.claimInquiry(id, second, noon + round * second)),
        )
        expect(claims.filter(Boolean)).toHaveLength(1)
      }
    })
  })

  describe('retention', () => {
    const ended = async (of: number, state: 'superseded' | 'failed' = 'superseded'): Promise<AttemptRow> => {
      const attempt = await start({ order_id: of })
      await store.moveAttempt(attempt.id, ['creating'], state)
      const due = held(await store.leaseInquiry(noon + day, noon + 30 * day))
      expect(due.id).toBe(attempt.id)
      await store.planInquiry(due, 9, null)
      return attempt
    }
    const bodies = async (transactionId = '9000001') =>
      (await store.listEvents(transactionId)).map(({ body }) => body)

    it('clears the details of old events and keeps the record', async () => {
      const { id } = await start()
      const old = event({ attempt_id: id })
      await store.addEvent(old)
      await store.addEvent(event({ transaction_id: '9000002', received_at: noon + minute }))
      expect(await store.clearDetails(0, noon + minute, 10)).toMatchObject({ rows: 1, more: false })
      expect(await store.listEvents('9000001')).toEqual([{ ...old, ...unseen, body: '{}' }])
      expect(await bodies('9000002')).toEqual([old.body])
      // Reported again it is a repeat: nothing is paid or refunded twice.
      expect(await store.addEvent(old)).toBe(false)
      expect(await bodies()).toEqual(['{}'])
    })

    it('clears them page by page', async () => {
      for (const name of ['1', '2', '3']) await store.addEvent(event({ transaction_id: name }))
      const first = await store.clearDetails(0, noon + 1, 2)
      expect(first).toMatchObject({ rows: 2, more: true })
      expect(await store.clearDetails(first.reached, noon + 1, 2)).toMatchObject({ rows: 1, more: false })
      expect(await store.clearDetails(0, noon + 1, 10)).toMatchObject({ rows: 0 })
      expect(await bodies('3')).toEqual(['{}'])
    })

    it('keeps the details while a refund is open', async () => {
      const wanted = await refund()
      await store.addEvent(event({ attempt_id: wanted.attempt_id, outcome: 'second-payment' }))
      await store.addRefund(wanted, noon)
      expect(await store.clearDetails(0, noon + 1, 10)).toMatchObject({ rows: 0 })
      await store.finishRefund('9000001', noon)
      expect(await store.clearDetails(0, noon + 1, 10)).toMatchObject({ rows: 1 })
    })

    it.each(['reference-mismatch', 'unknown-order', 'partial-refund'] as const)(
      'keeps the details of an event with the outcome %s',
      async (outcome) => {
        await store.addEvent(event({ outcome }))
        expect(await store.clearDetails(0, noon + 1, 10)).toMatchObject({ rows: 0 })
        expect(await bodies()).toEqual([event().body])
      },
    )

    it('deletes the payments of orders for which no money moved', async () => {
      const never = await addOrder()
      const declined = await ended(orderId, 'failed')
      const again = await ended(orderId)
      await store.addEvent(event({ kind: 'failed', outcome: 'noted', attempt_id: declined.id }))
      const others = await start({ order_id: await addOrder() })
      const deleted = await database.transaction(() => store.deleteUnpaid([orderId, never]))
      expect(deleted).toEqual([orderId, never])
      for (const { reference } of [declined, again])
        expect(await store.findByReference(reference)).toBeUndefined()
      expect(await store.listEvents('9000001')).toEqual([])
      expect(await store.findByReference(others.reference)).toEqual(others)
      expect(await database.transaction(() => store.deleteUnpaid([]))).toEqual([])
    })

    it.each([
      ['was paid', { kind: 'succeeded', outcome: 'applied' }],
      ['took another amount', { kind: 'succeeded', outcome: 'amount-mismatch' }],
      ['was paid and refunded', { kind: 'refunded', outcome: 'applied' }],
      ['had money captured', { kind: 'captured', outcome: 'noted' }],
      ['is held', { kind: 'failed', outcome: 'reference-mismatch' }],
    ] as const)('keeps all payments of an order that %s', async (_, reported) => {
      const { id, reference } = await ended(orderId)
      await ended(orderId)
      await store.addEvent(event({ ...reported, attempt_id: id }))
      expect(await database.transaction(() => store.deleteUnpaid([orderId]))).toEqual([])
      expect(await store.findByReference(reference)).toBeDefined()
      expect((await store.listOfOrders([orderId])).attempts).toHaveLength(2)
      expect(await store.listEvents('9000001')).toHaveLength(1)
    })

    it('keeps all payments of an order with a refund, a live attempt or a pending inquiry', async () => {
      const { id } = await ended(orderId)
      await store.addRefund({ ...(await refund()), attempt_id: id }, noon)
      const living = await addOrder()
      await start({ order_id: living })
      const awaited = await addOrder()
      await store.moveAttempt((await start({ order_id: awaited })).id, ['creating'], 'superseded')
      const orderIds = [orderId, living, awaited]
      expect(await database.transaction(() => store.deleteUnpaid(orderIds))).toEqual([])
      expect((await store.listOfOrders(orderIds)).attempts.length).toBeGreaterThanOrEqual(3)
    })
  })
}

import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { listEvents } from '#server/features/history/history.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { freeLeases } from '#server/platform/database/leases.ts'
import { manualClock } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import {
  type AttemptRow,
  adoptProviderOrder,
  claimInquiry,
  countLiveAttempts,
  erasePaymentsOfOrders,
  findAttemptByAnyProviderOrder,
  findAttemptByIntention,
  findAttemptByProviderOrder,
  findAttemptByReference,
  findLiveAttempt,
  hasLaterAttempt,
  leaseInquiry,
  listOpenedAttempts,
  lockAttempt,
  lockAttemptOfProvider,
  lockAttempts,
  moveAttempt,
  openAttempt,
  planInquiry,
  readDueInquiries,
  scheduleInquiryNow,
  startAttempt,
  supersedeLiveAttempt,
} from './attempts.queries.ts'
import {
  addFinding,
  addPaymentEvent,
  clearEventDetails,
  endFindings,
  findOrderOfTransaction,
  listPaymentEvents,
  type NewPaymentEvent,
  readCharged,
  setEventOutcome,
} from './payment-events.queries.ts'
import { deleteUnpaid, hasUnsettledPayments, listPaymentsOfOrders } from './payments.queries.ts'
import { inquiryDueAt, refundRules, unresolvedOutcomes } from './payments.rules.ts'
import {
  addRefund,
  beginRefund,
  countOpenRefunds,
  countOverdueRefunds,
  doubtRefund,
  findRefund,
  leaseRefund,
  listOverdueRefunds,
  listRefunds,
  listRefundsOfTransaction,
  markRefundDone,
  mayWriteOffRefund,
  planRefund,
  readOpenRefunds,
  recordReturned,
  refundPayment,
  refuseRefund,
  scheduleRefundNow,
  sumReturned,
  withdrawRefund,
  writeOffRefund,
} from './refunds.queries.ts'

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

/** Contract of the queries of payments. */
forEachEngine((_engine, open) => {
  let core: Core
  let database: Database
  let addOrder: () => Promise<number>
  let orderId: number
  let references = 0

  /** A step as the only one of a transaction. */
  const alone =
    <Given extends unknown[], Result>(step: (core: Core, ...given: Given) => Promise<Result>) =>
    (...given: Given) =>
      database.transaction(() => step(core, ...given))
  const steps = {
    addRefund: alone(addRefund),
    refundPayment: alone(refundPayment),
    recordReturned: alone(recordReturned),
    withdrawRefund: alone(withdrawRefund),
    writeOffRefund: alone(writeOffRefund),
    beginRefund: alone(beginRefund),
    refuseRefund: alone(refuseRefund),
    doubtRefund: alone(doubtRefund),
    markRefundDone: alone(markRefundDone),
  }

  beforeEach(async () => {
    database = await open()
    core = await openCore({ database, clock: manualClock(noon) })
    const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
    references = 0
    addOrder = () => storeOrder({ database }, newOrder(userId), [newLeg(`AM-${crypto.randomUUID()}`)])
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
    const attempt = await startAttempt(core, newAttempt(change))
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
    await openAttempt(core, attempt.id, intention(providerOrderId))
    return attempt
  }

  const unleased = { lease: null, leased_until: 0, tries: 0, last_error: null }

  function held<T>(claimed: T | undefined): T {
    if (claimed === undefined) throw new Error('nothing is due')
    return claimed
  }

  const event = (change: Partial<NewPaymentEvent> = {}): NewPaymentEvent => ({
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
      expect(await findLiveAttempt(core, orderId)).toEqual(attempt)
      expect(await findAttemptByReference(core, attempt.reference)).toEqual(attempt)
    })
  })

  const unseen = { seen_at: null, id: expect.any(Number) }

  const refund = async (transactionId = '9000001') => ({
    transaction_id: transactionId,
    attempt_id: (await findLiveAttempt(core, orderId))?.id ?? (await start()).id,
    captured: 5_000,
    currency: 'SAR',
    reason: 'second-payment' as const,
    by: system,
  })

  describe('stores and finds refunds', () => {
    it('unchanged, due at once', async () => {
      const { captured, by, ...wanted } = await refund()
      await steps.addRefund({ ...wanted, captured, by }, noon)
      expect(await leaseRefund(core, noon, noon + minute)).toEqual({
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
      expect(await countOpenRefunds(core)).toEqual(new Map())
      expect(await readOpenRefunds(core)).toEqual({ count: 0, oldest: null })
      await steps.addRefund(await refund('1'), noon)
      await steps.addRefund(await refund('2'), noon)
      const { id, ...finished } = (await steps.markRefundDone('2', noon)) ?? {}
      expect(finished).toMatchObject({ reason: 'second-payment', order_id: orderId })
      expect(await findRefund(core, id ?? 0)).toMatchObject({ transaction_id: '2', state: 'done' })
      expect(await steps.markRefundDone('2', noon)).toBeUndefined()
      expect(await countOpenRefunds(core)).toEqual(new Map([['due', { count: 1, halalas: 5_000 }]]))
      expect(await readOpenRefunds(core)).toEqual({ count: 1, oldest: noon })
    })
  })

  describe('refunds of one payment', () => {
    const part = async (amount?: number) => ({ ...(await refund()), reason: 'operator' as const, amount })
    const rows = async () =>
      (await listRefundsOfTransaction(core, '9000001')).map(
        (row) => `${row.reason} ${row.amount_halalas} ${row.state}`,
      )
    const byHand = async () => {
      const { captured: _, by: __, ...row } = await part()
      return row
    }
    const request = async () => {
      const begun = held(await steps.beginRefund(held(await leaseRefund(core, noon, noon + minute)), noon))
      await planRefund(core, begun, 'asked', noon + minute)
    }

    it('are ordered under a lock: the sum of the ledger is read before', async () => {
      const wanted = await refund()
      await expect(addRefund(core, wanted, noon)).rejects.toThrow()
      await expect(recordReturned(core, await byHand(), 1_000, noon)).rejects.toThrow()
    })

    it('are parts that never add up to more than was captured', async () => {
      expect(await steps.addRefund(await part(2_000), noon)).toBe(true)
      // One at a time: that goes back already.
      expect(await steps.addRefund(await part(1_000), noon)).toBe(true)
      expect(await rows()).toEqual(['operator 2000 due'])
      await steps.markRefundDone('9000001', noon)
      expect(await steps.addRefund(await part(9_000), noon)).toBe(true)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 due'])
      expect(await sumReturned(core, 'transaction_id', '9000001')).toBe(2_000)
      await steps.markRefundDone('9000001', noon)
      expect(await sumReturned(core, 'transaction_id', '9000001')).toBe(5_000)
      for (const amount of [1, undefined]) expect(await steps.addRefund(await part(amount), noon)).toBe(false)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 done'])
    })

    it('are ordered again after one was written off, which counts as no return', async () => {
      await steps.addRefund(await part(2_000), noon)
      await steps.markRefundDone('9000001', noon)
      await steps.addRefund(await part(), noon)
      expect(await steps.writeOffRefund('9000001', { by: staff }, noon + refundRules.helpAfterMs)).toBe(true)
      expect(await steps.addRefund({ ...(await refund()), reason: 'cancelled' }, noon + day)).toBe(true)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 done', 'cancelled 3000 due'])
      expect(await sumReturned(core, 'transaction_id', '9000001')).toBe(2_000)
    })

    it('are open one at a time, also where two are ordered at once', async () => {
      const wanted = await part(1_000)
      for (let round = 0; round < raceRounds; round += 1) {
        const transaction_id = `race-${round}`
        const order = () =>
          database.transaction(async () => {
            await lockAttempt(core, wanted.attempt_id)
            return addRefund(core, { ...wanted, transaction_id }, noon)
          })
        expect(await Promise.all([order(), order(), order()])).toEqual([true, true, true])
        expect(await listRefundsOfTransaction(core, transaction_id)).toMatchObject([{ state: 'due' }])
      }
      const [open] = await listRefundsOfTransaction(core, 'race-0')
      const { id: _, ...row } = held(open)
      await expect(database.tables.insertInto('refunds').values(row).execute()).rejects.toThrow(/unique/i)
    })

    it('made by hand at the provider are stored, and shrink the one that is open', async () => {
      await steps.addRefund(await part(), noon)
      await steps.recordReturned(await byHand(), 1_000, noon)
      expect(await rows()).toEqual(['operator 4000 due', 'operator 1000 done'])
      // Seen again, it is the same.
      await steps.recordReturned(await byHand(), 1_000, noon)
      expect(await rows()).toEqual(['operator 4000 due', 'operator 1000 done'])
      await request()
      // Less than was requested is another one by hand.
      await steps.recordReturned(await byHand(), 1_500, noon)
      expect(await rows()).toEqual(['operator 3500 asked', 'operator 1000 done', 'operator 500 done'])
      await steps.recordReturned(await byHand(), 5_000, noon)
      expect(await rows()).toEqual(['operator 3500 done', 'operator 1000 done', 'operator 500 done'])
      expect(await sumReturned(core, 'transaction_id', '9000001')).toBe(5_000)
    })

    it('made by hand stay beside a correction of the one that is open', async () => {
      const wrong = { ...(await refund()), reason: 'wrong-amount' as const }
      await steps.addRefund(wrong, noon)
      await steps.recordReturned(await byHand(), 1_000, noon)
      expect(await steps.addRefund(wrong, noon)).toBe(true)
      expect(await rows()).toEqual(['wrong-amount 4000 due', 'wrong-amount 1000 done'])
      await steps.addRefund({ ...wrong, captured: 4_900 }, noon)
      expect(await rows()).toEqual(['wrong-amount 3900 due', 'wrong-amount 1000 done'])
    })

    it('that were requested become done as the provider shows them, without another row', async () => {
      await steps.addRefund({ ...(await refund()), reason: 'cancelled' }, noon)
      await request()
      await steps.recordReturned(await byHand(), 5_000, noon + second)
      expect(await listRefundsOfTransaction(core, '9000001')).toMatchObject([
        { reason: 'cancelled', amount_halalas: 5_000, state: 'done', done_at: noon + second, due_at: null },
      ])
    })

    it('are one of the whole where the whole is ordered while a part is due, and false where a part was requested', async () => {
      await steps.addRefund({ ...(await part()), amount: 2_000 }, noon)
      expect(await steps.addRefund(await part(), noon)).toBe(true)
      expect(await rows()).toEqual(['operator 5000 due'])
      await database.tables.updateTable('refunds').set({ amount_halalas: 2_000, state: 'asked' }).execute()
      expect(await steps.addRefund(await part(), noon)).toBe(false)
    })

    it('made by hand where none was ordered are stored as done', async () => {
      await steps.recordReturned(await byHand(), 2_000, noon)
      await steps.recordReturned(await byHand(), 5_000, noon)
      expect(await rows()).toEqual(['operator 2000 done', 'operator 3000 done'])
      expect(await steps.addRefund(await part(), noon)).toBe(false)
    })
  })

  describe('the payments of a deleted account', () => {
    it('are settled where nothing was paid', async () => {
      expect(await hasUnsettledPayments(core, [])).toBe(false)
      expect(await hasUnsettledPayments(core, [orderId])).toBe(false)
      await opened(7_000_001)
      expect(await hasUnsettledPayments(core, [orderId])).toBe(false)
    })

    it('are unsettled until a refund is done', async () => {
      const { id } = await start()
      await moveAttempt(core, id, ['creating'], 'succeeded')
      await steps.addRefund(
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
      expect(await hasUnsettledPayments(core, [await addOrder(), orderId])).toBe(true)
      await steps.markRefundDone('T2', noon)
      expect(await hasUnsettledPayments(core, [orderId])).toBe(false)
    })

    it.each(['reference-mismatch'] as const)(
      'are unsettled while a payment is held for %s, until it was returned',
      async (outcome) => {
        const { id } = await start()
        await moveAttempt(core, id, ['creating'], 'superseded')
        await addPaymentEvent(core, event({ attempt_id: id, outcome }))
        expect(await hasUnsettledPayments(core, [orderId])).toBe(true)
        await addPaymentEvent(core, event({ attempt_id: id, kind: 'refunded', outcome: 'partial-refund' }))
        expect(await hasUnsettledPayments(core, [orderId])).toBe(true)
        await addPaymentEvent(core, event({ attempt_id: id, kind: 'refunded', outcome: 'noted' }))
        expect(await hasUnsettledPayments(core, [orderId])).toBe(false)
      },
    )

    it('are listed completely, oldest first, without those of other orders', async () => {
      const first = await opened(7_000_001)
      await moveAttempt(core, first.id, ['open'], 'superseded')
      const second = await opened(7_000_002)
      const another = await addOrder()
      await addPaymentEvent(core, event({ attempt_id: second.id }))
      await addPaymentEvent(core, event({ transaction_id: '9000002', attempt_id: null }))
      await steps.addRefund(
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
      const { attempts, events, refunds } = await listPaymentsOfOrders(core, [orderId, another])
      expect(attempts.map(({ id }) => id)).toEqual([first.id, second.id])
      expect(events.map(({ transaction_id }) => transaction_id)).toEqual(['9000001'])
      expect(refunds).toMatchObject([{ transaction_id: 'T2', reason: 'owner-deleted', state: 'due' }])
      const nothing = { attempts: [], events: [], refunds: [] }
      expect(await listPaymentsOfOrders(core, [another])).toEqual(nothing)
      expect(await listPaymentsOfOrders(core, [])).toEqual(nothing)
    })

    it('lose their secrets and keep their record', async () => {
      const { reference } = await opened(7_000_001)
      await erasePaymentsOfOrders(core, [])
      expect((await findAttemptByReference(core, reference))?.client_secret).toBe('sau_csk_test_7000001')
      await erasePaymentsOfOrders(core, [orderId])
      expect(await findAttemptByReference(core, reference)).toMatchObject({
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
        await moveAttempt(core, first.id, ['creating'], state)
        expect(await startAttempt(core, newAttempt())).toBeUndefined()
        expect((await findLiveAttempt(core, orderId))?.id).toBe(first.id)
      },
    )

    it.each(['superseded', 'failed', 'succeeded'] as const)(
      'starts a second attempt after one that is %s',
      async (state) => {
        const first = await start()
        await moveAttempt(core, first.id, ['creating'], state)
        expect(await findLiveAttempt(core, orderId)).toBeUndefined()
        const second = await start()
        expect((await findLiveAttempt(core, orderId))?.id).toBe(second.id)
      },
    )

    it('stores the first of two events of one transaction and kind', async () => {
      await addPaymentEvent(core, event({ source: 'callback' }))
      expect(await addPaymentEvent(core, event({ source: 'inquiry' }))).toBe(false)
      expect((await listPaymentEvents(core, '9000001')).map(({ source }) => source)).toEqual(['callback'])
    })

    it.each([...unresolvedOutcomes])('replaces an event with the outcome %s', async (outcome) => {
      const attempt = await start()
      await addPaymentEvent(core, event({ outcome, body: '{"tampered":true}' }))
      const replaced = event({ outcome: 'applied', attempt_id: attempt.id, source: 'inquiry' })
      expect(await addPaymentEvent(core, replaced)).toBe(true)
      expect(await listPaymentEvents(core, '9000001')).toEqual([{ ...replaced, ...unseen }])
      expect(await addPaymentEvent(core, event({ outcome }))).toBe(false)
    })

    const mismatch = event({ outcome: 'amount-mismatch', amount_halalas: 4_900 })
    const exact = event({ outcome: 'applied' })
    it.each<[string, NewPaymentEvent, NewPaymentEvent, boolean]>([
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
      expect(await addPaymentEvent(core, first)).toBe(true)
      expect(await addPaymentEvent(core, second)).toBe(isReplaced)
      expect(await listPaymentEvents(core, '9000001')).toMatchObject([isReplaced ? second : first])
    })

    it('orders one refund of a payment that pays for nothing, and corrects it until it is requested', async () => {
      expect(await steps.addRefund(await refund(), noon)).toBe(true)
      expect(await steps.addRefund({ ...(await refund()), captured: 4_900, currency: 'EGP' }, noon)).toBe(
        true,
      )
      const claimed = await leaseRefund(core, noon, noon + minute)
      expect(claimed).toMatchObject({ amount_halalas: 4_900, currency: 'EGP' })
      expect(await leaseRefund(core, noon, noon + minute)).toBeUndefined()
      expect(await steps.beginRefund(held(claimed))).toMatchObject({
        state: 'uncertain',
        amount_halalas: 4_900,
      })
      await steps.addRefund({ ...(await refund()), captured: 9_999 }, noon)
      expect(await listRefundsOfTransaction(core, '9000001')).toMatchObject([{ amount_halalas: 4_900 }])
      await steps.markRefundDone('9000001', noon)
      expect(await steps.addRefund({ ...(await refund()), captured: 9_999 }, noon)).toBe(false)
    })
  })

  describe('order', () => {
    it('lists the attempts with a provider order, newest first', async () => {
      const first = await opened(7_000_001)
      await moveAttempt(core, first.id, ['open'], 'superseded')
      const second = await opened(7_000_002)
      await moveAttempt(core, second.id, ['open'], 'superseded')
      await start()
      const numbers = (await listOpenedAttempts(core, orderId)).map((row) => row.provider_order_id)
      expect(numbers).toEqual([7_000_002, 7_000_001])
    })
  })

  describe('transitions', () => {
    it('moves an attempt only from the given states', async () => {
      const { id } = await start()
      expect(await moveAttempt(core, id, ['open', 'unknown'], 'failed')).toBe(false)
      expect(await moveAttempt(core, id, ['creating'], 'unknown')).toBe(true)
      expect(await moveAttempt(core, id, ['creating'], 'failed')).toBe(false)
      expect(await findLiveAttempt(core, orderId)).toMatchObject({ state: 'unknown' })
    })

    it('stores the provider’s order number once', async () => {
      const { id } = await start()
      await adoptProviderOrder(core, id, 7_000_001)
      await adoptProviderOrder(core, id, 7_000_002)
      expect(await findAttemptByProviderOrder(core, 7_000_001)).toMatchObject({ id })
      expect(await findAttemptByProviderOrder(core, 7_000_002)).toBeUndefined()
    })

    it('knows whether a later attempt of the order exists', async () => {
      const first = await start()
      await start({ order_id: await addOrder() })
      expect(await hasLaterAttempt(core, orderId, first.id)).toBe(false)
      await moveAttempt(core, first.id, ['creating'], 'failed')
      await start()
      expect(await hasLaterAttempt(core, orderId, first.id)).toBe(true)
    })

    it('counts live attempts by state', async () => {
      const { id } = await opened(7_000_001)
      for (let count = 0; count < 2; count += 1) await start({ order_id: await addOrder() })
      expect(await countLiveAttempts(core)).toEqual(
        new Map([
          ['open', 1],
          ['creating', 2],
        ]),
      )
      await moveAttempt(core, id, ['open'], 'failed')
      expect(await countLiveAttempts(core)).toEqual(new Map([['creating', 2]]))
    })

    it('schedules the next inquiry only under a valid claim', async () => {
      const { id } = await start()
      const due = inquiryDueAt(noon, 0) ?? 0
      const attempt = held(await leaseInquiry(core, due, due + minute))
      await planInquiry(core, { id, lease: 'another' }, 5, due)
      expect(await findLiveAttempt(core, orderId)).toMatchObject({
        inquiry_step: 0,
        due_at: due,
        leased_until: due + minute,
        inquired_at: due,
      })
      await planInquiry(core, attempt, 1, due + 2 * minute, 'unreadable')
      expect(await findLiveAttempt(core, orderId)).toMatchObject({
        inquiry_step: 1,
        due_at: due + 2 * minute,
        lease: null,
        last_error: 'unreadable',
      })
    })

    it('makes a refund due now until it is requested; a claim ends with it', async () => {
      await steps.addRefund(await refund(), noon)
      const claimed = held(await leaseRefund(core, noon, noon + minute))
      const { id } = claimed
      expect(await scheduleRefundNow(core, id, noon + second)).toBe(true)
      expect(await scheduleRefundNow(core, id, noon + second)).toBe(false)
      expect(await steps.beginRefund(claimed)).toBeUndefined()
      const next = held(await leaseRefund(core, noon + second, noon + minute))
      expect(next).toMatchObject({ id, tries: 2 })
      expect(await steps.beginRefund(next)).toMatchObject({ id, state: 'uncertain' })
      expect(await scheduleRefundNow(core, id, noon + second)).toBe(false)
      expect(await scheduleRefundNow(core, id + 1, noon)).toBe(false)
    })

    it('makes a refund due that was requested a day ago, and not one that was requested lately', async () => {
      const requestedAt = noon + 2 * day
      await steps.addRefund({ ...(await refund()), reason: 'wrong-amount' }, noon)
      const claimed = held(await leaseRefund(core, requestedAt, requestedAt + minute))
      const { id } = claimed
      const begun = await steps.beginRefund(claimed, requestedAt)
      await planRefund(core, held(begun), 'asked', requestedAt + 40 * 60 * minute)
      expect(await scheduleRefundNow(core, id, requestedAt + day - 1)).toBe(false)
      const now = requestedAt + day
      expect(await scheduleRefundNow(core, id, now)).toBe(true)
      // The money may be on its way back: it cannot be taken for never requested.
      expect(await steps.withdrawRefund('9000001')).toBe(false)
      expect(await leaseRefund(core, now, now + minute)).toMatchObject({ id, state: 'uncertain' })
    })

    it('writes a refund off that the provider refused or never got, once, and counts it as no return', async () => {
      const row = await refund()
      const writeOff = (at: number) =>
        steps.writeOffRefund('9000001', { by: staff, words: 'the account is closed' }, at)
      const may = (at: number) => mayWriteOffRefund(core, '9000001', at)
      await steps.addRefund(row, noon)
      const late = noon + refundRules.helpAfterMs
      expect([await may(late - 1), await writeOff(late - 1), await may(late)]).toEqual([false, false, true])
      const claimed = held(await leaseRefund(core, noon, noon + minute))
      // A worker has it.
      expect([await may(late), await writeOff(late)]).toEqual([false, false])
      // It was not read, and so not requested.
      await planRefund(core, claimed, 'due', noon, 'the payment provider answered 503 to read transaction')
      expect([await may(noon), await writeOff(noon)]).toEqual([false, false])
      // Its outcome is not known: it is written off only once the provider has dropped it.
      const read = held(await leaseRefund(core, noon, noon + minute))
      const begun = held(await steps.beginRefund(read, noon))
      await planRefund(core, begun, 'uncertain', noon + minute, 'no answer')
      expect(await writeOff(noon + day - 1)).toBe(false)
      expect(await may(noon + day)).toBe(true)
      const again = held(await leaseRefund(core, noon + minute, noon + 2 * minute))
      await steps.refuseRefund(again, noon + minute, 'refused', noon + minute)
      expect(await may(noon + minute)).toBe(true)
      // Requested again: what was refused before says nothing of it.
      const third = held(await leaseRefund(core, noon + minute, noon + 2 * minute))
      const asked = held(await steps.beginRefund(third, noon + minute))
      await planRefund(core, asked, 'due', noon + minute, 'not sent')
      expect(await may(noon + minute)).toBe(false)
      const last = held(await leaseRefund(core, noon + minute, noon + 2 * minute))
      await steps.refuseRefund(last, noon + day, 'refused', noon + minute)
      expect(await writeOff(noon + minute)).toBe(true)
      expect(await writeOff(noon + day)).toBe(false)
      const writtenOff = { state: 'done', written_off_at: noon + minute, due_at: null }
      expect(await listRefundsOfTransaction(core, '9000001')).toMatchObject([writtenOff])
      expect(await sumReturned(core, 'attempt_id', row.attempt_id)).toBe(0)
      expect(await steps.markRefundDone('9000001', noon + day)).toBeUndefined()
      // A repeated report orders none again; a cancellation does.
      expect(await steps.addRefund(row, noon + day)).toBe(false)
      expect(await steps.addRefund({ ...row, reason: 'cancelled' }, noon + day)).toBe(true)
      expect(await listRefundsOfTransaction(core, '9000001')).toMatchObject([
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
      await steps.markRefundDone('9000001', noon + day)
      expect(await sumReturned(core, 'transaction_id', '9000001')).toBe(5_000)
      expect(await steps.addRefund({ ...row, reason: 'cancelled' }, noon + day)).toBe(false)
    })

    it('reads a refund of unknown outcome no sooner after a crash of the only gateway', async () => {
      await steps.addRefund(await refund(), noon)
      await steps.beginRefund(held(await leaseRefund(core, noon, noon + minute)), noon)
      await freeLeases(database)
      const certain = noon + refundRules.leaseMs
      expect(await leaseRefund(core, certain - 1, certain + minute)).toBeUndefined()
      expect(await leaseRefund(core, certain, certain + minute)).toMatchObject({ state: 'uncertain' })
    })

    it('orders the refund of a stored payment, and of no other', async () => {
      const { id } = await start()
      await addPaymentEvent(core, event({ attempt_id: id, amount_halalas: 4_900 }))
      await steps.refundPayment('9000001', { reason: 'operator', by: staff }, noon)
      expect(await listRefundsOfTransaction(core, '9000001')).toMatchObject([
        { attempt_id: id, amount_halalas: 4_900, currency: 'SAR', reason: 'operator', state: 'due' },
      ])
      await expect(steps.refundPayment('9000002', { reason: 'operator', by: staff }, noon)).rejects.toThrow(
        '9000002',
      )
    })

    it('lists refunds that are not done for long, with their orders', async () => {
      await steps.addRefund(await refund('1'), noon)
      await steps.addRefund(await refund('2'), noon)
      await steps.addRefund(await refund('3'), noon + second)
      await steps.markRefundDone('2', noon)
      const overdue = await listOverdueRefunds(core, noon, 10)
      expect(overdue.map((row) => [row.order_id, row.transaction_id])).toEqual([[orderId, '1']])
      expect(await listOverdueRefunds(core, noon + second, 1)).toHaveLength(1)
    })

    it('finds the order of a transaction', async () => {
      const { id } = await start()
      await addPaymentEvent(core, event({ attempt_id: id }))
      await addPaymentEvent(core, event({ transaction_id: '9000002', outcome: 'unknown-order' }))
      expect(await findOrderOfTransaction(core, '9000001')).toBe(orderId)
      expect(await findOrderOfTransaction(core, '9000002')).toBeUndefined()
      expect(await findOrderOfTransaction(core, '9000003')).toBeUndefined()
    })

    it('sums up the payments that were reported on an attempt, whatever became of them', async () => {
      const mine = await start()
      expect(await readCharged(core, mine.id)).toEqual({ charged: 0, hasFinding: false, seen: 0 })
      await addPaymentEvent(core, event({ attempt_id: mine.id }))
      await addPaymentEvent(core, event({ attempt_id: mine.id, kind: 'refunded' }))
      await addPaymentEvent(
        core,
        event({ attempt_id: mine.id, transaction_id: '9000002', outcome: 'second-payment' }),
      )
      await addPaymentEvent(
        core,
        event({ attempt_id: mine.id, transaction_id: '9000003', kind: 'failed', outcome: 'noted' }),
      )
      await addPaymentEvent(core, event({ transaction_id: '9000004' }))
      expect(await readCharged(core, mine.id)).toEqual({ charged: 10_000, hasFinding: false, seen: 0 })
      await addFinding(core, mine.id, 5_000, noon)
      await addFinding(core, mine.id, 7_000, noon + second)
      expect(await database.tables.selectFrom('payment_findings').selectAll().execute()).toMatchObject([
        { attempt_id: mine.id, amount_halalas: 7_000, noticed_at: noon, closed_at: null },
      ])
      expect(await readCharged(core, mine.id)).toEqual({ charged: 10_000, hasFinding: true, seen: 0 })
      await endFindings(core, mine.id, noon + minute)
      expect(await readCharged(core, mine.id)).toEqual({ charged: 10_000, hasFinding: false, seen: 0 })
      // The same sum again is another payment, and what there was stays.
      await addFinding(core, mine.id, 7_000, noon + day)
      await endFindings(core, mine.id, noon + 2 * day)
      expect(await database.tables.selectFrom('payment_findings').selectAll().execute()).toMatchObject([
        { noticed_at: noon, closed_at: noon + minute, agreed_at: noon + minute },
        { noticed_at: noon + day, closed_at: noon + 2 * day, agreed_at: noon + 2 * day },
      ])
    })

    it('moves a refund forward, and never back from done', async () => {
      await steps.addRefund(await refund(), noon)
      await planRefund(core, held(await leaseRefund(core, noon, noon + minute)), 'asked', noon + 5)
      const claimed = held(await leaseRefund(core, noon + 5, noon + minute))
      expect(claimed).toMatchObject({ state: 'asked', tries: 2 })
      await steps.markRefundDone('9000001', noon + 10)
      await planRefund(core, claimed, 'due', noon)
      expect(await listRefundsOfTransaction(core, '9000001')).toMatchObject([{ state: 'done', due_at: null }])
      expect(await leaseRefund(core, noon + minute, noon + 2 * minute)).toBeUndefined()
    })

    it('records each change of a refund once, with who decided it and why', async () => {
      const lease = async () => held(await leaseRefund(core, noon, noon + minute))
      const refuse = async (reason: string) => {
        const begun = held(await steps.beginRefund(await lease(), noon))
        await steps.refuseRefund(begun, noon, reason, noon)
      }
      const words = 'the bag was lost'
      const wanted = { ...(await refund()), reason: 'operator' as const, by: staff, words }
      const byHand = { transaction_id: '9000001', attempt_id: wanted.attempt_id, currency: 'SAR' }
      await steps.addRefund({ ...wanted, amount: 1_000 }, noon)
      await steps.addRefund({ ...wanted, by: system, words: null }, noon)
      await steps.addRefund(wanted, noon)
      for (const reason of ['closed', 'closed', 'limit']) await refuse(reason)
      const doubted = held(await steps.beginRefund(await lease(), noon))
      for (let time = 0; time < 2; time += 1) await steps.doubtRefund(doubted, noon, 'cut off')
      for (let time = 0; time < 2; time += 1)
        await steps.recordReturned({ ...byHand, reason: 'operator' }, 2_000, noon)
      for (let time = 0; time < 2; time += 1) await steps.markRefundDone('9000001', noon)
      const other = { ...(await refund('9000002')), reason: 'wrong-amount' as const }
      for (let time = 0; time < 2; time += 1) await steps.addRefund(other, noon)
      for (let time = 0; time < 2; time += 1) await steps.withdrawRefund('9000002')
      await steps.addRefund(other, noon)
      await refuse('closed')
      for (let time = 0; time < 2; time += 1)
        await steps.writeOffRefund('9000002', { by: staff, words }, noon)
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
      const refunds = await listRefunds(core, [orderId])
      expect(new Set(rows.map(({ data }) => (data as { refundId: number }).refundId)).size).toBe(
        refunds.length + 1,
      )
    })

    it('withdraws the refund of a wrong amount until it may have been requested, and no other', async () => {
      const wrong = async (id: string) => ({ ...(await refund(id)), reason: 'wrong-amount' as const })
      expect(await steps.withdrawRefund('none')).toBe(true)
      await steps.addRefund(await wrong('due'), noon)
      expect(await steps.withdrawRefund('due')).toBe(true)
      expect(await listRefundsOfTransaction(core, 'due')).toEqual([])
      for (const state of ['uncertain', 'asked', 'done'] as const) {
        await steps.addRefund(await wrong(state), noon)
        await planRefund(core, held(await leaseRefund(core, noon, noon + minute)), state, noon + day)
        expect(await steps.withdrawRefund(state)).toBe(false)
        expect(await listRefundsOfTransaction(core, state)).toMatchObject([{ state }])
      }
      await steps.addRefund(await refund('second'), noon)
      expect(await steps.withdrawRefund('second')).toBe(true)
      expect(await listRefundsOfTransaction(core, 'second')).toHaveLength(1)
    })

    it('lists the refunds of orders, and sums up what was returned', async () => {
      const mine = await refund('1')
      await steps.addRefund(mine, noon)
      await steps.addRefund({ ...mine, transaction_id: '2', captured: 700 }, noon + second)
      await steps.addRefund(
        { ...mine, transaction_id: '3', attempt_id: (await start({ order_id: await addOrder() })).id },
        noon,
      )
      expect(await listRefunds(core, [])).toEqual([])
      expect((await listRefunds(core, [orderId])).map((row) => [row.order_id, row.transaction_id])).toEqual([
        [orderId, '1'],
        [orderId, '2'],
      ])
      expect(await sumReturned(core, 'attempt_id', mine.attempt_id)).toBe(0)
      await steps.markRefundDone('2', noon)
      expect(await sumReturned(core, 'attempt_id', mine.attempt_id)).toBe(700)
      expect(await countOverdueRefunds(core, noon - 1)).toBe(0)
      expect(await countOverdueRefunds(core, noon + second)).toBe(2)
    })

    it('knows how many inquiries are due, and since when', async () => {
      expect(await readDueInquiries(core, noon)).toEqual({ count: 0, oldest: null })
      const first = await opened(7_000_001)
      await scheduleInquiryNow(core, first.id, second, noon + 1)
      const other = await start({ order_id: await addOrder() })
      await scheduleInquiryNow(core, other.id, second, noon + 2)
      expect(await readDueInquiries(core, noon + 1)).toEqual({ count: 1, oldest: noon + 1 })
      expect(await readDueInquiries(core, noon + 2)).toEqual({ count: 2, oldest: noon + 1 })
      await leaseInquiry(core, noon + 2, noon + minute)
      expect(await readDueInquiries(core, noon + 2)).toEqual({ count: 1, oldest: noon + 2 })
    })

    it('adds no refund in another currency to our money', async () => {
      await steps.addRefund(await refund('1'), noon)
      await steps.addRefund({ ...(await refund('2')), currency: 'EUR' }, noon - 1)
      expect(await readOpenRefunds(core)).toEqual({ count: 2, oldest: noon - 1 })
      expect((await countOpenRefunds(core)).get('due')).toEqual({ count: 2, halalas: 5_000 })
    })

    it('makes an inquiry due out of turn, never sooner than the gap after the last one', async () => {
      const { id } = await opened(7_000_001)
      expect(await scheduleInquiryNow(core, id, second, noon)).toBe(true)
      expect(await scheduleInquiryNow(core, id, second, noon)).toBe(false)
      const first = held(await leaseInquiry(core, noon, noon + minute))
      expect(first).toMatchObject({ id, inquiry_step: 0 })
      expect(await scheduleInquiryNow(core, id, second, noon + 1)).toBe(true)
      // A claim that ends meanwhile does not overwrite it.
      await planInquiry(core, first, 1, noon + 10 * minute)
      expect(await scheduleInquiryNow(core, id, second, noon + second - 1)).toBe(false)
      expect(await leaseInquiry(core, noon + second - 1, noon + minute)).toBeUndefined()
      await planInquiry(core, held(await leaseInquiry(core, noon + second, noon + minute)), 1, null)
      expect(await scheduleInquiryNow(core, id, second, noon + 10 * minute)).toBe(true)
      expect(await leaseInquiry(core, noon + 10 * minute, noon + 11 * minute)).toMatchObject({ id })
    })

    it('makes an inquiry due out of turn, the gap after an inquiry for a page', async () => {
      const { id } = await opened(7_000_001)
      expect(await claimInquiry(core, id, second, noon)).toBe(true)
      expect(await scheduleInquiryNow(core, id, second, noon + 1)).toBe(true)
      expect(await leaseInquiry(core, noon + second - 1, noon + minute)).toBeUndefined()
      expect(await leaseInquiry(core, noon + second, noon + minute)).toMatchObject({ id })
    })

    it('corrects the outcome of one event', async () => {
      await addPaymentEvent(core, event({ kind: 'succeeded' }))
      await addPaymentEvent(core, event({ kind: 'refunded' }))
      await setEventOutcome(core, '9000001', 'succeeded', 'second-payment')
      expect((await listPaymentEvents(core, '9000001')).map(({ outcome }) => outcome)).toEqual([
        'second-payment',
        'applied',
      ])
    })

    it('finds an attempt by its intention and by any of several numbers', async () => {
      const { id } = await opened(7_000_001)
      expect(await findAttemptByIntention(core, 'pi_test_7000001')).toMatchObject({ id })
      expect(await findAttemptByIntention(core, 'pi_test_1')).toBeUndefined()
      expect(await findAttemptByAnyProviderOrder(core, [])).toBeUndefined()
      expect(await findAttemptByAnyProviderOrder(core, [1, 2])).toBeUndefined()
      expect(await findAttemptByAnyProviderOrder(core, [1, 7_000_001])).toMatchObject({ id })
    })
  })

  describe('the live attempt of a cancelled order', () => {
    it('is superseded, so that its secret is not returned again; those of other orders stay', async () => {
      const { id } = await opened(7_000_001)
      const other = await addOrder()
      const theirs = await start({ order_id: other })
      await database.transaction(async () => {
        await lockAttempts(core, orderId)
        await supersedeLiveAttempt(core, orderId)
      })
      expect(await findLiveAttempt(core, orderId)).toBeUndefined()
      expect(await listOpenedAttempts(core, orderId)).toMatchObject([{ id, state: 'superseded' }])
      expect((await findLiveAttempt(core, other))?.id).toBe(theirs.id)
    })
  })

  describe('concurrency', () => {
    it('starts a refund once under one claim', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        await steps.addRefund(await refund(`begin-${round}`), noon)
        const claimed = held(await leaseRefund(core, noon, noon + minute))
        const begun = await Promise.all(Array.from({ length: 20 }, () => steps.beginRefund(claimed)))
        expect(begun.filter(Boolean)).toHaveLength(1)
        await steps.markRefundDone(`begin-${round}`, noon)
      }
    })

    it('leases eight inquiries and eight refunds at once', async () => {
      for (let count = 0; count < 9; count += 1) {
        const { id } = await start({ order_id: await addOrder() })
        await steps.addRefund({ ...(await refund(String(count))), attempt_id: id }, noon)
      }
      const due = inquiryDueAt(noon, 0) ?? 0
      const winners = { inquiries: 0, refunds: 0 }
      for (let count = 0; count < 9; count += 1) {
        if (await leaseInquiry(core, due, due + minute)) winners.inquiries += 1
        if (await leaseRefund(core, noon, noon + minute)) winners.refunds += 1
      }
      expect(winners).toEqual({ inquiries: 8, refunds: 8 })
    })

    it('serialises reports on one attempt', async () => {
      const { id } = await opened(7_000_001)
      const order: string[] = []
      const report = (name: string) =>
        database.transaction(async () => {
          expect(await lockAttemptOfProvider(core, 7_000_001)).toMatchObject({ id })
          order.push(`${name} in`)
          await addPaymentEvent(core, event({ transaction_id: name }))
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
          Array.from({ length: 20 }, () => claimInquiry(core, id, second, noon + round * second)),
        )
        expect(claims.filter(Boolean)).toHaveLength(1)
      }
    })
  })

  describe('retention', () => {
    const ended = async (of: number, state: 'superseded' | 'failed' = 'superseded'): Promise<AttemptRow> => {
      const attempt = await start({ order_id: of })
      await moveAttempt(core, attempt.id, ['creating'], state)
      const due = held(await leaseInquiry(core, noon + day, noon + 30 * day))
      expect(due.id).toBe(attempt.id)
      await planInquiry(core, due, 9, null)
      return attempt
    }
    const bodies = async (transactionId = '9000001') =>
      (await listPaymentEvents(core, transactionId)).map(({ body }) => body)

    it('clears the details of old events and keeps the record', async () => {
      const { id } = await start()
      const old = event({ attempt_id: id })
      await addPaymentEvent(core, old)
      await addPaymentEvent(core, event({ transaction_id: '9000002', received_at: noon + minute }))
      expect(await clearEventDetails(core, 0, noon + minute, 10)).toMatchObject({ rows: 1, more: false })
      expect(await listPaymentEvents(core, '9000001')).toEqual([{ ...old, ...unseen, body: '{}' }])
      expect(await bodies('9000002')).toEqual([old.body])
      // Reported again it is a repeat: nothing is paid or refunded twice.
      expect(await addPaymentEvent(core, old)).toBe(false)
      expect(await bodies()).toEqual(['{}'])
    })

    it('clears them page by page', async () => {
      for (const name of ['1', '2', '3']) await addPaymentEvent(core, event({ transaction_id: name }))
      const first = await clearEventDetails(core, 0, noon + 1, 2)
      expect(first).toMatchObject({ rows: 2, more: true })
      expect(await clearEventDetails(core, first.reached, noon + 1, 2)).toMatchObject({
        rows: 1,
        more: false,
      })
      expect(await clearEventDetails(core, 0, noon + 1, 10)).toMatchObject({ rows: 0 })
      expect(await bodies('3')).toEqual(['{}'])
    })

    it('keeps the details while a refund is open', async () => {
      const wanted = await refund()
      await addPaymentEvent(core, event({ attempt_id: wanted.attempt_id, outcome: 'second-payment' }))
      await steps.addRefund(wanted, noon)
      expect(await clearEventDetails(core, 0, noon + 1, 10)).toMatchObject({ rows: 0 })
      await steps.markRefundDone('9000001', noon)
      expect(await clearEventDetails(core, 0, noon + 1, 10)).toMatchObject({ rows: 1 })
    })

    it.each(['reference-mismatch', 'unknown-order', 'partial-refund'] as const)(
      'keeps the details of an event with the outcome %s',
      async (outcome) => {
        await addPaymentEvent(core, event({ outcome }))
        expect(await clearEventDetails(core, 0, noon + 1, 10)).toMatchObject({ rows: 0 })
        expect(await bodies()).toEqual([event().body])
      },
    )

    it('deletes the payments of orders for which no money moved', async () => {
      const never = await addOrder()
      const declined = await ended(orderId, 'failed')
      const again = await ended(orderId)
      await addPaymentEvent(core, event({ kind: 'failed', outcome: 'noted', attempt_id: declined.id }))
      const others = await start({ order_id: await addOrder() })
      const deleted = await database.transaction(() => deleteUnpaid(core, [orderId, never]))
      expect(deleted).toEqual([orderId, never])
      for (const { reference } of [declined, again])
        expect(await findAttemptByReference(core, reference)).toBeUndefined()
      expect(await listPaymentEvents(core, '9000001')).toEqual([])
      expect(await findAttemptByReference(core, others.reference)).toEqual(others)
      expect(await database.transaction(() => deleteUnpaid(core, []))).toEqual([])
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
      await addPaymentEvent(core, event({ ...reported, attempt_id: id }))
      expect(await database.transaction(() => deleteUnpaid(core, [orderId]))).toEqual([])
      expect(await findAttemptByReference(core, reference)).toBeDefined()
      expect((await listPaymentsOfOrders(core, [orderId])).attempts).toHaveLength(2)
      expect(await listPaymentEvents(core, '9000001')).toHaveLength(1)
    })

    it('keeps all payments of an order with a refund, a live attempt or a pending inquiry', async () => {
      const { id } = await ended(orderId)
      await steps.addRefund({ ...(await refund()), attempt_id: id }, noon)
      const living = await addOrder()
      await start({ order_id: living })
      const awaited = await addOrder()
      await moveAttempt(core, (await start({ order_id: awaited })).id, ['creating'], 'superseded')
      const orderIds = [orderId, living, awaited]
      expect(await database.transaction(() => deleteUnpaid(core, orderIds))).toEqual([])
      expect((await listPaymentsOfOrders(core, orderIds)).attempts.length).toBeGreaterThanOrEqual(3)
    })
  })
})

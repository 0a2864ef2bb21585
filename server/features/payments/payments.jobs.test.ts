import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OutcomeUnknownError } from '#server/platform/unreachable.ts'
import { day, hour, minute, second } from '#test/kit/basics/clock.ts'
import { type Charge, openPaymentFixture, type PaymentFixture } from '#test/kit/orders/payment-fixture.ts'
import { findLiveAttempt, listOpenedAttempts, moveAttempt, startAttempt } from './attempts.queries.ts'
import { receiveCallback } from './callbacks.ts'
import { openPayment } from './intentions.ts'
import { expiry, inquiries, refunds } from './payments.jobs.ts'
import { ProviderRefusal } from './payments.provider.ts'
import { abandonedAfterMs, attemptRules } from './payments.rules.ts'

let fixture: PaymentFixture
beforeEach(async () => {
  fixture = await openPaymentFixture()
})
afterEach(() => fixture.close())

async function open(orderId: number) {
  const { clientSecret } = await openPayment(fixture.core, orderId)
  return fixture.provider.intentionOf(clientSecret)
}

const statusOf = (orderId: number) => fixture.statusOf(orderId)
const report = (charge: Charge) => receiveCallback(fixture.core, fixture.provider.report(charge), 'signature')

/** Moves the clock in steps and runs the sweep after each. */
async function pass(ms: number, everyMs: number = minute): Promise<void> {
  for (let passed = 0; passed < ms; passed += everyMs) {
    fixture.clock.advance(Math.min(everyMs, ms - passed))
    await fixture.sweep()
  }
}

describe('the sweep', () => {
  it('asks about an unpaid order at 2, 5, 15, 60 and 75 minutes, then daily for seven days, then no more', async () => {
    const startedAt = fixture.clock.now()
    await open(await fixture.createOrder())
    const askedAt: number[] = []
    for (let passed = 0; passed < 9 * day; ) {
      const step = passed < 80 * minute ? minute : 20 * minute
      passed += step
      fixture.clock.advance(step)
      await fixture.sweep()
      while (askedAt.length < fixture.provider.inquiries.length) askedAt.push(fixture.clock.now() - startedAt)
    }
    expect(askedAt.slice(0, 5).map((ms) => ms / minute)).toEqual([2, 5, 15, 60, 75])
    expect(askedAt.slice(5).map((ms) => ms / day)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('asks once about several steps that became due together', async () => {
    await open(await fixture.createOrder())
    fixture.clock.advance(40 * minute)
    await fixture.sweep()
    expect(fixture.provider.inquiries).toHaveLength(1)
    fixture.clock.advance(19 * minute)
    await fixture.sweep()
    expect(fixture.provider.inquiries).toHaveLength(1)
    fixture.clock.advance(minute)
    await fixture.sweep()
    expect(fixture.provider.inquiries).toHaveLength(2)
  })

  it('finds a payment whose callback was lost without a request for the order', async () => {
    const orderId = await fixture.createOrder()
    fixture.provider.charge(await open(orderId), true)
    await pass(2 * minute - second, second)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(second)
    expect(await statusOf(orderId)).toBe('PAID')
    await fixture.ship()
    expect(fixture.partner.shipments).toHaveLength(1)
  })

  it('expires an order only after the secret’s life, the grace period and a last inquiry', async () => {
    const orderId = await fixture.createOrder()
    await open(orderId)
    await pass(attemptRules.secretLifeMs + 15 * minute - second, 30 * second)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(second)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    await expect(openPayment(fixture.core, orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  })

  it('finds a payment of the last minute instead of expiring the order', async () => {
    const orderId = await fixture.createOrder()
    const intention = await open(orderId)
    await pass(attemptRules.secretLifeMs + 14 * minute)
    fixture.provider.charge(intention, true)
    await pass(2 * minute)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('does not expire an order while the provider is unreachable', async () => {
    const orderId = await fixture.createOrder()
    await open(orderId)
    await pass(attemptRules.secretLifeMs + 14 * minute)
    fixture.provider.fail('inquire', 'cut-before', 'refused', 'cut-before')
    await pass(2 * minute)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(3 * minute)
    expect(await statusOf(orderId)).toBe('EXPIRED')
  })

  it('asks about others before it asks again about one that had no answer', async () => {
    const [silent, paid] = [await fixture.createOrder(), await fixture.createOrder()]
    await open(silent)
    fixture.clock.advance(second)
    fixture.provider.charge(await open(paid), true)
    fixture.clock.advance(2 * minute)
    fixture.provider.fail('inquire', 'refused')
    await fixture.sweep()
    const row = await findLiveAttempt(fixture.core, silent)
    expect(row).toMatchObject({ lease: null, due_at: fixture.clock.now() + minute })
    expect(row?.last_error).not.toBeNull()
    expect(await statusOf(paid)).toBe('PAID')
  })

  it('does not expire an order with a newer open attempt', async () => {
    const orderId = await fixture.createOrder()
    await open(orderId)
    // The first secret is too old to be returned again, so another payment is opened.
    await pass(attemptRules.reuseMs)
    await open(orderId)
    await pass(40 * minute)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(attemptRules.secretLifeMs)
    expect(await statusOf(orderId)).toBe('EXPIRED')
  })

  it.each(['creating', 'open', 'unknown'] as const)(
    'supersedes an attempt in state %s when its order expires',
    async (state) => {
      const orderId = await fixture.createOrder()
      const attempt = await startAttempt(fixture.core, {
        order_id: orderId,
        reference: `OD${orderId}-X`,
        amount_halalas: 5_000,
        currency: 'SAR',
        created_at: fixture.clock.now(),
      })
      if (!attempt) throw new Error('the order has an attempt already')
      if (state !== 'creating') await moveAttempt(fixture.core, attempt.id, ['creating'], state)
      await pass(attemptRules.secretLifeMs + 15 * minute)
      expect(await statusOf(orderId)).toBe('EXPIRED')
      expect(await findLiveAttempt(fixture.core, orderId)).toBeUndefined()
    },
  )

  it('expires an order whose intention was refused, without an inquiry', async () => {
    const orderId = await fixture.createOrder()
    fixture.provider.fail('create', 'refused')
    await expect(openPayment(fixture.core, orderId)).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
    await pass(attemptRules.secretLifeMs + 15 * minute)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    expect(fixture.provider.inquiries).toEqual([])
  })

  it('asks by reference about an attempt whose creation was never answered', async () => {
    const orderId = await fixture.createOrder()
    fixture.provider.fail('create', 'cut-after')
    await expect(openPayment(fixture.core, orderId)).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
    const [orphan] = fixture.provider.intentions
    if (!orphan) throw new Error('the provider made no intention')
    fixture.provider.charge(orphan, true)
    await pass(2 * minute)
    expect(fixture.provider.inquiries).toEqual([orphan.request.reference])
    expect(await statusOf(orderId)).toBe('PAID')
    // The provider's number is stored now, so a callback finds it.
    const other = fixture.provider.charge(orphan, true)
    await report(other)
    await fixture.refund()
    expect(fixture.provider.refundsAsked).toEqual([String(other.id)])
  })

  it('neither pays nor expires an order with a payment of a wrong amount', async () => {
    const orderId = await fixture.createOrder()
    fixture.provider.charge(await open(orderId), true, 4_999)
    await pass(attemptRules.secretLifeMs + hour)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    // The provider accepts no second payment on this intention, so the next payment needs another attempt.
    expect(await findLiveAttempt(fixture.core, orderId)).toBeUndefined()
    await fixture.ship()
    expect(fixture.partner.shipments).toEqual([])
  })

  it('does not expire an order whose payment is hidden by a later decline', async () => {
    const orderId = await fixture.createOrder()
    const intention = await open(orderId)
    fixture.provider.charge(intention, true)
    fixture.provider.charge(intention, false)
    await pass(attemptRules.secretLifeMs + hour)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
  })
})

describe('a payment after the order has expired', () => {
  async function expired() {
    const orderId = await fixture.createOrder()
    const intention = await open(orderId)
    await pass(attemptRules.secretLifeMs + 15 * minute)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    return { orderId, charge: fixture.provider.charge(intention, true) }
  }

  it('pays it when reported by the inquiry of the next day, which is told without an airway bill', async () => {
    const { orderId } = await expired()
    expect(await fixture.listSms()).toEqual([])
    await pass(day, hour)
    expect(await statusOf(orderId)).toBe('PAID')
    expect(await fixture.listSms()).toMatchObject([{ kind: 'paid', order_id: orderId, booking_id: 0 }])
  })

  it('on the older and on the newer secret pays it once and is refunded once', async () => {
    const orderId = await fixture.createOrder()
    const older = await open(orderId)
    await pass(attemptRules.reuseMs)
    const newer = await open(orderId)
    await pass(2 * hour)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    const [early, late] = [fixture.provider.charge(older, true), fixture.provider.charge(newer, true)]
    await report(late)
    await report(early)
    await fixture.refund()
    expect(await statusOf(orderId)).toBe('PAID')
    expect([early.refundedHalalas, late.refundedHalalas]).toEqual([5_000, 0])
    const attempts = await listOpenedAttempts(fixture.core, orderId)
    expect(attempts.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    await fixture.ship()
    expect(fixture.partner.shipments).toHaveLength(1)
  })
})

describe('a second payment', () => {
  /** An order that was paid twice, and the charge to refund. */
  async function paidTwice() {
    const orderId = await fixture.createOrder()
    const intention = await open(orderId)
    await report(fixture.provider.charge(intention, true))
    const other = fixture.provider.charge(intention, true)
    await report(other)
    return { orderId, other }
  }

  /** Moves the clock in steps and runs the worker after each. */
  async function wait(ms: number, everyMs: number = second): Promise<void> {
    for (let passed = 0; passed < ms; passed += everyMs) {
      fixture.clock.advance(everyMs)
      await fixture.refund()
    }
  }

  const countDone = async () => {
    const { tables } = fixture.database
    const done = await tables.selectFrom('refunds').select('id').where('state', '=', 'done').execute()
    return done.length
  }

  it('is refunded whole, requested once, and done only when the provider shows it', async () => {
    const { other } = await paidTwice()
    await fixture.refund()
    expect(other.refundedHalalas).toBe(5_000)
    expect(await countDone()).toBe(0)
    await wait(3 * second)
    expect(await countDone()).toBe(1)
    await wait(2 * hour, minute)
    expect(fixture.provider.refundsAsked).toEqual([String(other.id)])
  })

  it('is read before its refund is requested again when the answer was lost', async () => {
    const { other } = await paidTwice()
    await refundFailing('cut-after')
    expect(other.refundedHalalas).toBe(5_000)
    await wait(5 * minute)
    expect(fixture.provider.refundsAsked).toHaveLength(1)
    expect(await countDone()).toBe(1)
  })

  it('is requested again when the first request never arrived', async () => {
    const { other } = await paidTwice()
    await refundFailing('cut-before')
    expect(other.refundedHalalas).toBe(0)
    await wait(minute - second)
    expect(fixture.provider.refundsAsked).toHaveLength(1)
    await wait(5 * minute)
    expect(other.refundedHalalas).toBe(5_000)
    expect(fixture.provider.refundsAsked).toHaveLength(2)
    expect(await countDone()).toBe(1)
  })

  it('is not requested again sooner when the clock is set forward after a request without an answer', async () => {
    await paidTwice()
    await refundFailing('cut-before')
    fixture.clock.set(2 * minute)
    await wait(minute - second)
    expect(fixture.provider.refundsAsked).toHaveLength(1)
    await wait(2 * second)
    expect(fixture.provider.refundsAsked).toHaveLength(2)
  })

  it('is requested again at growing intervals while the provider refuses', async () => {
    const { other } = await paidTwice()
    const refusals = 6
    for (let time = 0; time < refusals; time += 1) await refundFailing('refused')
    const askedBefore = fixture.provider.refundsAsked.length
    expect(askedBefore).toBe(refusals)
    await wait(hour, minute)
    expect(other.refundedHalalas).toBe(5_000)
    expect(fixture.provider.refundsAsked).toHaveLength(refusals + 1)
    expect(await countDone()).toBe(1)
  })

  /** The next read works and the request after it fails. */
  async function refundFailing(trouble: 'cut-before' | 'cut-after' | 'refused'): Promise<void> {
    const asked = fixture.provider.refundsAsked.length
    fixture.provider.fail('refund', trouble)
    for (let passed = 0; fixture.provider.refundsAsked.length === asked; passed += 1) {
      if (passed > 3_600) throw new Error('no refund was asked for within an hour')
      await fixture.refund()
      if (fixture.provider.refundsAsked.length === asked) fixture.clock.advance(second)
    }
  }
})

describe('an unreadable answer', () => {
  /** The provider answers 200 with an unreadable body; returns the ages in minutes at which it was asked. */
  function unreadable(startedAt: number) {
    const readable = fixture.provider.inquire
    const asked: number[] = []
    fixture.provider.inquire = async () => {
      asked.push((fixture.clock.now() - startedAt) / minute)
      throw new ProviderRefusal('inquiry: unreadable parent', 200, {})
    }
    const mend = () => Object.assign(fixture.provider, { inquire: readable })
    return { asked, mend }
  }

  it('is asked for at growing intervals, and applied once it is readable', async () => {
    const startedAt = fixture.clock.now()
    const orderId = await fixture.createOrder()
    fixture.provider.charge(await open(orderId), true)
    const { asked, mend } = unreadable(startedAt)
    await pass(5 * hour)
    expect(asked).toEqual([2, 3, 4, 6, 10, 18, 34, 66, 126, 186, 246])
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    mend()
    await pass(hour)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('about the payment of a refund is asked for at most once an hour, and not after the scheduled time', async () => {
    const startedAt = fixture.clock.now()
    const orderId = await fixture.createOrder()
    const charge = fixture.provider.charge(await open(orderId), true)
    await report(charge)
    await pass(50 * minute)
    fixture.provider.reverse(charge)
    await receiveCallback(
      fixture.core,
      { ...fixture.provider.report(charge), transactionId: '77', isChild: true },
      's',
    )
    const { asked, mend } = unreadable(startedAt)
    await pass(10 * minute)
    expect(asked).toEqual([51, 60])
    await pass(9 * day)
    const late = asked.filter((age) => age > (day + hour) / minute)
    const pauses = late.slice(1).map((age, index) => age - (late[index] ?? 0))
    expect(new Set(pauses)).toEqual(new Set([60]))
    mend()
    await pass(hour)
    expect(await statusOf(orderId)).toBe('REFUNDED')
  })

  it('of a provider that answers late is asked for a minute after it failed', async () => {
    const orderId = await fixture.createOrder()
    await open(orderId)
    fixture.provider.inquire = async () => {
      fixture.clock.advance(30 * second)
      throw new OutcomeUnknownError('inquiry')
    }
    fixture.clock.advance(2 * minute)
    await fixture.sweep()
    const [attempt] = await listOpenedAttempts(fixture.core, orderId)
    expect((attempt?.due_at ?? 0) - fixture.clock.now()).toBe(minute)
  })

  it('of an unavailable provider is asked for every minute', async () => {
    const orderId = await fixture.createOrder()
    fixture.provider.charge(await open(orderId), true)
    const troubles = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'refused' : 'cut-before'))
    fixture.provider.fail('inquire', ...(troubles as ('refused' | 'cut-before')[]))
    await pass(12 * minute)
    expect(await statusOf(orderId)).toBe('PAID')
  })
})

/** A gateway whose log is read. */
async function openWritten() {
  const lines: object[] = []
  const write = (line: object) => void lines.push(line)
  return { lines, core: await fixture.openGateway({ info: write, warn: write, error: write }) }
}

describe('the log', () => {
  /** Runs the worker once. @returns its log */
  async function written(create: typeof refunds): Promise<object[]> {
    const { lines, core } = await openWritten()
    const worker = create(core)
    worker.start()
    await worker.stop()
    return lines
  }

  /** A charge to refund, as the second of its order. */
  async function secondCharge() {
    const intention = await open(await fixture.createOrder())
    await report(fixture.provider.charge(intention, true))
    const charge = fixture.provider.charge(intention, true)
    await report(charge)
    return charge
  }

  it.each(['read', 'refund'] as const)('tells why a refund failed: at the %s', async (call) => {
    const { id } = await secondCharge()
    fixture.provider.fail(call, 'refused')
    expect(await written(refunds)).toEqual([
      {
        event: 'payments.refund-failed',
        transactionId: String(id),
        tries: expect.any(Number),
        err: expect.any(ProviderRefusal),
      },
    ])
  })

  it('tells about which order the provider could not be asked', async () => {
    const orderId = await fixture.createOrder()
    await open(orderId)
    fixture.clock.advance(2 * minute)
    fixture.provider.fail('inquire', 'refused')
    expect(await written(inquiries)).toEqual([
      { event: 'payments.sweep-failed', orderId, err: expect.any(ProviderRefusal) },
    ])
  })
})

describe('orders whose payment was never opened', () => {
  it('all expire, in batches', async () => {
    const orderIds: number[] = []
    for (let count = 0; count < 250; count += 1) orderIds.push(await fixture.createOrder())
    fixture.clock.advance(abandonedAfterMs)
    const young = await fixture.createOrder()
    fixture.clock.advance(1)
    const { lines, core } = await openWritten()
    const worker = expiry(core)
    worker.start()
    await vi.waitFor(() => expect(lines).toHaveLength(3))
    await worker.stop()
    expect(lines).toEqual([100, 100, 50].map((orders) => ({ event: 'payments.orders-abandoned', orders })))
    const statuses = await Promise.all(orderIds.map(statusOf))
    expect(new Set(statuses)).toEqual(new Set(['EXPIRED']))
    expect(await statusOf(young)).toBe('PENDING_PAYMENT')
  })
})

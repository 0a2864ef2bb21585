import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '#test/kit/clock.ts'
import { type Charge, type MoneyRoom, openMoneyRoom } from '#test/kit/money-room.ts'
import { attemptRules } from './payments.rules.ts'

let room: MoneyRoom
beforeEach(async () => {
  room = await openMoneyRoom()
})
afterEach(() => room.close())

async function open(orderId: number) {
  const { clientSecret } = await room.payments.open(orderId)
  return room.provider.intentionOf(clientSecret)
}

const statusOf = async (orderId: number) => (await room.orders.findPayable(orderId))?.status
const report = (charge: Charge) => room.payments.receive(room.provider.report(charge), 'signature')

/** Lets time pass in steps, with a look of the sweep after each. */
async function pass(ms: number, everyMs: number = minute): Promise<void> {
  for (let passed = 0; passed < ms; passed += everyMs) {
    room.clock.advance(Math.min(everyMs, ms - passed))
    await room.sweep()
  }
}

describe('the sweep', () => {
  it('asks about an unpaid order at 2, 5, 15, 60 and 75 minutes, then daily for seven days, then no more', async () => {
    const startedAt = room.clock.now()
    await open(await room.place())
    const askedAt: number[] = []
    for (let passed = 0; passed < 9 * day; passed += minute) {
      room.clock.advance(minute)
      await room.sweep()
      while (askedAt.length < room.provider.inquiries.length) askedAt.push(room.clock.now() - startedAt)
    }
    expect(askedAt.slice(0, 5).map((ms) => ms / minute)).toEqual([2, 5, 15, 60, 75])
    expect(askedAt.slice(5).map((ms) => ms / day)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('asks once about what became due while nobody looked', async () => {
    await open(await room.place())
    room.clock.advance(40 * minute)
    await room.sweep()
    expect(room.provider.inquiries).toHaveLength(1)
    room.clock.advance(19 * minute)
    await room.sweep()
    expect(room.provider.inquiries).toHaveLength(1)
    room.clock.advance(minute)
    await room.sweep()
    expect(room.provider.inquiries).toHaveLength(2)
  })

  it('finds a payment whose callback is lost, without anybody reading the order', async () => {
    const orderId = await room.place()
    room.provider.charge(await open(orderId), true)
    await pass(2 * minute - second, second)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(second)
    expect(await statusOf(orderId)).toBe('PAID')
    await room.ship()
    expect(room.partner.shipments).toHaveLength(1)
  })

  it('lets an order expire only after expiry, grace and a last question', async () => {
    const orderId = await room.place()
    await open(orderId)
    await pass(attemptRules.secretLifeMs + 15 * minute - second, 30 * second)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(second)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    await expect(room.payments.open(orderId)).rejects.toMatchObject({ code: 'ORDER_NOT_PAYABLE' })
  })

  it('finds a payment of the last minute instead of letting the order expire', async () => {
    const orderId = await room.place()
    const intention = await open(orderId)
    await pass(attemptRules.secretLifeMs + 14 * minute)
    room.provider.charge(intention, true)
    await pass(2 * minute)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('does not let an order expire while the provider cannot be asked', async () => {
    const orderId = await room.place()
    await open(orderId)
    await pass(attemptRules.secretLifeMs + 14 * minute)
    room.provider.fail('inquire', 'cut-before', 'refused', 'cut-before')
    await pass(2 * minute)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(3 * minute)
    expect(await statusOf(orderId)).toBe('EXPIRED')
  })

  it('does not let an order expire whose newer payment is still open', async () => {
    const orderId = await room.place()
    await open(orderId)
    // The first secret is too old to be shown again, so asking again opens another payment.
    await pass(attemptRules.reuseMs)
    await open(orderId)
    await pass(40 * minute)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(attemptRules.secretLifeMs)
    expect(await statusOf(orderId)).toBe('EXPIRED')
  })

  it('lets an order expire whose payment the provider refused to open, without asking about it', async () => {
    const orderId = await room.place()
    room.provider.fail('create', 'refused')
    await expect(room.payments.open(orderId)).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
    await pass(attemptRules.secretLifeMs + 15 * minute)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    expect(room.provider.inquiries).toEqual([])
  })

  it('asks by reference about a payment whose opening was never answered', async () => {
    const orderId = await room.place()
    room.provider.fail('create', 'cut-after')
    await expect(room.payments.open(orderId)).rejects.toMatchObject({ code: 'PAYMENT_UNAVAILABLE' })
    const [orphan] = room.provider.intentions
    if (!orphan) throw new Error('the provider made no intention')
    room.provider.charge(orphan, true)
    await pass(2 * minute)
    expect(room.provider.inquiries).toEqual([orphan.request.reference])
    expect(await statusOf(orderId)).toBe('PAID')
    // From now on it is known by the provider's number, so a callback finds it.
    const other = room.provider.charge(orphan, true)
    await report(other)
    await room.giveBack()
    expect(room.provider.refundsAsked).toEqual([String(other.id)])
  })

  it('takes up a question whose process died after a minute', async () => {
    const orderId = await room.place()
    room.provider.charge(await open(orderId), true)
    room.clock.advance(2 * minute)
    const dying = await room.paymentsStore.claimDueInquiry(room.clock.now(), room.clock.now() + minute)
    expect(dying?.order_id).toBe(orderId)
    await pass(minute - second, second)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await pass(second)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('neither pays nor gives up an order whose money does not fit', async () => {
    const orderId = await room.place()
    room.provider.charge(await open(orderId), true, 4_999)
    await pass(attemptRules.secretLifeMs + hour)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
    await room.ship()
    expect(room.partner.shipments).toEqual([])
  })

  it('does not give up an order whose payment hides behind a later decline', async () => {
    const orderId = await room.place()
    const intention = await open(orderId)
    room.provider.charge(intention, true)
    room.provider.charge(intention, false)
    await pass(attemptRules.secretLifeMs + hour)
    expect(await statusOf(orderId)).toBe('PENDING_PAYMENT')
  })
})

describe('a payment after the order has expired', () => {
  async function expired() {
    const orderId = await room.place()
    const intention = await open(orderId)
    await pass(attemptRules.secretLifeMs + 15 * minute)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    return { orderId, charge: room.provider.charge(intention, true) }
  }

  it('pays it by its callback', async () => {
    const { orderId, charge } = await expired()
    await report(charge)
    expect(await statusOf(orderId)).toBe('PAID')
    await room.ship()
    expect(room.partner.shipments).toHaveLength(1)
  })

  it('pays it by the question of the next day', async () => {
    const { orderId } = await expired()
    await pass(day, hour)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('on an older secret and on the newer one pays it once and goes back once', async () => {
    const orderId = await room.place()
    const older = await open(orderId)
    await pass(attemptRules.reuseMs)
    const newer = await open(orderId)
    await pass(2 * hour)
    expect(await statusOf(orderId)).toBe('EXPIRED')
    const [early, late] = [room.provider.charge(older, true), room.provider.charge(newer, true)]
    await report(late)
    await report(early)
    await room.giveBack()
    expect(await statusOf(orderId)).toBe('PAID')
    expect([early.refundedHalalas, late.refundedHalalas]).toEqual([5_000, 0])
    await room.ship()
    expect(room.partner.shipments).toHaveLength(1)
  })
})

describe('a second payment', () => {
  /** An order that was paid twice, and the charge that has to go back. */
  async function paidTwice() {
    const orderId = await room.place()
    const intention = await open(orderId)
    await report(room.provider.charge(intention, true))
    const other = room.provider.charge(intention, true)
    await report(other)
    return { orderId, other }
  }

  /** Lets time pass in steps, with a look of the worker after each. */
  async function wait(ms: number, everyMs: number = second): Promise<void> {
    for (let passed = 0; passed < ms; passed += everyMs) {
      room.clock.advance(everyMs)
      await room.giveBack()
    }
  }

  const countDone = async () =>
    (await room.paymentsStore.countRefunds()).filter(({ state }) => state === 'done').length

  it('goes back whole, is asked for once, and is done only when that was seen', async () => {
    const { other } = await paidTwice()
    await room.giveBack()
    expect(other.refundedHalalas).toBe(5_000)
    expect(await countDone()).toBe(0)
    await wait(3 * second)
    expect(await countDone()).toBe(1)
    await wait(2 * hour, minute)
    expect(room.provider.refundsAsked).toEqual([String(other.id)])
  })

  it('is done at once by the word of its refund', async () => {
    const { orderId, other } = await paidTwice()
    await room.giveBack()
    await report(other)
    expect(await countDone()).toBe(1)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('is looked at before it is asked for again when the answer was lost', async () => {
    const { other } = await paidTwice()
    await refundFailing('cut-after')
    expect(other.refundedHalalas).toBe(5_000)
    await wait(5 * minute)
    expect(room.provider.refundsAsked).toHaveLength(1)
    expect(await countDone()).toBe(1)
  })

  it('is asked for again when the first question never arrived', async () => {
    const { other } = await paidTwice()
    await refundFailing('cut-before')
    expect(other.refundedHalalas).toBe(0)
    await wait(minute - second)
    expect(room.provider.refundsAsked).toHaveLength(1)
    await wait(5 * minute)
    expect(other.refundedHalalas).toBe(5_000)
    expect(room.provider.refundsAsked).toHaveLength(2)
    expect(await countDone()).toBe(1)
  })

  it('is asked for again, ever more seldom, while the provider refuses', async () => {
    const { other } = await paidTwice()
    const refusals = 6
    for (let time = 0; time < refusals; time += 1) await refundFailing('refused')
    const askedBefore = room.provider.refundsAsked.length
    expect(askedBefore).toBe(refusals)
    await wait(hour, minute)
    expect(other.refundedHalalas).toBe(5_000)
    expect(room.provider.refundsAsked).toHaveLength(refusals + 1)
    expect(await countDone()).toBe(1)
  })

  it('that somebody gave back at the provider by hand is not asked for', async () => {
    const { other } = await paidTwice()
    room.provider.reverse(other)
    await wait(minute)
    expect(room.provider.refundsAsked).toEqual([])
    expect(await countDone()).toBe(1)
  })

  it('that somebody gave back in part by hand goes back to the last halala', async () => {
    const { orderId, other } = await paidTwice()
    room.provider.reverse(other, 1_200)
    await wait(minute)
    expect(other.refundedHalalas).toBe(5_000)
    expect(room.provider.refundsAsked).toHaveLength(1)
    expect(await countDone()).toBe(1)
    expect(await statusOf(orderId)).toBe('PAID')
  })

  it('is taken up again when the process died while asking', async () => {
    const { other } = await paidTwice()
    const now = room.clock.now()
    const claimed = await room.paymentsStore.claimDueRefund(now, now + minute)
    expect(claimed?.transaction_id).toBe(String(other.id))
    await wait(minute - second)
    expect(room.provider.refundsAsked).toEqual([])
    await wait(second)
    expect(room.provider.refundsAsked).toEqual([String(other.id)])
  })

  /** The next look works and the question after it fails. */
  async function refundFailing(trouble: 'cut-before' | 'cut-after' | 'refused'): Promise<void> {
    const asked = room.provider.refundsAsked.length
    room.provider.fail('refund', trouble)
    for (let passed = 0; room.provider.refundsAsked.length === asked; passed += 1) {
      if (passed > 3_600) throw new Error('no refund was asked for within an hour')
      await room.giveBack()
      if (room.provider.refundsAsked.length === asked) room.clock.advance(second)
    }
  }
})

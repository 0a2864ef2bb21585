import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { recordHandover } from '#server/features/order-views/handovers.ts'
import { leaseBooking, recordAwb } from '#server/features/orders/bookings.ts'
import { recordLabel } from '#server/features/orders/labels.queries.ts'
import { createOrder as createOrderWithin } from '#server/features/orders/order-creation.ts'
import { findPayable } from '#server/features/orders/orders.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import { statusOf as orderStatusOf } from '#shared/orders/orders.rules.ts'
import { atOnce, codeOf } from '#test/kit/basics/at-once.ts'
import { manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { patientLimits } from '#test/kit/basics/patience.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { agent, center } from '#test/kit/orders/orders.ts'
import { createProviderDouble, type ProviderDouble } from '#test/kit/orders/payment-fixture.ts'
import { receiveCallback } from './callbacks.ts'
import { cancelOrder } from './cancellations.ts'
import { refreshPayment } from './inquiries.ts'
import { openPayment } from './intentions.ts'
import { listPaymentEvents } from './payment-events.queries.ts'
import { countOpenRefunds, listRefunds } from './refunds.queries.ts'

/**
 * Races between transactions of two gateways on one database. Only PostgreSQL runs transactions concurrently; SQLite has a
 * single connection.
 */
forEachEngine((_, open) => {
  /** Both gateways. */
  let cores: readonly [Core, Core]
  let provider: ProviderDouble
  let userId: number

  beforeEach(async () => {
    const database = await open()
    const clock = manualClock()
    userId = (await ensureUser({ database }, '+966512345678', 'Maryam', noon)).id
    provider = createProviderDouble()
    const limits = { ...patientLimits, openOrdersPerUser: Number.MAX_SAFE_INTEGER }
    const openGateway = () =>
      openCore({ database, clock }, { config: { limits }, providers: { payments: provider } })
    cores = [await openGateway(), await openGateway()]
  })

  async function createOrder(): Promise<number> {
    const request = { userId, type: 'FROM_MINA', agent, center, amountHalalas: 5_000 } as const
    const [core] = cores
    const { orderId } = await core.database.transaction(() => createOrderWithin(core, request, undefined))
    return orderId
  }

  async function openOrder() {
    const orderId = await createOrder()
    const { clientSecret } = await openPayment(cores[0], orderId)
    return { orderId, intention: provider.intentionOf(clientSecret) }
  }

  /** One of the gateways: each is asked in turn. */
  const gateway = (turn: number) => cores[turn % 2 === 0 ? 0 : 1]
  async function callbacksMet(outcome: string): Promise<number> {
    let met = 0
    for (const { metrics } of cores) {
      const counted = await metrics.registry.getSingleMetric('amtiati_payment_callbacks_total')?.get()
      met += counted?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
    }
    return met
  }
  async function statusOf(orderId: number) {
    const order = await findPayable(cores[0], orderId)
    return order && orderStatusOf(order)
  }

  describe('concurrent reports', () => {
    it('of a payment and of its refund never leave the order paid', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, intention } = await openOrder()
        const charge = provider.charge(intention, true)
        const reports = [provider.report(charge, 'succeeded'), provider.report(charge, 'refunded')]
        await Promise.all(reports.map((report, turn) => receiveCallback(gateway(turn), report, 'signature')))
        expect(await statusOf(orderId)).toBe('REFUNDED')
      }
    })

    it('of one payment have one effect', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { orderId, intention } = await openOrder()
        const report = provider.report(provider.charge(intention, true))
        await atOnce(20, (turn) => receiveCallback(gateway(turn), report, 'signature'))
        expect(await statusOf(orderId)).toBe('PAID')
        expect(await listPaymentEvents(cores[0], report.transactionId)).toMatchObject([
          { outcome: 'applied' },
        ])
      }
      expect(await callbacksMet('applied')).toBe(raceRounds)
      expect(await callbacksMet('repeated')).toBe(19 * raceRounds)
    })

    it('and pages that ask the provider pay an order once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { orderId, intention } = await openOrder()
        const report = provider.report(provider.charge(intention, true))
        await atOnce(40, (turn) =>
          turn % 4 < 2
            ? receiveCallback(gateway(turn), report, 'signature')
            : refreshPayment(gateway(turn), orderId),
        )
        expect(await statusOf(orderId)).toBe('PAID')
        expect(await listPaymentEvents(cores[0], report.transactionId)).toMatchObject([
          { outcome: 'applied' },
        ])
      }
    })

    it('of many payments of one order pay it once, and order the refund of every other', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { intention } = await openOrder()
        const charges = Array.from({ length: 10 }, () => provider.charge(intention, true))
        await Promise.all(
          charges.map((charge, turn) => receiveCallback(gateway(turn), provider.report(charge), 'signature')),
        )
        const events = await Promise.all(charges.map(({ id }) => listPaymentEvents(cores[0], String(id))))
        const outcomes = events.flat().map(({ outcome }) => outcome)
        expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1)
        expect(outcomes.filter((outcome) => outcome === 'second-payment')).toHaveLength(9)
      }
      expect((await countOpenRefunds(cores[0])).get('due')?.count).toBe(9 * raceRounds)
    })
  })

  describe('a cancellation and a late payment', () => {
    it('end in one refund of the whole amount', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { orderId, intention } = await openOrder()
        const report = provider.report(provider.charge(intention, true))
        await atOnce(10, async (turn) => {
          await Promise.all([
            receiveCallback(gateway(turn), report, 'signature'),
            cancelOrder(gateway(turn + 1), userId, orderId),
          ])
        })
        expect(await statusOf(orderId)).toBe('CANCELLED')
        const refunds = (await listRefunds(cores[0], [orderId])).map((row) => [
          row.reason,
          row.amount_halalas,
        ])
        expect(refunds).toEqual([['cancelled', 5_000]])
      }
    })
  })

  describe('a cancellation and a hand-over', () => {
    const byAgent = { role: 'agent', agentId: 5, partnerAgentId: agent.id } as const

    /** An order that was paid, and whose bag has its label. */
    async function addReady(awb: string): Promise<number> {
      const { orderId, intention } = await openOrder()
      await receiveCallback(cores[0], provider.report(provider.charge(intention, true)), 'signature')
      const booking = await leaseBooking(cores[0], 'lease', minute)
      if (booking === undefined) throw new Error('no booking waits for its airway bill')
      await recordAwb(cores[0], booking, 'lease', awb)
      await recordLabel(cores[0], booking.id, new Uint8Array([1]))
      return orderId
    }

    it('at once: the bag is handed over and nothing goes back, or the money goes back and no agent takes the bag', async () => {
      for (let round = 0; round < 10 * raceRounds; round += 1) {
        const awb = String(231_200_000_000 + round)
        const orderId = await addReady(awb)
        const handOver = () => codeOf(recordHandover(cores[0], byAgent, { awb }, undefined))
        const cancel = () => codeOf(cancelOrder(gateway(round), userId, orderId))
        const isHandOverFirst = round % 2 === 0
        const answers = await Promise.all(
          (isHandOverFirst ? [handOver, cancel] : [cancel, handOver]).map((run) => run()),
        )
        const [received, cancelled] = isHandOverFirst ? answers : answers.toReversed()
        const refunds = (await listRefunds(cores[0], [orderId])).map((row) => [
          row.reason,
          row.amount_halalas,
        ])
        expect([
          ['done', 'ALREADY_HANDED_OVER', 'PAID', []],
          ['DO_NOT_ACCEPT', 'done', 'CANCELLED', [['cancelled', 5_000]]],
        ]).toContainEqual([received, cancelled, await statusOf(orderId), refunds])
      }
    })
  })

  describe('concurrent requests to pay', () => {
    it('open one payment', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const orderId = await createOrder()
        const before = provider.intentions.length
        const opened = await atOnce(20, (turn) => openPayment(gateway(turn), orderId))
        expect(new Set(opened.map(({ clientSecret }) => clientSecret)).size).toBe(1)
        expect(provider.intentions.length - before).toBe(1)
      }
    })
  })
})

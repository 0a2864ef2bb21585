import { beforeEach, describe, expect, it } from 'vitest'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { createUsers } from '#server/features/sessions/sessions.service.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createMetrics, type Metrics } from '#server/platform/metrics.ts'
import { statusOf as orderStatusOf } from '#shared/orders/orders.rules.ts'
import { atOnce, codeOf } from '#test/kit/at-once.ts'
import { manualClock, minute, noon } from '#test/kit/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/databases.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { agent, center, openOrders } from '#test/kit/orders.ts'
import { createProviderDouble, type ProviderDouble, untold } from '#test/kit/payment-fixture.ts'
import { createPayments, type PaymentsService } from './payments.service.ts'
import { createPaymentsStore, type PaymentsStore } from './payments.store.ts'

/**
 * Races between transactions of two gateways on one database. Only PostgreSQL runs transactions concurrently; SQLite has a
 * single connection.
 */
forEachEngine((_, open) => {
  let orders: OrdersService
  /** Of each gateway. */
  let payments: readonly [PaymentsService, PaymentsService]
  let metrics: readonly [Metrics, Metrics]
  let store: PaymentsStore
  let provider: ProviderDouble
  let createOrder: () => Promise<number>
  let userId: number

  beforeEach(async () => {
    const database = await open()
    const clock = manualClock()
    const sessions = createSessionsStore(database)
    userId = (await sessions.ensureUser('+966512345678', 'Maryam', noon)).id
    store = createPaymentsStore(database)
    provider = createProviderDouble()
    orders = openOrders(database, clock)
    const deps = {
      database,
      store,
      provider,
      orders,
      users: createUsers({ database, store: sessions }),
      ...untold,
      publicKey: 'public',
      clock,
      log: silentLog,
    }
    metrics = [createMetrics(), createMetrics()]
    payments = [
      createPayments({ ...deps, metrics: metrics[0] }),
      createPayments({ ...deps, metrics: metrics[1] }),
    ]
    createOrder = async () => {
      const request = { userId, type: 'FROM_MINA', agent, center, amountHalalas: 5_000 } as const
      return (await database.transaction(() => orders.createOrder(request, undefined))).orderId
    }
  })

  async function openPayment() {
    const orderId = await createOrder()
    const { clientSecret } = await payments[0].open(orderId)
    return { orderId, intention: provider.intentionOf(clientSecret) }
  }

  /** One of the gateways: each is asked in turn. */
  const gateway = (turn: number) => payments[turn % 2 === 0 ? 0 : 1]
  async function callbacksMet(outcome: string): Promise<number> {
    let met = 0
    for (const { registry } of metrics) {
      const counted = await registry.getSingleMetric('amtiati_payment_callbacks_total')?.get()
      met += counted?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
    }
    return met
  }
  async function statusOf(orderId: number) {
    const order = await orders.findPayable(orderId)
    return order && orderStatusOf(order)
  }

  describe('concurrent reports', () => {
    it('of a payment and of its refund never leave the order paid', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, intention } = await openPayment()
        const charge = provider.charge(intention, true)
        const reports = [provider.report(charge, 'succeeded'), provider.report(charge, 'refunded')]
        await Promise.all(reports.map((report, turn) => gateway(turn).receive(report, 'signature')))
        expect(await statusOf(orderId)).toBe('REFUNDED')
      }
    })

    it('of one payment have one effect', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { orderId, intention } = await openPayment()
        const report = provider.report(provider.charge(intention, true))
        await atOnce(20, (turn) => gateway(turn).receive(report, 'signature'))
        expect(await statusOf(orderId)).toBe('PAID')
        expect(await store.listEvents(report.transactionId)).toMatchObject([{ outcome: 'applied' }])
      }
      expect(await callbacksMet('applied')).toBe(raceRounds)
      expect(await callbacksMet('repeated')).toBe(19 * raceRounds)
    })

    it('and pages that ask the provider pay an order once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { orderId, intention } = await openPayment()
        const report = provider.report(provider.charge(intention, true))
        await atOnce(40, (turn) =>
          turn % 4 < 2 ? gateway(turn).receive(report, 'signature') : gateway(turn).refresh(orderId),
        )
        expect(await statusOf(orderId)).toBe('PAID')
        expect(await store.listEvents(report.transactionId)).toMatchObject([{ outcome: 'applied' }])
      }
    })

    it('of many payments of one order pay it once, and order the refund of every other', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { intention } = await openPayment()
        const charges = Array.from({ length: 10 }, () => provider.charge(intention, true))
        await Promise.all(
          charges.map((charge, turn) => gateway(turn).receive(provider.report(charge), 'signature')),
        )
        const events = await Promise.all(charges.map(({ id }) => store.listEvents(String(id))))
        const outcomes = events.flat().map(({ outcome }) => outcome)
        expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1)
        expect(outcomes.filter((outcome) => outcome === 'second-payment')).toHaveLength(9)
      }
      expect((await store.countOpenRefunds()).get('due')?.count).toBe(9 * raceRounds)
    })
  })

  describe('a cancellation and a late payment', () => {
    it('end in one refund of the whole amount', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { orderId, intention } = await openPayment()
        const report = provider.report(provider.charge(intention, true))
        await atOnce(10, async (turn) => {
          await Promise.all([
            gateway(turn).receive(report, 'signature'),
            gateway(turn + 1).cancel(userId, orderId),
          ])
        })
        expect(await statusOf(orderId)).toBe('CANCELLED')
        const refunds = (await store.listRefunds([orderId])).map((row) => [row.reason, row.amount_halalas])
        expect(refunds).toEqual([['cancelled', 5_000]])
      }
    })
  })

  describe('a cancellation and a hand-over', () => {
    const byAgent = { role: 'agent', agentId: 5, partnerAgentId: agent.id } as const

    /** An order that was paid, and whose bag has its label. */
    async function addReady(awb: string): Promise<number> {
      const { orderId, intention } = await openPayment()
      await payments[0].receive(provider.report(provider.charge(intention, true)), 'signature')
      const booking = await orders.leaseBooking('lease', minute)
      if (booking === undefined) throw new Error('no booking waits for its airway bill')
      await orders.recordAwb(booking, 'lease', awb)
      await orders.recordLabel(booking.id, new Uint8Array([1]))
      return orderId
    }

    it('at once: the bag is handed over and nothing goes back, or the money goes back and no agent takes the bag', async () => {
      for (let round = 0; round < 10 * raceRounds; round += 1) {
        const awb = String(231_200_000_000 + round)
        const orderId = await addReady(awb)
        const handOver = () => codeOf(orders.recordHandover(byAgent, { awb }, undefined))
        const cancel = () => codeOf(gateway(round).cancel(userId, orderId))
        const isHandOverFirst = round % 2 === 0
        const answers = await Promise.all(
          (isHandOverFirst ? [handOver, cancel] : [cancel, handOver]).map((run) => run()),
        )
        const [received, cancelled] = isHandOverFirst ? answers : answers.toReversed()
        const refunds = (await store.listRefunds([orderId])).map((row) => [row.reason, row.amount_halalas])
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
        const opened = await atOnce(20, (turn) => gateway(turn).open(orderId))
        expect(new Set(opened.map(({ clientSecret }) => clientSecret)).size).toBe(1)
        expect(provider.intentions.length - before).toBe(1)
      }
    })
  })
})

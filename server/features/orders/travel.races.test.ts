import { beforeEach, describe, expect, it } from 'vitest'
import { listBagEvents } from '#server/features/history/bag-events.ts'
import { recordHandover, storeHandoverPhoto, undoHandover } from '#server/features/order-views/handovers.ts'
import { atOnce, codeOf } from '#test/kit/basics/at-once.ts'
import { day, manualClock } from '#test/kit/basics/clock.ts'
import { photoOf, photoOfBag } from '#test/kit/client/photo.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { blockedOrDone } from '#test/kit/database/rows.ts'
import { openBags, type ReadyOrder } from '#test/kit/orders/bags.ts'
import { reportBag } from '#test/kit/orders/core-orders.ts'
import { scanOf } from '#test/kit/orders/stored-orders.ts'
import { findBookings } from './bookings.queries.ts'
import { findHandoverPhoto, listHandoverPhotos } from './handover-photos.queries.ts'
import { findOrder, markRefunded } from './orders.queries.ts'
import { changePrintedReceiver } from './receivers.ts'

const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A01' } as const

/** Races about one bag. Only PostgreSQL runs transactions concurrently; SQLite has a single connection. */
forEachEngine((_, open) => {
  let bags: Awaited<ReturnType<typeof openBags>>
  const clock = manualClock()

  beforeEach(async () => {
    bags = await openBags(await open(clock), clock)
  })

  const pickUp = (bookingId: number) =>
    reportBag(bags.core, bookingId, scanOf('picked-up', clock.now(), { key: 'PU' }))

  async function read(orderId: number) {
    const order = await findOrder(bags.core, orderId)
    const [booking] = await findBookings(bags.core, [orderId])
    return {
      payment: order?.payment,
      ended: order?.ended,
      handedOver: order?.handed_over,
      bag: booking?.carriage,
    }
  }

  describe('a bag', () => {
    it('is handed over before the refund, or refused after it', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, awb } = await bags.addReady()
        const contenders = [
          () => codeOf(recordHandover(bags.core, agent, { awb }, undefined)),
          () => codeOf(bags.core.database.transaction(() => markRefunded(bags.core, orderId, `T${orderId}`))),
        ]
        const answers = await Promise.all(
          (round % 2 ? contenders : contenders.toReversed()).map((run) => run()),
        )
        const received = answers.at(round % 2 ? 0 : -1)
        expect(await read(orderId)).toEqual(
          received === 'done'
            ? { payment: 'returned', ended: null, handedOver: 'all', bag: 'received' }
            : { payment: 'returned', ended: null, handedOver: 'void', bag: 'void' },
        )
        expect(['done', 'DO_NOT_ACCEPT']).toContain(received)
      }
    })

    it('gets no receiver from an order that ends while the change waits for it', async () => {
      const { orderId } = await bags.addReady()
      const { core } = bags
      const { database } = core
      const [hold, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const ended = database.transaction(async () => {
        await markRefunded(core, orderId, `T${orderId}`)
        begun.resolve()
        await hold.promise
      })
      await begun.promise
      const acting = { by: { kind: 'operator', name: 'N' } } as const
      const changing = codeOf(
        database.transaction(() =>
          changePrintedReceiver(core, acting, orderId, { receiver: { name: 'Huda Omar' } }),
        ),
      )
      await blockedOrDone(database, changing)
      hold.resolve()
      await ended
      expect(await changing).toBe('ORDER_ENDED')
    })

    it('is handed over or its order cancelled, never both', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, awb } = await bags.addReady()
        const contenders = [
          () => codeOf(recordHandover(bags.core, agent, { awb }, undefined)),
          () => codeOf(bags.cancel(orderId)),
        ]
        const answers = await Promise.all(
          (round % 2 ? contenders : contenders.toReversed()).map((run) => run()),
        )
        const [received, cancelled] = round % 2 ? answers : answers.toReversed()
        expect([
          [
            'done',
            'ALREADY_HANDED_OVER',
            { payment: 'paid', ended: null, handedOver: 'all', bag: 'received' },
          ],
          ['DO_NOT_ACCEPT', 'done', { payment: 'paid', ended: 'cancelled', handedOver: 'void', bag: 'void' }],
        ]).toContainEqual([received, cancelled, await read(orderId)])
      }
    })

    it('has one outcome when hand-over, scan, cancellation and refund come at once', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { orderId, bookingId, awb } = await bags.addReady()
        const [, , cancelled] = await Promise.all([
          codeOf(recordHandover(bags.core, agent, { awb }, undefined)),
          codeOf(pickUp(bookingId)),
          codeOf(bags.cancel(orderId)),
          codeOf(bags.core.database.transaction(() => markRefunded(bags.core, orderId, `T${orderId}`))),
        ])
        const outcome = await read(orderId)
        expect([
          { payment: 'returned', ended: null, handedOver: 'all', bag: 'moving' },
          { payment: 'returned', ended: null, handedOver: 'void', bag: 'void' },
          { payment: 'returned', ended: 'cancelled', handedOver: 'void', bag: 'void' },
        ]).toContainEqual(outcome)
        // Money that its owner was promised back never belongs to a bag that travels.
        if (cancelled === 'done') expect(outcome.bag).toBe('void')
      }
    })

    it('is received once, whatever number of agents’ devices confirm it', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { awb, bookingId } = await bags.addReady()
        const answers = await atOnce(8, () => codeOf(recordHandover(bags.core, agent, { awb }, undefined)))
        expect(answers.filter((answer) => answer === 'done')).toHaveLength(1)
        expect(new Set(answers)).toEqual(new Set(['done', 'ALREADY_RECEIVED']))
        expect((await listBagEvents(bags.core, [bookingId])).get(bookingId)).toHaveLength(1)
      }
    })

    it('is received once under one key that is sent many times at once', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        const { awb, bookingId } = await bags.addReady()
        const answers = await atOnce(8, () =>
          codeOf(recordHandover(bags.core, agent, { awb }, `key-${round}`)),
        )
        expect(new Set(answers)).toEqual(new Set(['done']))
        expect((await listBagEvents(bags.core, [bookingId])).get(bookingId)).toHaveLength(1)
      }
    })

    it('has no picture once its hand-over is undone, whichever of both came first', async () => {
      for (let round = 0; round < 4 * raceRounds; round += 1) {
        const { bookingId, awb } = await bags.addReady()
        await recordHandover(bags.core, agent, { awb }, undefined)
        const contenders = [
          () => codeOf(storeHandoverPhoto(bags.core, agent, awb, photoOf())),
          () => codeOf(undoHandover(bags.core, agent, awb)),
        ]
        const answers = await Promise.all(
          (round % 2 ? contenders : contenders.toReversed()).map((run) => run()),
        )
        const [stored, undone] = round % 2 ? answers : answers.toReversed()
        expect([stored, undone]).toEqual([expect.stringMatching(/^(done|ORDER_NOT_FOUND)$/), 'done'])
        expect(await listHandoverPhotos(bags.core, [bookingId])).toEqual(new Map())
      }
    })

    it('has its own picture, of ten that are sent at once and again, half of them a day later', async () => {
      const ready: ReadyOrder[] = []
      for (let count = 0; count < 10; count += 1) ready.push(await bags.addReady())
      for (const { awb } of ready) await recordHandover(bags.core, agent, { awb }, undefined)
      const send = (sent: readonly ReadyOrder[]) =>
        Promise.all(sent.map(({ awb }) => codeOf(storeHandoverPhoto(bags.core, agent, awb, photoOfBag(awb)))))
      const [now, later] = [ready.slice(0, 5), ready.slice(5)]
      const answers = await send(now)
      clock.advance(day)
      answers.push(...(await send([...later.toReversed(), ...now])))
      expect(new Set(answers)).toEqual(new Set(['done']))
      for (const { orderId, awb } of ready) {
        const photo = await findHandoverPhoto(bags.core, orderId, awb)
        expect(photoOfBag(awb).equals(photo?.jpeg ?? Buffer.alloc(0))).toBe(true)
      }
    })

    it('that the courier scans during the undo of its hand-over is on its way', async () => {
      for (let round = 0; round < 2 * raceRounds; round += 1) {
        const { orderId, bookingId, awb } = await bags.addReady()
        await recordHandover(bags.core, agent, { awb }, undefined)
        const [undone] = await Promise.all([
          codeOf(undoHandover(bags.core, agent, awb)),
          codeOf(pickUp(bookingId)),
        ])
        expect(['done', 'TOO_LATE']).toContain(undone)
        expect(await read(orderId)).toEqual({
          payment: 'paid',
          ended: null,
          handedOver: 'all',
          bag: 'moving',
        })
      }
    })
  })
})

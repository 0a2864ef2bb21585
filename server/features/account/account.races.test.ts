import { beforeEach, describe, expect, it } from 'vitest'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore, type SessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database } from '#server/platform/database/database.ts'
import { codeOf } from '#test/kit/at-once.ts'
import { hour, manualClock } from '#test/kit/clock.ts'
import { forEachEngine } from '#test/kit/databases.ts'
import { silentLog } from '#test/kit/feature-app.ts'
import { openOrders } from '#test/kit/orders.ts'
import { blockedOrDone } from '#test/kit/rows.ts'
import { issueLabel, newLeg, newOrder, scanOf } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import { createAccount } from './account.service.ts'

const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A01' } as const
const phone = '+966512345678'
const awb = '231200000001'

/** A point in the middle of a transaction: `reached` resolves there, and it goes on after `resume`. */
function createHalt() {
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    resume: resumed.resolve,
    async halt(): Promise<void> {
      reached.resolve()
      await resumed.promise
    },
  }
}

/** The deletion of an account, and a bag of it that begins to travel at the same moment. */
forEachEngine((_, open) => {
  const clock = manualClock()
  let database: Database
  let sessions: SessionsStore
  let orders: OrdersService
  let userId: number
  let bookingId: number
  /** Runs inside the transaction of the event, after it. */
  let afterEvent: () => Promise<void>

  beforeEach(async () => {
    database = await open()
    sessions = createSessionsStore(database)
    afterEvent = async () => {}
    userId = (await sessions.ensureUser(phone, 'Maryam', clock.now())).id
    const store = transacting(database, createOrdersStore(database), ['markPaid'])
    orders = openOrders(database, clock, {
      store,
      following: { follow: () => afterEvent(), followClosely: () => afterEvent() },
      openOrdersPerUser: 1,
      cancellation: { isOffered: false, hours: 0 },
    })
    const orderId = await store.addOrder(newOrder(userId, { createdAt: clock.now() }), [newLeg('AM-1')])
    await store.markPaid(orderId, 'T1', clock.now())
    bookingId = await issueLabel(store, awb, clock.now())
  })

  /** @param afterChecks runs inside the transaction, when nothing has refused the deletion. */
  function deleteAccount(afterChecks = async () => {}): Promise<void> {
    const account = createAccount({
      database,
      sessions: {
        exportUser: async () => undefined,
        listSessions: async () => [],
        deleteUser: (id) => sessions.deleteUser(id, phone, clock.now()),
      },
      orders,
      payments: {
        hasUnsettled: async () => false,
        eraseOrders: afterChecks,
        exportPayments: async () => new Map(),
      },
      messages: { eraseUser: async () => {}, exportMessages: async () => [] },
      receipts: { exportReceipts: async () => new Map() },
      shares: { endOfOrders: async () => {} },
      push: { exportSubscriptions: async () => [] },
      claims: { hasOpen: async () => false, eraseUser: async () => {}, exportClaims: async () => [] },
      deskActions: {
        erasePayloads: async () => {},
        eraseNumber: async () => {},
        listNotes: async () => [],
      },
      audit: { exportActions: async () => [] },
      callsPerUser: [{ count: 10, windowMs: hour }],
      clock,
      log: silentLog,
    })
    return account.deleteUser(userId, { forfeits: true })
  }

  const userExists = async () => (await sessions.findUsers([userId])).length === 1

  const events = {
    'a hand-over': () => orders.recordHandover(agent, { awb }, undefined),
    // The agent has not confirmed the bag, or does so later.
    'a scan of the courier': () => orders.recordEvents(bookingId, [scanOf('picked-up', clock.now())]),
  } as const

  describe.each(['a hand-over', 'a scan of the courier'] as const)('%s', (name) => {
    const record = events[name]

    it('that comes second waits until the account is gone', async () => {
      const { reached, resume, halt } = createHalt()
      const ended: string[] = []
      const deleted = deleteAccount(halt).then(() => ended.push('deleted'))
      await reached
      const recorded = codeOf(record()).then((code) => ended.push(code))
      await blockedOrDone(database, recorded)
      resume()
      await Promise.all([deleted, recorded])
      // The bag was given up with the account.
      expect(ended).toEqual(['deleted', name === 'a hand-over' ? 'DO_NOT_ACCEPT' : 'done'])
      expect(await userExists()).toBe(false)
    })

    it('that comes first keeps the account: its bag is on its way', async () => {
      const { reached, resume, halt } = createHalt()
      afterEvent = halt
      const recorded = codeOf(record())
      await reached
      const deleted = codeOf(deleteAccount())
      await blockedOrDone(database, deleted)
      resume()
      expect([await recorded, await deleted]).toEqual(['done', 'ACCOUNT_HAS_OPEN_ORDERS'])
      expect(await userExists()).toBe(true)
    })
  })
})

import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { recordHandover } from '#server/features/order-views/handovers.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { recordBagEvents } from '#server/features/orders/travel.ts'
import { ensureUser, listUsers } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { codeOf } from '#test/kit/basics/at-once.ts'
import { manualClock } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { blockedOrDone } from '#test/kit/database/rows.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { issueLabel, newLeg, newOrder, scanOf, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { deleteAccount } from './account.ts'

const agent = { role: 'agent', agentId: 5, partnerAgentId: 'A01' } as const
const phone = '+966512345678'
const awb = '231200000001'

/** A database whose transactions pause before their commit: `reached` resolves there, `resume` continues them. */
function pausedBeforeCommit(database: Database) {
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const paused: Database = Object.create(database)
  paused.transaction = (work) =>
    database.transaction(async () => {
      const result = await work()
      reached.resolve()
      await resumed.promise
      return result
    })
  return {
    database: paused,
    reached: reached.promise,
    resume: resumed.resolve,
  }
}

/** One gateway deletes an account while another records that one of its bags begins to travel. */
forEachEngine((_, open) => {
  const clock = manualClock()
  let database: Database
  let userId: number
  let bookingId: number

  beforeEach(async () => {
    database = await open(clock)
    userId = (await ensureUser({ database }, phone, 'Maryam', clock.now())).id
    const orderId = await storeOrder({ database }, newOrder(userId, { createdAt: clock.now() }), [
      newLeg('AM-1'),
    ])
    await database.transaction(() => markPaid({ database }, orderId, 'T1', clock.now()))
    bookingId = await issueLabel({ database }, awb, clock.now())
  })

  const openGateway = (own: Database): Promise<Core> =>
    openCore({ database: own, clock }, { config: { CANCELLATION: { isOffered: false, hours: 0 } } })

  const forfeit = (core: Core) => deleteAccount(core, userId, { forfeits: true })
  const userExists = async () => (await listUsers({ database }, [userId])).length === 1

  const events = {
    'a hand-over': (core: Core) => recordHandover(core, agent, { awb }, undefined),
    // The agent has not confirmed the bag, or confirms it later.
    'a scan of the courier': (core: Core) =>
      core.database.transaction(() => recordBagEvents(core, bookingId, [scanOf('picked-up', clock.now())])),
  } as const

  describe.each(['a hand-over', 'a scan of the courier'] as const)('%s', (name) => {
    const record = (core: Core): Promise<string> => codeOf(events[name](core))

    it('that comes second waits until the account is gone', async () => {
      const paused = pausedBeforeCommit(database)
      const [deleting, recording] = [await openGateway(paused.database), await openGateway(database)]
      const ended: string[] = []
      const deleted = forfeit(deleting).then(() => ended.push('deleted'))
      await paused.reached
      const recorded = record(recording).then((code) => ended.push(code))
      await blockedOrDone(database, recorded)
      paused.resume()
      await Promise.all([deleted, recorded])
      // The bag was given up with the account.
      expect(ended).toEqual(['deleted', name === 'a hand-over' ? 'DO_NOT_ACCEPT' : 'done'])
      expect(await userExists()).toBe(false)
    })

    it('that comes first keeps the account: its bag is on its way', async () => {
      const paused = pausedBeforeCommit(database)
      const [deleting, recording] = [await openGateway(database), await openGateway(paused.database)]
      const recorded = record(recording)
      await paused.reached
      const deleted = codeOf(forfeit(deleting))
      await blockedOrDone(database, deleted)
      paused.resume()
      expect([await recorded, await deleted]).toEqual(['done', 'ACCOUNT_HAS_OPEN_ORDERS'])
      expect(await userExists()).toBe(true)
    })
  })
})

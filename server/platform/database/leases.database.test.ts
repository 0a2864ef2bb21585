import { beforeEach, describe, expect, it } from 'vitest'
import { type ManualClock, manualClock, minute, noon, second } from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import type { Database } from './database.ts'
import { createLeases, freeLeases, released } from './leases.ts'

forEachEngine((_, open) => {
  let clock: ManualClock
  let database: Database
  let leases: ReturnType<typeof createLeases<'bookings'>>
  beforeEach(async () => {
    clock = manualClock()
    database = await open(clock)
    leases = createLeases(database, 'bookings')
  })

  /** Work that is due at each of the times. */
  async function add(...dueAt: (number | null)[]): Promise<number[]> {
    const row = { currency: 'SAR', agent_code: 'A', center_code: 'C', created_at: noon }
    const tables = database.tables
    const { id: userId } = await tables
      .insertInto('users')
      .values({ phone: `+9665${crypto.randomUUID()}`, name: 'N', created_at: noon })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: orderId } = await tables
      .insertInto('orders')
      .values({ ...row, user_id: userId, type: 'TO_MINA', payment: 'paid', amount_halalas: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const place = { origin: '{}', destination: '{}', state: 'waiting' as const }
    const added = []
    for (const [leg, due_at] of dueAt.entries()) {
      const reference = crypto.randomUUID()
      added.push(
        await tables
          .insertInto('bookings')
          .values({ ...place, order_id: orderId, leg, reference, due_at })
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
    }
    return added.map(({ id }) => id)
  }

  const inAMinute = () => database.now(minute)
  const claim = async (limit = 1) =>
    (await leases.claim({ lease: crypto.randomUUID(), until: inAMinute(), limit })).map(({ id }) => id)

  describe('a claim', () => {
    it('takes what has been due longest, and nothing that is not due', async () => {
      const [late, early] = await add(noon, noon - 1, noon + 1, null)
      expect([await claim(), await claim(), await claim()]).toEqual([[early], [late], []])
      clock.advance(1)
      expect(await claim()).toHaveLength(1)
    })

    it('says when it was made, until when it holds and how often the row was claimed', async () => {
      await add(noon)
      const [row] = await leases.claim({ lease: 'mine', until: inAMinute() })
      expect(row).toMatchObject({ lease: 'mine', leased_until: noon + minute, tries: 1, claimed_at: noon })
    })

    it('also takes what is due soon, when asked for', async () => {
      await add(noon, noon + second)
      expect(
        await leases.claim({
          lease: crypto.randomUUID(),
          until: inAMinute(),
          limit: 9,
          dueBy: database.now(second),
        }),
      ).toHaveLength(2)
    })

    it('ends with its time, not a millisecond before', async () => {
      const [id = 0] = await add(noon)
      const [first] = await leases.claim({ lease: crypto.randomUUID(), until: inAMinute() })
      clock.advance(minute - 1)
      expect(await claim()).toEqual([])
      clock.advance(1)
      expect(await leases.claim({ lease: crypto.randomUUID(), until: inAMinute() })).toMatchObject([
        { id, tries: 2 },
      ])
      await leases
        .held(id, first?.lease ?? '')
        .set(released(null))
        .execute()
      expect(await rowOf(id)).toMatchObject({ due_at: noon })
    })

    it('has one winner for each row, and takes at most its limit', async () => {
      for (let round = 0; round < raceRounds; round += 1) {
        await add(...Array<number>(30).fill(noon))
        const claims = await Promise.all(Array.from({ length: 10 }, () => claim(4)))
        expect(Math.max(...claims.map(({ length }) => length))).toBe(4)
        const ids = claims.flat()
        expect(new Set(ids).size).toBe(ids.length)
        expect([...ids, ...(await claim(30))]).toHaveLength(30)
      }
    })

    it('never leases more rows at once than all gateways may have', async () => {
      await add(...Array<number>(12).fill(noon))
      const limited = () => leases.claim({ lease: crypto.randomUUID(), until: inAMinute(), most: 5 })
      const claimed = (await Promise.all(Array.from({ length: 10 }, limited))).flat()
      expect(claimed).toHaveLength(5)
      expect(await limited()).toEqual([])
      const [done] = claimed
      await leases
        .held(done?.id ?? 0, done?.lease ?? '')
        .set(released(null))
        .execute()
      expect(await limited()).toHaveLength(1)
      clock.advance(minute)
      expect(await limited()).toHaveLength(1)
    })
  })

  const rowOf = (id: number) =>
    database.tables.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('work that is released is due again at its time; that of a killed process at once', async () => {
    const [id = 0] = await add(noon)
    const [row] = await leases.claim({ lease: crypto.randomUUID(), until: inAMinute() })
    await leases
      .held(id, row?.lease ?? '')
      .set(released(database.now(second)))
      .execute()
    expect(await claim()).toEqual([])
    clock.advance(second)
    expect(await claim()).toEqual([id])
    expect(await freeLeases(database)).toBe(1)
    expect(await claim()).toEqual([id])
  })
})

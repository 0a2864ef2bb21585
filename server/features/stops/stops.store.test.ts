import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { insertOrder, lockCreations } from '#server/features/orders/order-creation.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Sale, stopOf } from '#shared/stops/stops.rules.ts'
import { hour, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { newLeg, newOrder } from '#test/kit/orders/stored-orders.ts'
import {
  type AddedStop,
  addStops,
  endStops,
  findLastEndedStop,
  listOpenStops,
  lockSales,
  readStopGuard,
} from './stops.queries.ts'
import { shownStop } from './stops.rules.ts'

const sale: Sale = { agent: 'A01', branch: '1', city: 'Riyadh' }

forEachEngine((engine, open) => {
  let database: Database
  let core: { readonly database: Database }
  beforeEach(async () => {
    database = await open()
    core = { database }
  })

  const add = (change: Partial<AddedStop> = {}) =>
    addStops(core, [
      {
        what: 'agent',
        code: 'A01',
        from_at: noon,
        until_at: null,
        text_ar: 'موقوف',
        text_en: 'Stopped',
        set_at: noon,
        set_by: 'Sara',
        reason: 'closed',
        ...change,
      },
    ])

  /** Asks the SQL condition, and expects that the rule in `shared/stops` gives the same answer. */
  async function isSold(asked: Sale = sale): Promise<boolean> {
    const { isSold: condition } = readStopGuard(core, asked)
    const rows = await database.tables.selectNoFrom(sql.lit(1).as('one')).where(condition).execute()
    const open = await listOpenStops(core)
    expect(stopOf(open.map(shownStop), asked, await database.readNow()) === undefined).toBe(rows.length === 1)
    return rows.length === 1
  }

  it.each<[Partial<AddedStop>, boolean]>([
    [{ what: 'all', code: null }, false],
    [{ what: 'city', code: 'Riyadh' }, false],
    [{ what: 'branch', code: '1' }, false],
    [{ what: 'agent', code: 'A01' }, false],
    [{ what: 'city', code: 'Jeddah' }, true],
    [{ what: 'branch', code: '2' }, true],
    [{ what: 'agent', code: 'A02' }, true],
    // Codes of another kind of stop.
    [{ what: 'agent', code: '1' }, true],
    [{ what: 'branch', code: 'A01' }, true],
  ])('of %j a sale is made: %s', async (stop, expected) => {
    await add({ ...stop, from_at: 0 })
    expect(await isSold()).toBe(expected)
  })

  it('holds a sale up from its beginning to before its end, by the time of the database', async () => {
    const now = await database.readNow()
    await add({ from_at: now + hour, until_at: now + 2 * hour })
    const seen: boolean[] = []
    for (const ahead of [0, hour, 2 * hour - minute, 2 * hour]) {
      database.setAhead(ahead)
      seen.push(await isSold())
    }
    database.setAhead(0)
    expect(seen).toEqual([true, false, false, true])
  })

  it('lists what was not taken back, and keeps what was', async () => {
    await add({ code: 'A01', until_at: noon + hour })
    await add({ code: 'A02' })
    await add({ code: 'A03' })
    const [first, second, third] = await listOpenStops(core)
    expect([first?.code, second?.code, third?.code]).toEqual(['A01', 'A02', 'A03'])
    const end = { at: noon + 2 * hour, by: 'Majed', because: 'open again' }
    await endStops(core, [first?.id ?? 0, third?.id ?? 0], end)
    expect((await listOpenStops(core)).map(({ code }) => code)).toEqual(['A02'])
    expect(await findLastEndedStop(core)).toMatchObject({
      code: 'A03',
      ended_at: noon + 2 * hour,
      ended_by: 'Majed',
      ended_because: 'open again',
      set_by: 'Sara',
      reason: 'closed',
    })
    // It had already run out.
    const rows = await database.tables
      .selectFrom('stops')
      .select(['code', 'ended_at'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { code: 'A01', ended_at: noon + hour },
      { code: 'A02', ended_at: null },
      { code: 'A03', ended_at: noon + 2 * hour },
    ])
  })

  describe('an order that is being created', () => {
    const begin = async (work: (create: () => Promise<number | undefined>) => Promise<void>) => {
      const { id: userId } = await ensureUser({ database }, '+966512345678', 'N', noon)
      const guard = readStopGuard(core, sale)
      await database.transaction(async () => {
        await lockCreations({ database }, userId, guard.lock)
        await work(() =>
          insertOrder(
            { database },
            { limit: 9, droppedSince: noon, isSold: guard.isSold },
            newOrder(userId),
            [newLeg('AM-stop')],
          ),
        )
      })
      return database.tables.selectFrom('orders').select('id').execute()
    }

    it('is not stored under a stop', async () => {
      await add({ what: 'all', code: null, from_at: 0 })
      expect(await begin(async (create) => expect(await create()).toBeUndefined())).toEqual([])
    })

    it('is there before a stop is set that it does not see', async () => {
      const steps: string[] = []
      const isBegun = Promise.withResolvers<void>()
      const stopping = isBegun.promise.then(() =>
        database.transaction(async () => {
          await lockSales(core)
          await add({ what: 'all', code: null, from_at: 0 })
          steps.push('stopped')
        }),
      )
      const stored = await begin(async (create) => {
        isBegun.resolve()
        // SQLite has one writer at a time.
        if (engine === 'postgres') await eventually(async () => (await countWaiting()) || undefined)
        expect(await create()).toBeGreaterThan(0)
        steps.push('created')
      })
      await stopping
      expect(stored).toHaveLength(1)
      expect(steps).toEqual(['created', 'stopped'])
    })
  })

  /** Transactions of this database that wait for a lock of this kind. */
  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`select cast(count(*) as int) as count from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
      database.tables,
    )
    return rows[0]?.count ?? 0
  }
})

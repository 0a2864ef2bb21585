import { expect, it, vi } from 'vitest'
import { createAudit } from '#server/features/audit/audit.service.ts'
import { createAuditStore } from '#server/features/audit/audit.store.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { manualClock, noon } from '#test/kit/clock.ts'
import { openMemory } from '#test/kit/memory-database.ts'
import { bookingRow, orderRow } from '#test/kit/stored-orders.ts'
import { createWork } from './work.service.ts'
import { createWorkStore } from './work.store.ts'

const sara: Pick<Staff, 'issuer' | 'subject' | 'roles'> = { issuer: 'i', subject: 'sara', roles: ['support'] }

it('the lists are read once for all who ask until one has changed, and who has what apart from them', async () => {
  const passing = manualClock(0)
  // The machine's clock stands still, as one that is set back all the time.
  const clock = { ...manualClock(), elapsed: passing.now }
  const database = await openMemory(clock)
  const store = createWorkStore(database)
  let readings = 0
  const revisions = { acts: 0, orders: 0, takes: 0 }
  let isBroken = false
  const work = createWork({
    database,
    clock,
    silenceMs: 1_000,
    audit: createAudit({ store: createAuditStore(database), database, clock }),
    revisions: () => ({ ...revisions }),
    store: {
      ...store,
      async listAlarms() {
        readings += 1
        if (isBroken) throw new Error('no database')
        return store.listAlarms()
      },
    },
  })
  const bags = async () => {
    const { lists } = await work.readOverview({ person: sara, language: 'en' })
    return lists.find(({ kind }) => kind === 'bags')?.count
  }
  expect(await atOnce(5, bags)).toEqual([0, 0, 0, 0, 0])
  expect(await work.list('bags', { person: sara, language: 'en' }, {})).toEqual([])
  expect(readings).toBe(1)
  const tables = database.tables
  await tables
    .insertInto('users')
    .values({ id: 1, phone: '+966512345678', name: 'N', created_at: noon })
    .execute()
  await tables
    .insertInto('orders')
    .values({ ...orderRow, user_id: 1 } as never)
    .execute()
  await tables
    .insertInto('bookings')
    .values(bookingRow as never)
    .execute()
  const alarm = { booking_id: bookingRow.id, event_key: 'k', kind: 'damaged', code: 'DM' } as const
  await tables
    .insertInto('scan_alerts')
    .values({ ...alarm, at: noon, noticed_at: noon })
    .execute()
  revisions.acts += 1
  expect(await atOnce(5, bags)).toEqual([1, 1, 1, 1, 1])
  expect(readings).toBe(2)
  // A row that is taken changes no list: its holder alone is read again.
  await tables
    .insertInto('desk_sessions')
    .values({
      ...sara,
      roles: 'support',
      name: 'Sara',
      token_hash: 't',
      sid: null,
      id_token: '',
      authenticated_at: noon,
      created_at: noon,
      last_seen_at: noon,
      idle_until: noon * 2,
      ends_at: noon * 2,
    })
    .execute()
  const huda = { ...sara, subject: 'huda' }
  expect((await work.readNews(huda)).held).toEqual([])
  const taken = { issuer: 'i', subject: 'sara', name: 'Sara', taken_at: noon, moved_at: noon }
  const row = { kind: 'bags', reference: String(bookingRow.id) } as const
  await tables
    .insertInto('desk_work')
    .values({ ...row, ...taken })
    .execute()
  revisions.takes += 1
  const news = await work.readNews(huda)
  expect(news).toMatchObject({
    held: [{ kind: 'bags', id: row.reference, taken: { name: 'Sara', isYou: false } }],
    colleagues: [{ id: 'sara', has: 1 }],
  })
  expect(news.lists.find(({ kind }) => kind === 'bags')).toMatchObject({ count: 1, free: 0 })
  expect(readings).toBe(2)
  // What pilgrims change, and what time does, is read beside who asks: for them the reading before serves a while longer.
  revisions.orders += 1
  passing.advance(249)
  expect([await bags(), readings]).toEqual([1, 2])
  await tables.updateTable('scan_alerts').set({ closed_at: noon }).execute()
  passing.advance(1)
  expect(await bags()).toBe(1)
  await vi.waitFor(async () => expect([await bags(), readings]).toEqual([0, 3]))
  passing.advance(1_999)
  expect([await bags(), readings]).toEqual([0, 3])
  passing.advance(28_000)
  expect(await bags()).toBe(0)
  await vi.waitFor(() => expect(readings).toBe(4))
  // But not for long, and never after an act.
  passing.advance(30_000)
  isBroken = true
  await expect(bags()).rejects.toThrow('no database')
  isBroken = false
  expect([await bags(), readings]).toEqual([0, 6])
  await tables.updateTable('scan_alerts').set({ closed_at: null }).execute()
  revisions.acts += 1
  expect([await bags(), readings]).toEqual([1, 7])
})

import { expect, it } from 'vitest'
import type { Staff } from '#server/platform/session-scope.ts'
import { hour, manualClock, noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { measured } from '#test/kit/gateway/measured.ts'
import { bookingRow, orderRow } from '#test/kit/orders/stored-orders.ts'
import { listWork, readOverview } from './work-lists.ts'

const sara: Pick<Staff, 'issuer' | 'subject' | 'roles'> = { issuer: 'i', subject: 'sara', roles: ['support'] }
const huda = { ...sara, subject: 'huda' }

it('each reading of the lists shows what is stored at that moment, and who has it', async () => {
  const clock = manualClock()
  const database = await openMemory(clock)
  const core = await openCore({ database, clock })
  const overviewOf = (person: typeof sara) => readOverview(core, { person, language: 'en' })
  const bags = async () => (await overviewOf(huda)).lists.find(({ kind }) => kind === 'bags')
  const { tables } = database
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
  expect(await bags()).toMatchObject({ count: 0, free: 0, oldest: null })
  const alarm = { booking_id: bookingRow.id, event_key: 'k', kind: 'damaged', code: 'DM' } as const
  await tables
    .insertInto('scan_alerts')
    .values({ ...alarm, at: noon - hour, noticed_at: noon })
    .execute()
  expect(await bags()).toMatchObject({ count: 1, free: 1 })
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
  const taken = { issuer: 'i', subject: 'sara', name: 'Sara', taken_at: noon, moved_at: noon }
  const row = { kind: 'bags', reference: String(bookingRow.id) } as const
  await tables
    .insertInto('desk_work')
    .values({ ...row, ...taken })
    .execute()
  expect(await bags()).toMatchObject({ count: 1, free: 0 })
  expect(await overviewOf(huda)).toMatchObject({ mine: [], colleagues: [{ id: 'sara', has: 1 }] })
  expect(await overviewOf(sara)).toMatchObject({ mine: [{ id: row.reference }], colleagues: [] })
  const listed = (person: typeof sara, whose: 'mine' | 'free') =>
    listWork(core, 'bags', { person, language: 'en' }, { whose })
  expect(await listed(huda, 'free')).toEqual([])
  expect(await listed(huda, 'mine')).toEqual([])
  expect(await listed(sara, 'mine')).toMatchObject([{ id: row.reference, taken: { isYou: true } }])
  clock.advance(25 * hour)
  expect(await measured(core, 'amtiati_desk_work{kind="bags"}')).toBe(1)
  expect(await measured(core, 'amtiati_desk_work_late{kind="bags"}')).toBe(1)
  expect(await measured(core, 'amtiati_desk_work_oldest_age_seconds{kind="bags"}')).toBe((25 * hour) / 1_000)
  await tables.updateTable('scan_alerts').set({ closed_at: noon }).execute()
  expect(await bags()).toMatchObject({ count: 0, free: 0 })
})

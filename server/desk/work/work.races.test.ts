import { expect, it } from 'vitest'
import { insertSession } from '#server/desk/staff/staff.queries.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { day, hour, manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { newLeg, newOrder, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { listTaken } from './work.queries.ts'
import { handRow, takeForAct, takeRow } from './work.ts'

/** Rows of one order in two lists, and whom they may be handed to, on both engines. */

const issuer = 'https://id.example'
const person = (subject: string, role: Staff['roles'][number]): Staff => ({
  role: 'staff',
  issuer,
  subject,
  name: subject,
  roles: [role],
  authenticatedAt: noon,
})
const [sara, majed, lulwa] = [person('Sara', 'support'), person('Majed', 'money'), person('Lulwa', 'lead')]

forEachEngine((_engine, open) => {
  async function openWork() {
    const clock = manualClock(noon)
    const database = await open(clock)
    const core = await openCore({ database, clock })
    const { id: userId } = await ensureUser({ database }, '+966512344678', 'Maryam', noon)
    for (const { subject, name, roles } of [sara, majed, lulwa])
      await insertSession(core, {
        issuer,
        subject,
        name,
        token_hash: subject,
        sid: null,
        roles: roles.join(' '),
        id_token: '',
        authenticated_at: noon,
        created_at: noon,
        last_seen_at: noon,
        idle_until: noon + 8 * hour,
        ends_at: noon + 8 * hour,
      })
    const orderId = await storeOrder({ database }, newOrder(userId), [newLeg('AM-1'), newLeg('AM-2', 1)])
    const holders = async () => (await listTaken(core, clock.now())).map(({ subject }) => subject)
    return { clock, database, core, userId, orderId, holders }
  }

  it('all rows of an order move to the acting person or stay: also where they were taken at different times', async () => {
    const { clock, database, core, userId, orderId, holders } = await openWork()
    const references = ['1', '2'] as const
    for (const [index, { id: booking_id }] of (await findBookings({ database }, [orderId])).entries())
      await database.tables
        .insertInto('claims')
        .values({
          id: index + 1,
          user_id: userId,
          order_id: orderId,
          booking_id,
          kind: 'other',
          state: 'OPEN',
          body_hash: 'h',
          opened_at: noon,
          touched_at: noon,
          answer_by: noon,
        })
        .execute()
    for (const reference of references) {
      await takeRow(core, sara, { kind: 'claims', reference }, {})
      clock.advance(minute)
    }
    const taken = { code: 'WORK_TAKEN' }
    await expect(takeForAct(core, majed, { orderId })).rejects.toMatchObject(taken)
    // Since the first of them: the second is newer than the one in the question.
    await expect(takeForAct(core, majed, { orderId }, { over: isoOf(noon) })).rejects.toMatchObject(taken)
    expect(await holders()).toEqual(['Sara', 'Sara'])
    await takeForAct(core, majed, { orderId }, { over: isoOf(noon + minute) })
    expect(await holders()).toEqual(['Majed', 'Majed'])
  })

  it('what is asked for is handed to who may decide it: not to who asked', async () => {
    const { database, core, orderId, holders } = await openWork()
    const { id } = await database.tables
      .insertInto('approvals')
      .values({
        order_id: orderId,
        act: 'refund',
        about: 'T1',
        halalas: 5_000,
        payload: null,
        facts: '{}',
        reason: 'lost bag',
        state: 'waiting',
        asked_at: noon,
        expires_at: noon + day,
        asked_issuer: issuer,
        asked_subject: 'Majed',
        asked_by: 'Majed',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row = { kind: 'approvals', reference: String(id) } as const
    for (const to of ['Majed', 'Sara'])
      await expect(
        handRow(core, lulwa, row, { key: to, body: null }, { to, note: 'please' }),
        to,
      ).rejects.toMatchObject({
        code: 'COLLEAGUE_NOT_FOUND',
      })
    expect(await holders()).toEqual([])
  })
})

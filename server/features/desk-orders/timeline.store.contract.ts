import { expect, it } from 'vitest'
import { createClaimsStore } from '#server/features/claims/claims.store.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Engine } from '#server/platform/database/database.ts'
import { contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { createTimelineStore } from './timeline.store.ts'

export function timelineStoreContract(_engine: Engine, open: OpenDatabase): void {
  it('reads what is stored of an order, and of no other', async () => {
    const database = await open()
    const store = createTimelineStore(database)
    const orders = createOrdersStore(database)
    const users = createSessionsStore(database)
    const userId = (await users.ensureUser('+966512344678', 'Maryam', noon)).id
    const otherId = (await users.ensureUser('+966512344679', 'Yusuf', noon)).id
    const ids = [
      await orders.addOrder(newOrder(userId), [newLeg('AM-1'), newLeg('AM-2', 1)]),
      await orders.addOrder(newOrder(otherId), [newLeg('AM-3')]),
      await orders.addOrder(newOrder(userId), [newLeg('AM-4')]),
    ]
    const [id = 0, other = 0, third = 0] = ids
    for (const each of ids) {
      const [booking] = await orders.findBookings([each])
      const bookingId = booking?.id ?? 0
      const attempt = { reference: `OD${each}`, amount_halalas: 5_000, currency: 'SAR', created_at: noon }
      await orders.insertEvent(
        bookingId,
        { event_key: 'k', kind: 'in-transit', source: 'courier', at: noon },
        noon,
      )
      const { id: attemptId } = await database.tables
        .insertInto('payment_attempts')
        .values({ ...attempt, order_id: each, state: 'open', secret_until: noon, inquired_at: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await database.tables
        .insertInto('payment_events')
        .values({
          ...{ transaction_id: `T${each}`, kind: 'failed', attempt_id: attemptId, source: 'inquiry' },
          ...{ outcome: 'noted', amount_halalas: 5_000, currency: 'SAR', body: '{}', received_at: noon },
        })
        .execute()
      await database.tables
        .insertInto('operator_actions')
        .values(
          [
            { at: noon, actor: 'Sara', action: 'reveal', order_id: each, before: '{}', after: '{}' },
            {
              at: noon,
              actor: 'Sara',
              action: 'unlock',
              user_id: each === other ? otherId : userId,
              before: '{}',
              after: '{}',
            },
          ].map((row) => ({
            order_id: null,
            user_id: null,
            subject: null,
            reason: null,
            actor_issuer: null,
            actor_subject: null,
            ...row,
          })),
        )
        .execute()
    }
    const claims = createClaimsStore(database)
    for (const [index, each] of ids.entries()) {
      const [booking] = await orders.findBookings([each])
      const claim = await claims.insertClaim({
        ...{ user_id: userId, order_id: each, booking_id: booking?.id ?? 0, kind: 'other', idem_key: null },
        ...{ body_hash: '', opened_at: noon, answer_by: noon },
      })
      if (!claim) throw new Error('the claim is new')
      await database.transaction(() =>
        claims.addEvent(claim, {
          ...{ kind: 'opened', author: 'owner', text: `Claim ${index}`, at: noon },
          ...{ staff_issuer: null, staff_subject: null, staff_name: null },
        }),
      )
    }
    for (const each of [id, other])
      await database.tables
        .insertInto('order_notes')
        .values({ order_id: each, at: noon, issuer: 'i', subject: 's', name: 'Sara', text: `of ${each}` })
        .execute()
    for (const [each, state] of [
      [id, 'waiting'],
      [id, 'alone'],
      [other, 'waiting'],
    ] as const)
      await database.tables
        .insertInto('approvals')
        .values({
          ...{
            order_id: each,
            act: 'refund',
            about: `T${each}`,
            halalas: 5_000,
            facts: '{}',
            reason: 'lost',
            state,
          },
          ...{ asked_at: noon, asked_issuer: 'i', asked_subject: 's', asked_by: 'Majed', expires_at: noon },
        })
        .execute()
    const facts = await store.readFacts(id)
    expect(facts?.order).toMatchObject({ id, user_id: userId, phone: '+966512344678', expired_at: null })
    expect(facts?.bags.bookings.map(({ leg }) => leg)).toEqual([0, 1])
    expect(
      [facts?.bags.events, facts?.money.attempts, facts?.money.events].map((rows) => rows?.length),
    ).toEqual([...[1, 1, 1]])
    expect(facts?.people.actions.map(({ action }) => action).sort()).toEqual(['reveal', 'unlock', 'unlock'])
    expect(facts?.people.claims).toEqual([
      {
        id: 1,
        kind: 'other',
        outcome: null,
        partner_case: null,
        step: 1,
        event: 'opened',
        author: 'owner',
        staff_name: null,
        at: noon,
      },
    ])
    expect(facts?.people.notes.map(({ text }) => text)).toEqual([`of ${id}`])
    expect(facts?.people.approvals.map(({ about, state }) => [about, state])).toEqual([[`T${id}`, 'waiting']])
    expect(await store.readFacts(third + 1)).toBeUndefined()
    expect((await store.listOthers(userId, id, 5)).map((row) => row.id)).toEqual([third])
    expect(await store.listOthers(otherId, other, 5)).toEqual([])
  })
}

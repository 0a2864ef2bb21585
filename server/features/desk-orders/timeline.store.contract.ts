import { expect, it } from 'vitest'
import type { ClaimStep } from '#server/features/claims/claims.service.ts'
import { type ClaimRow, createClaimsStore } from '#server/features/claims/claims.store.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { createMessagesStore } from '#server/features/messages/messages.store.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import { createSharesStore } from '#server/features/shares/shares.store.ts'
import type { Engine } from '#server/platform/database/database.ts'
import type { ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import { day, hour, contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { newLeg, newOrder, scanOf, storeEvents } from '#test/kit/stored-orders.ts'
import { type Line, timelineOf } from './timeline.rules.ts'
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
      await storeEvents(database, bookingId, ['in-transit'])
      const { id: attemptId } = await database.tables
        .insertInto('payment_attempts')
        .values({ ...attempt, order_id: each, state: 'open', secret_until: noon, inquired_at: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await database.tables
        .insertInto('payment_events')
        .values({
          transaction_id: `T${each}`,
          kind: 'failed',
          attempt_id: attemptId,
          source: 'inquiry',
          outcome: 'noted',
          amount_halalas: 5_000,
          currency: 'SAR',
          body: '{}',
          received_at: noon,
        })
        .execute()
      await database.tables
        .insertInto('payment_findings')
        .values({ attempt_id: attemptId, amount_halalas: each, noticed_at: noon })
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
        user_id: userId,
        order_id: each,
        booking_id: booking?.id ?? 0,
        kind: 'other',
        idem_key: null,
        body_hash: '',
        opened_at: noon,
        answer_by: noon,
      })
      if (!claim) throw new Error('the claim is new')
      await database.transaction(() =>
        recordEvent(
          { database },
          {
            kind: 'claim-opened',
            data: { claim: 'other', personal: { text: `Claim ${index}` } },
            by: { kind: 'owner' },
            orderId: claim.order_id,
            claimId: claim.id,
          },
        ),
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
          order_id: each,
          act: 'refund',
          about: `T${each}`,
          halalas: 5_000,
          facts: '{}',
          reason: 'lost',
          state,
          asked_at: noon,
          asked_issuer: 'i',
          asked_subject: 's',
          asked_by: 'Majed',
          expires_at: noon,
          asked_roles: 'support',
          decided_by: 'Huda',
          decided_roles: 'finance',
        })
        .execute()
    const facts = await store.readFacts(id)
    expect(facts?.order).toMatchObject({ id, user_id: userId, phone: '+966512344678', ended: null })
    expect(facts?.bags.bookings.map(({ leg }) => leg)).toEqual([0, 1])
    expect(
      [facts?.bags.events, facts?.money.attempts, facts?.money.events].map((rows) => rows?.length),
    ).toEqual([...[1, 1, 1]])
    expect(facts?.money.findings.map((found) => found.amount_halalas)).toEqual([id])
    expect(facts?.people.actions.map(({ action }) => action).sort()).toEqual(['reveal', 'unlock', 'unlock'])
    expect(facts?.people.claims).toEqual([{ id: 1, kind: 'other' }])
    expect(facts?.people.claimEvents).toMatchObject([
      { claimId: 1, kind: 'claim-opened', data: { personal: { text: 'Claim 0' } }, by: { kind: 'owner' } },
    ])
    expect(facts?.people.notes.map(({ text }) => text)).toEqual([`of ${id}`])
    expect(facts?.people.approvals).toMatchObject([
      { about: `T${id}`, state: 'waiting', asked_by: 'Majed', decided_by: 'Huda' },
    ])
    expect(await store.readFacts(third + 1)).toBeUndefined()
    expect(await store.listOthers(userId, id, 5)).toMatchObject([
      { id: third, payment: 'unpaid', ended: null },
    ])
    expect(await store.listOthers(otherId, other, 5)).toEqual([])
  })

  it('goes on telling what it told, whatever follows', async () => {
    let now = noon
    const database = await open({ now: () => now })
    const store = createTimelineStore(database)
    const [orders, messages] = [createOrdersStore(database), createMessagesStore(database)]
    const [payments, claims] = [createPaymentsStore(database), createClaimsStore(database)]
    const shares = createSharesStore(database)
    const userId = (await createSessionsStore(database).ensureUser('+966512344678', 'Maryam', noon)).id
    const id = await orders.addOrder(newOrder(userId), [newLeg('AM-1')])
    const bookingId = (await orders.findBookings([id]))[0]?.id ?? 0
    const { id: attempt_id } = await database.tables
      .insertInto('payment_attempts')
      .values({
        order_id: id,
        reference: 'OD1',
        amount_halalas: 5_000,
        currency: 'SAR',
        created_at: noon,
        state: 'open',
        secret_until: noon,
        inquired_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const within = <T>(work: () => Promise<T>): Promise<T> => database.transaction(work)
    const scan = (key: string, kind: 'handed-over' | 'in-transit' | 'collected') => () =>
      within(async () => {
        await orders.insertEvent({ orderId: id, bookingId }, scanOf(kind, now, { key }))
      })
    const report = (outcome: 'amount-mismatch' | 'applied', amount_halalas: number) => async () => {
      const event = { transaction_id: 'T1', kind: 'succeeded', attempt_id, source: 'callback' } as const
      await payments.addEvent({
        ...event,
        outcome,
        amount_halalas,
        currency: 'SAR',
        body: '{}',
        received_at: now,
      })
      const data = { transaction: 'T1', halalas: amount_halalas, currency: 'SAR', outcome } as const
      await within(() =>
        recordEvent(
          { database },
          {
            kind: 'payment-noted',
            data: { ...data, reported: 'succeeded', source: 'callback' },
            by: { kind: 'provider' },
            orderId: id,
          },
        ),
      )
    }
    const request = async () => {
      const { id: refund, lease } = (await payments.leaseRefund(now + day, now + 2 * day)) ?? {
        id: 0,
        lease: '',
      }
      const begun = await within(() => payments.beginRefund({ id: refund, lease }, now))
      if (!begun) throw new Error('the refund is requested')
      return begun
    }
    const send = async (ref: string) => {
      const lease = crypto.randomUUID()
      const message = { id: (await messages.leaseMessage(lease, now + day, now + 2 * day))?.id ?? 0, lease }
      await messages.writeMessage(message, { phone: '+966512344678', body: ref })
      await messages.beginSend(message, now)
      await messages.markAccepted(message.id, ref, 'sent', now)
      return message.id
    }
    const claim = () => claims.findClaim(1)
    const step =
      (event: Pick<ClaimStep, 'kind' | 'data'>, change: () => Promise<ClaimRow | undefined>) => () =>
        within(async () => {
          const changed = await change()
          if (!changed) throw new Error('the claim takes the step')
          const taken = {
            ...event,
            by: { kind: 'owner' },
            orderId: changed.order_id,
            claimId: changed.id,
            at: now,
          } as ClaimStep
          await recordEvent({ database }, taken)
        })
    const passOn = (number: string) =>
      step({ kind: 'claim-passed-on', data: { personal: { case: number, text: '' } } }, () =>
        claims.note(1, { partner_case: number, partner_told_at: now }, now),
      )
    const close = (outcome: ClaimOutcome) =>
      step({ kind: 'claim-closed', data: { outcome, halalas: null, personal: null } }, () =>
        claims.close(1, outcome, now),
      )
    const unreachable = 'unreachable 30003'
    let message = 0
    const steps: readonly (() => Promise<unknown>)[] = [
      scan('a', 'handed-over'),
      report('amount-mismatch', 4_000),
      report('applied', 5_000),
      () => within(() => payments.refundPayment('T1', { reason: 'operator', by: { kind: 'system' } }, now)),
      async () => {
        const begun = await request()
        await within(() => payments.doubtRefund(begun, now, 'cut off'))
      },
      async () => payments.planRefund(await request(), 'due', now, 'refused'),
      () => within(() => payments.finishRefund('T1', now)),
      async () => {
        await messages.addMessage({
          user_id: userId,
          order_id: id,
          booking_id: 0,
          refund_id: 0,
          held_until: null,
          kind: 'paid',
          created_at: now,
        })
        message = await send('S1')
      },
      () => messages.markForRetry(message, 'S1', { reason: unreachable, dueAt: now, now }),
      () => send('S2'),
      () => messages.markFinal(message, 'S2', { state: 'failed', reason: unreachable }, now),
      () => within(() => messages.resendMessages([message], now)),
      async () => messages.markFinal(await send('S3'), 'S3', { state: 'delivered', reason: null }, now),
      step({ kind: 'claim-opened', data: { claim: 'late', personal: null } }, () =>
        claims.insertClaim({
          user_id: userId,
          order_id: id,
          booking_id: bookingId,
          kind: 'late',
          idem_key: null,
          body_hash: 'h',
          opened_at: now,
          answer_by: now,
        }),
      ),
      passOn('C-1'),
      close('refused'),
      step({ kind: 'claim-message', data: { personal: null } }, async () => {
        const closed = await claim()
        return closed && claims.reopen(closed, { now, answerBy: now, closedSince: noon })
      }),
      passOn('C-2'),
      close('found'),
      () => within(() => shares.saveShare(id, 'one', now)),
      () => within(() => shares.saveShare(id, 'two', now)),
      () => within(() => shares.endShares([id])),
      // After a silence.
      scan('b', 'in-transit'),
      scan('c', 'collected'),
    ]
    const limits = { refundMs: 6 * hour, silenceMs: 30 * hour, wrongCodes: 20 }
    const read = async () => {
      const facts = await store.readFacts(id)
      if (!facts) throw new Error('there is the order')
      return timelineOf(facts, [], now, limits).map((line) => JSON.stringify(line))
    }
    let told: readonly string[] = []
    for (const [index, take] of steps.entries()) {
      now += 2 * hour
      await take()
      const lines = await read()
      expect(
        told.filter((line) => !lines.includes(line)),
        `after step ${index}`,
      ).toEqual([])
      told = lines
    }
    const kinds = told.map((line) => (JSON.parse(line) as Line).kind)
    expect(
      Object.fromEntries([...Map.groupBy(kinds, String)].map(([kind, all]) => [kind, all.length])),
    ).toEqual({
      'order-created': 1,
      'payment-opened': 1,
      'payment-wrong-amount': 1,
      'payment-succeeded': 1,
      'refund-ordered': 1,
      'refund-requested': 2,
      'refund-doubtful': 1,
      'refund-overdue': 1,
      'refund-done': 1,
      'message-sent': 3,
      'message-failed': 2,
      'message-delivered': 1,
      'claim-opened': 1,
      'claim-passed-on': 2,
      'claim-closed': 2,
      'claim-message': 1,
      shared: 2,
      'handed-over': 1,
      silent: 1,
      'in-transit': 1,
      collected: 1,
    })
  })
}

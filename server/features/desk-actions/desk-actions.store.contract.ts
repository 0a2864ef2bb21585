import { beforeEach, expect, it } from 'vitest'
import { insertClaim, insertCompensation } from '#server/features/claims/claims.queries.ts'
import { eraseEvents, listEvents, recordEvent } from '#server/features/history/history.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { hour, manualClock, minute, contractNoon as noon } from '#test/kit/clock.ts'
import { openCore } from '#test/kit/core.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { newLeg, newOrder } from '#test/kit/stored-orders.ts'
import { actionRules } from './desk-actions.rules.ts'
import { createDeskActionsStore, type DeskActionsStore, type NewApproval } from './desk-actions.store.ts'

export function deskActionsStoreContract(_engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: DeskActionsStore
  let userId: number
  let orderId: number
  beforeEach(async () => {
    database = await open()
    store = createDeskActionsStore(database)
    userId = (await createSessionsStore(database).ensureUser('+966512345678', 'N', noon)).id
    orderId = await createOrdersStore(database).addOrder(newOrder(userId), [newLeg('AM-1')])
  })

  const majed = { issuer: 'https://id.example', subject: 'u-2' }
  const wish = (change: Partial<NewApproval> = {}): NewApproval => ({
    order_id: orderId,
    act: 'refund',
    about: 'T1',
    halalas: 5_000,
    payload: '{}',
    facts: '{}',
    reason: 'lost bag',
    state: 'waiting',
    asked_at: noon,
    expires_at: noon + actionRules.approvalMs,
    asked_issuer: majed.issuer,
    asked_subject: majed.subject,
    asked_by: 'Majed',
    ...change,
  })
  const decision = (state: 'approved' | 'refused', at = noon + minute) => ({
    state,
    decided_at: at,
    decided_by: 'Lulwa',
    decision: null,
    decided_issuer: majed.issuer,
    decided_subject: 'u-3',
    decided_roles: 'money lead',
  })

  it('knows how the claims about the bags of an order stand, what a person did last, and what was compensated', async () => {
    expect(await store.listClaims([orderId])).toEqual([])
    const [booking] = await createOrdersStore(database).findBookings([orderId])
    const core = await openCore({ database, clock: manualClock(noon) })
    const claim = await insertClaim(core, {
      user_id: userId,
      order_id: orderId,
      booking_id: booking?.id ?? 0,
      kind: 'other',
      idem_key: null,
      body_hash: '',
      opened_at: noon,
      answer_by: noon + hour,
    })
    const id = claim?.id ?? 0
    const step = { claimId: id, orderId, by: { kind: 'system' } } as const
    const close = (halalas: number) =>
      database.transaction(async () => {
        const data = { outcome: 'compensated', halalas, personal: null } as const
        const event_id = (await recordEvent({ database }, { ...step, kind: 'claim-closed', data })) ?? 0
        await insertCompensation(core, { event_id, claim_id: id, halalas, reference: null })
        return event_id
      })
    await close(5_000)
    const last = await close(20)
    await database.transaction(() => recordEvent({ database }, { ...step, kind: 'claim-late', data: {} }))
    const stands = { id, order_id: orderId, state: 'OPEN', late_since: null, step: last, compensated: 5_020 }
    expect(await store.listClaims([orderId])).toEqual([stands])
    expect(await store.listClaims([orderId + 1])).toEqual([])
    await database.transaction(() => store.lockClaims(orderId))
    // Elsewhere the lock would end at once.
    await expect(store.lockClaims(orderId)).rejects.toThrow('this needs a transaction of its caller')
  })

  it('lets one request without an order wait about one subject, beside those of orders', async () => {
    const ofAll = { order_id: null, act: 'end-sessions', about: '', halalas: 0 } as const
    const ofPerson = { order_id: null, act: 'number', about: '7', halalas: 0 } as const
    const first = (await store.addApproval(wish(ofAll))) ?? 0
    expect(await store.addApproval(wish(ofAll))).toBeUndefined()
    const second = await store.addApproval(wish(ofPerson))
    const third = await store.addApproval(wish({ ...ofPerson, about: '8' }))
    await store.addApproval(wish())
    expect(await store.findWaiting(wish(ofPerson))).toMatchObject({ id: second, order_id: null })
    await database.transaction(() => store.expireApprovals(null, 'number', noon + actionRules.approvalMs))
    const waiting = await store.listWaiting(noon, { limit: 10 })
    expect(waiting.map(({ id }) => id)).toEqual([first, (third ?? 0) + 1])
    expect(await store.decideApproval(first, decision('approved'))).toBe(true)
    expect(await store.addApproval(wish(ofAll))).toBeDefined()
  })

  it('erases the number that a person was to get, of no other person and no order', async () => {
    const ofPerson = { order_id: null, act: 'number', about: '7', halalas: 0, payload: '{}' } as const
    const first = (await store.addApproval(wish(ofPerson))) ?? 0
    const other = (await store.addApproval(wish({ ...ofPerson, about: '8' }))) ?? 0
    await store.eraseNumber(7)
    expect((await store.findApproval(first))?.payload).toBeNull()
    expect((await store.findApproval(other))?.payload).toBe('{}')
  })

  it('lets one wish of a kind wait for an order about one transaction, and decides it once', async () => {
    const first = (await store.addApproval(wish())) ?? 0
    expect(await store.addApproval(wish({ asked_by: 'Huda' }))).toBeUndefined()
    const other = await store.addApproval(wish({ act: 'reissue', about: '', halalas: 0 }))
    const second = await store.addApproval(wish({ about: 'T2' }))
    expect(await store.findWaiting(wish())).toMatchObject({ id: first, asked_by: 'Majed' })
    expect(await store.findWaiting(wish({ about: 'T2' }))).toMatchObject({ id: second })
    const listed = async (page: Parameters<typeof store.listWaiting>[1], now = noon) =>
      (await store.listWaiting(now, page)).map(({ id }) => id)
    expect(await listed({ limit: 10 })).toEqual([first, other, second])
    expect(await listed({ limit: 1 })).toEqual([first])
    expect(await listed({ after: first, limit: 1 })).toEqual([other])
    // Asked later, although its number is lower.
    await database.tables
      .updateTable('approvals')
      .set({ asked_at: noon + 1 })
      .where('id', '=', first)
      .execute()
    expect(await listed({ after: second ?? 0, limit: 10 })).toEqual([first])
    expect(await listed({ limit: 10 }, noon + actionRules.approvalMs)).toEqual([])
    expect(await store.decideApproval(first, decision('refused'))).toBe(true)
    expect(await store.decideApproval(first, decision('approved'))).toBe(false)
    // What it held of people is gone.
    expect(await store.findApproval(first)).toMatchObject({
      state: 'refused',
      decided_by: 'Lulwa',
      payload: null,
    })
    const again = await store.addApproval(wish())
    expect(await listed({ limit: 10 })).toEqual([other, second, again])
  })

  it('ends what waited too long: when the same is asked again, and by itself', async () => {
    const late = noon + actionRules.approvalMs
    const first = (await store.addApproval(wish())) ?? 0
    await database.transaction(() => store.expireApprovals(orderId, 'refund', late - 1))
    expect(await store.addApproval(wish())).toBeUndefined()
    await database.transaction(() => store.expireApprovals(orderId, 'refund', late))
    const second = (await store.addApproval(wish({ asked_at: late, expires_at: late + 1 }))) ?? 0
    expect(second).toBeGreaterThan(first)
    const third = (await store.addApproval(wish({ act: 'receiver', asked_at: noon + hour }))) ?? 0
    const expire = (now: number) => database.transaction(() => store.expireOld(now, 10))
    expect(await expire(late + hour - 1)).toBe(0)
    // Of several gateways at once.
    expect((await atOnce(3, () => expire(late + hour))).toSorted()).toEqual([0, 0, 1])
    const events = (await listEvents({ database }, 'order_id', [orderId])).slice(1)
    expect(events).toMatchObject([
      {
        kind: 'approval-expired',
        at: late,
        by: { kind: 'system' },
        data: { approvalId: first, act: 'refund' },
      },
      { kind: 'approval-expired', at: late + hour, by: { kind: 'system' }, data: { approvalId: third } },
    ])
    expect(await store.findApproval(third)).toMatchObject({ state: 'expired', payload: null })
    expect(await store.findApproval(second)).toMatchObject({ state: 'waiting', payload: '{}' })
  })

  it('counts what a person asked for lately, in whatever state, and confirms a request once', async () => {
    const first = (await store.addApproval(wish({ terminal_user: 'root' }))) ?? 0
    await store.addApproval(wish({ act: 'cancel', about: '', state: 'alone', asked_at: noon + minute }))
    await store.addApproval(wish({ act: 'reissue', about: '', asked_at: noon + minute }))
    await store.addApproval(wish({ act: 'write-off', asked_subject: 'u-9', asked_at: noon + minute }))
    const times = (since: number, limit = 9) =>
      store.listAskedTimes(majed, ['refund', 'cancel', 'write-off'], { since, limit })
    expect(await times(noon - 1)).toEqual([noon, noon + minute])
    expect(await times(noon - 1, 1)).toEqual([noon + minute])
    expect(await times(noon)).toEqual([noon + minute])
    expect(await store.confirmApproval(first, noon)).toBe(true)
    expect(await store.confirmApproval(first, noon + 1)).toBe(false)
    expect(await store.findApproval(first)).toMatchObject({ terminal_user: 'root', confirmed_at: noon })
  })

  it('adds up what a person had ordered lately, alone or approved, and not of another person', async () => {
    const alone = (halalas: number, at: number, change: Partial<NewApproval> = {}) =>
      store.addApproval(wish({ halalas, ...decision('approved', at), state: 'alone', ...change }))
    await alone(1, noon)
    await alone(10, noon + 1)
    await alone(100, noon + 1, { state: 'approved' })
    await alone(1_000, noon + 1, { state: 'refused' })
    await alone(10_000, noon + 1, { asked_subject: 'u-4' })
    await store.addApproval(wish({ halalas: 100_000 }))
    const sum = (since: number) =>
      database.transaction(async () => {
        await store.lockPerson(majed.issuer, majed.subject)
        return store.sumOrdered(majed.issuer, majed.subject, since)
      })
    expect([await sum(noon - 1), await sum(noon), await sum(noon + 1)]).toEqual([111, 110, 0])
  })

  it('keeps notes as they were written, and forgets what waits of a deleted owner', async () => {
    const note = (text: string) =>
      database.transaction(() =>
        recordEvent(
          { database },
          {
            kind: 'note',
            by: { kind: 'staff', ...majed, name: 'Majed', roles: ['money'] },
            orderId,
            at: noon,
            data: { personal: { text } },
          },
        ),
      )
    await note('She called.')
    await note('She wrote.')
    expect(await store.listNotes([orderId])).toEqual([
      { orderId, at: noon, text: 'She called.' },
      { orderId, at: noon, text: 'She wrote.' },
    ])
    expect([await store.listNotes([]), await store.listNotes([orderId + 1])]).toEqual([[], []])
    const id = (await store.addApproval(wish())) ?? 0
    await store.erasePayloads([])
    expect(await store.findApproval(id)).toMatchObject({ payload: '{}' })
    await store.erasePayloads([orderId])
    expect(await store.findApproval(id)).toMatchObject({ state: 'waiting', payload: null })
    await database.transaction(() => eraseEvents({ database }, userId))
    expect(await store.listNotes([orderId])).toEqual([])
  })
}

import { beforeEach, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { insertClaim, insertCompensation, listClaimFacts } from '#server/features/claims/claims.queries.ts'
import { listNotes, lockPerson } from '#server/features/history/acts.ts'
import { eraseWordsAboutOrders } from '#server/features/history/erase.ts'
import { eraseEvents, listEvents, recordEvent } from '#server/features/history/history.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { hour, manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { addOrder } from '#test/kit/orders/core-orders.ts'
import { actionRules } from './actions.rules.ts'
import {
  confirmApproval,
  decideApproval,
  expireApprovals,
  expireOldest,
  findApproval,
  findWaiting,
  insertApproval,
  listRequestTimes,
  listWaiting,
  lockClaims,
  type NewApproval,
  sumMoved,
} from './approvals.queries.ts'

forEachEngine((_engine, open) => {
  let database: Database
  let core: Core
  let userId: number
  let orderId: number
  beforeEach(async () => {
    database = await open()
    core = await openCore({ database, clock: manualClock(noon) })
    const user = { phone: '+966512345678', name: 'N', created_at: noon }
    const added = await database.tables.insertInto('users').values(user).returning('id').execute()
    userId = added[0]?.id ?? 0
    orderId = await addOrder(core, userId)
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
    expect(await listClaimFacts(core, [orderId])).toEqual([])
    const [booking] = await findBookings(core, [orderId])
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
    expect(await listClaimFacts(core, [orderId])).toEqual([stands])
    expect(await listClaimFacts(core, [orderId + 1])).toEqual([])
    await database.transaction(() => lockClaims(core, orderId))
    // Elsewhere the lock would end at once.
    await expect(lockClaims(core, orderId)).rejects.toThrow('this needs a transaction of its caller')
  })

  it('lets one request without an order wait about one subject, beside those of orders', async () => {
    const ofAll = { order_id: null, act: 'end-sessions', about: '', halalas: 0 } as const
    const ofPerson = { order_id: null, act: 'number', about: '7', halalas: 0 } as const
    const first = (await insertApproval(core, wish(ofAll))) ?? 0
    expect(await insertApproval(core, wish(ofAll))).toBeUndefined()
    const second = await insertApproval(core, wish(ofPerson))
    const third = await insertApproval(core, wish({ ...ofPerson, about: '8' }))
    await insertApproval(core, wish())
    expect(await findWaiting(core, ofPerson)).toMatchObject({ id: second, order_id: null })
    await database.transaction(() =>
      expireApprovals(core, { order_id: null, act: 'number' }, noon + actionRules.approvalMs),
    )
    const waiting = await listWaiting(core, noon, { limit: 10 })
    expect(waiting.map(({ id }) => id)).toEqual([first, (third ?? 0) + 1])
    expect(await decideApproval(core, first, decision('approved'))).toBe(true)
    expect(await insertApproval(core, wish(ofAll))).toBeDefined()
  })

  it('erases the number that a person was to get, of no other person and no order', async () => {
    const ofPerson = { order_id: null, act: 'number', halalas: 0 } as const
    const first = (await insertApproval(core, wish({ ...ofPerson, about: String(userId) }))) ?? 0
    const other = (await insertApproval(core, wish({ ...ofPerson, about: String(userId + 1) }))) ?? 0
    await database.transaction(() => eraseWordsAboutOrders(core, userId))
    expect((await findApproval(core, first))?.payload).toBeNull()
    expect((await findApproval(core, other))?.payload).toBe('{}')
  })

  it('lets one wish of a kind wait for an order about one transaction, and decides it once', async () => {
    const first = (await insertApproval(core, wish())) ?? 0
    expect(await insertApproval(core, wish({ asked_by: 'Huda' }))).toBeUndefined()
    const other = await insertApproval(core, wish({ act: 'reissue', about: '', halalas: 0 }))
    const second = await insertApproval(core, wish({ about: 'T2' }))
    expect(await findWaiting(core, { order_id: orderId, act: 'refund', about: 'T1' })).toMatchObject({
      id: first,
      asked_by: 'Majed',
    })
    expect(await findWaiting(core, { order_id: orderId, act: 'refund', about: 'T2' })).toMatchObject({
      id: second,
    })
    const listed = async (page: Parameters<typeof listWaiting>[2], now = noon) =>
      (await listWaiting(core, now, page)).map(({ id }) => id)
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
    expect(await decideApproval(core, first, decision('refused'))).toBe(true)
    expect(await decideApproval(core, first, decision('approved'))).toBe(false)
    // A decision deletes the personal details.
    expect(await findApproval(core, first)).toMatchObject({
      state: 'refused',
      decided_by: 'Lulwa',
      payload: null,
    })
    const again = await insertApproval(core, wish())
    expect(await listed({ limit: 10 })).toEqual([other, second, again])
  })

  it('ends what waited too long: when the same is asked again, and by itself', async () => {
    const late = noon + actionRules.approvalMs
    const first = (await insertApproval(core, wish())) ?? 0
    await database.transaction(() => expireApprovals(core, { order_id: orderId, act: 'refund' }, late - 1))
    expect(await insertApproval(core, wish())).toBeUndefined()
    await database.transaction(() => expireApprovals(core, { order_id: orderId, act: 'refund' }, late))
    const second = (await insertApproval(core, wish({ asked_at: late, expires_at: late + 1 }))) ?? 0
    expect(second).toBeGreaterThan(first)
    const third = (await insertApproval(core, wish({ act: 'receiver', asked_at: noon + hour }))) ?? 0
    const expire = (now: number) => database.transaction(() => expireOldest(core, now, 10))
    expect(await expire(late + hour - 1)).toBe(0)
    // Several gateways do it at once.
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
    expect(await findApproval(core, third)).toMatchObject({ state: 'expired', payload: null })
    expect(await findApproval(core, second)).toMatchObject({ state: 'waiting', payload: '{}' })
  })

  it('counts what a person asked for lately, in whatever state, and confirms a request once', async () => {
    const first = (await insertApproval(core, wish({ terminal_user: 'root' }))) ?? 0
    await insertApproval(core, wish({ act: 'cancel', about: '', state: 'alone', asked_at: noon + minute }))
    await insertApproval(core, wish({ act: 'reissue', about: '', asked_at: noon + minute }))
    await insertApproval(core, wish({ act: 'write-off', asked_subject: 'u-9', asked_at: noon + minute }))
    const times = (since: number, limit = 9) =>
      listRequestTimes(core, majed, ['refund', 'cancel', 'write-off'], { since, limit })
    expect(await times(noon - 1)).toEqual([noon, noon + minute])
    expect(await times(noon - 1, 1)).toEqual([noon + minute])
    expect(await times(noon)).toEqual([noon + minute])
    expect(await confirmApproval(core, first, noon)).toBe(true)
    expect(await confirmApproval(core, first, noon + 1)).toBe(false)
    expect(await findApproval(core, first)).toMatchObject({ terminal_user: 'root', confirmed_at: noon })
  })

  it('adds up what a person had ordered lately, alone or approved, and not of another person', async () => {
    const alone = (halalas: number, at: number, change: Partial<NewApproval> = {}) =>
      insertApproval(core, wish({ halalas, ...decision('approved', at), state: 'alone', ...change }))
    await alone(1, noon)
    await alone(10, noon + 1)
    await alone(100, noon + 1, { state: 'approved' })
    await alone(1_000, noon + 1, { state: 'refused' })
    await alone(10_000, noon + 1, { asked_subject: 'u-4' })
    await insertApproval(core, wish({ halalas: 100_000 }))
    const sum = (since: number) =>
      database.transaction(async () => {
        await lockPerson(core, majed)
        return sumMoved(core, majed, since)
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
    expect(await listNotes(core, [orderId])).toEqual([
      { orderId, at: noon, text: 'She called.' },
      { orderId, at: noon, text: 'She wrote.' },
    ])
    expect([await listNotes(core, []), await listNotes(core, [orderId + 1])]).toEqual([[], []])
    const id = (await insertApproval(core, wish())) ?? 0
    await database.transaction(() => eraseWordsAboutOrders(core, userId + 1))
    expect(await findApproval(core, id)).toMatchObject({ payload: '{}' })
    await database.transaction(() => eraseWordsAboutOrders(core, userId))
    expect(await findApproval(core, id)).toMatchObject({ state: 'waiting', payload: null })
    await database.transaction(() => eraseEvents({ database }, userId))
    expect(await listNotes(core, [orderId])).toEqual([])
  })
})

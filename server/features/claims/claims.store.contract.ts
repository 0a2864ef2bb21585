import { beforeEach, describe, expect, it } from 'vitest'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { day, type ManualClock, manualClock, minute, contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { orderRow } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import { type ClaimRow, type ClaimsStore, createClaimsStore, type NewClaim } from './claims.store.ts'

const due = noon + 5 * day
const minuteLater = noon + minute

export function claimsStoreContract(_engine: Engine, open: OpenDatabase): void {
  let database: Database
  let store: ClaimsStore
  let clock: ManualClock
  beforeEach(async () => {
    clock = manualClock(noon)
    database = await open(clock)
    store = transacting(database, createClaimsStore(database), [
      ...(['addEvent', 'lockOpenings', 'lockAlive', 'deleteUntouched', 'eraseUser'] as const),
    ])
    for (const id of [1, 2])
      await insert('users', { id, phone: `+96655000000${id}`, name: 'Maryam', created_at: noon })
    await insert('orders', { ...orderRow, id: 1, user_id: 1 })
    for (const id of [1, 2])
      await insert('bookings', {
        id,
        order_id: 1,
        leg: id - 1,
        reference: `R${id}`,
        origin: '{}',
        destination: '{}',
        state: 'none',
      })
  })
  const insert = (table: string, values: object) =>
    database.tables
      .insertInto(table as never)
      .values(values as never)
      .execute()

  const claimOf = (change: Partial<NewClaim> = {}): NewClaim => ({
    user_id: 1,
    order_id: 1,
    booking_id: 1,
    kind: 'late',
    idem_key: null,
    body_hash: 'hash',
    opened_at: noon,
    answer_by: due,
    ...change,
  })
  async function opened(change: Partial<NewClaim> = {}): Promise<ClaimRow> {
    const claim = await store.insertClaim(claimOf(change))
    if (!claim) throw new Error('no claim was opened')
    return claim
  }
  const bySystem = {
    ...({ author: 'system', staff_issuer: null, staff_subject: null, staff_name: null } as const),
  }
  const again = { now: minuteLater, answerBy: due + day, closedSince: minuteLater - 30 * day }
  const stateOf = async ({ id }: ClaimRow) => (await store.findClaim(id))?.state

  describe('opening', () => {
    it('has one open claim per bag and kind, of many at once', async () => {
      const won = await atOnce(8, () => store.insertClaim(claimOf()))
      expect(won.filter(Boolean)).toHaveLength(1)
      await opened({ booking_id: 2 })
      await opened({ kind: 'damaged' })
      expect(await store.findAlive({ booking_id: 1, kind: 'late' })).toMatchObject({
        state: 'OPEN',
        steps: 1,
      })
    })

    it('uses a key of a user once, whatever it is about', async () => {
      const claim = await opened({ idem_key: 'key' })
      expect(await store.insertClaim(claimOf({ idem_key: 'key', kind: 'lost' }))).toBeUndefined()
      expect(await store.findByKey(1, 'key')).toEqual(claim)
      expect(await store.findByKey(2, 'key')).toBeUndefined()
      await opened({ idem_key: 'key', user_id: 2, kind: 'damaged' })
    })

    it('is counted for its user, oldest first, and locks until the transaction ends', async () => {
      await store.lockOpenings(1)
      await opened({ opened_at: noon + 2 })
      await opened({ opened_at: noon + 1, kind: 'lost' })
      await opened({ user_id: 2, kind: 'other' })
      expect(await store.listOpenings(1, noon)).toEqual([noon + 1, noon + 2])
      expect(await store.listOpenings(1, noon + 1)).toEqual([noon + 2])
    })

    it('and withdrawals are counted, apart from what staff close', async () => {
      const event = {
        kind: 'closed',
        staff_issuer: null,
        staff_subject: null,
        staff_name: null,
        text: '',
      } as const
      const withdrawn = async (claim: ClaimRow, author: 'owner' | 'staff', at: number) =>
        store.addEvent({ ...claim, steps: at - noon }, { ...event, author, at })
      const own = await opened()
      for (const [author, at] of [
        ['owner', 3],
        ['owner', 2],
        ['staff', 4],
      ] as const)
        await withdrawn(own, author, noon + at)
      await withdrawn(await opened({ user_id: 2, kind: 'lost' }), 'owner', noon + 1)
      expect(await store.listWithdrawals(1, noon)).toEqual([noon + 2, noon + 3])
      expect(await store.listWithdrawals(1, noon + 2)).toEqual([noon + 3])
    })
  })

  describe('reading', () => {
    it('lists the claims of an order and of a user, newest first', async () => {
      const first = await opened()
      const second = await opened({ kind: 'lost', opened_at: noon + 1 })
      expect(await store.listOfOrder(1)).toEqual([second, first])
      expect(await store.listOfUser(1, 1)).toEqual([second])
      expect(await store.listOfUser(2, 5)).toEqual([])
    })

    it('has the events of each claim in the order of their steps', async () => {
      const claim = await opened()
      const other = await opened({ kind: 'lost' })
      const event = {
        author: 'owner',
        staff_issuer: null,
        staff_subject: null,
        staff_name: null,
        at: noon,
      } as const
      await store.addEvent({ ...claim, steps: 2 }, { ...event, kind: 'message', text: 'second' })
      await store.addEvent(claim, { ...event, kind: 'opened', text: 'first' })
      const found = await store.findEvents([claim.id, other.id])
      expect(found.get(claim.id)?.map(({ text }) => text)).toEqual(['first', 'second'])
      expect(found.get(other.id)).toBeUndefined()
      expect(await store.findEvents([])).toEqual(new Map())
    })
  })

  describe('steps', () => {
    it('are numbered without a gap, also at once', async () => {
      const { id } = await opened()
      const answers = await atOnce(5, () => store.answer(id, noon))
      expect(answers.map((claim) => claim?.steps).toSorted()).toEqual([2, 3, 4, 5, 6])
      expect(await store.note(id, { partner_case: 'C1', partner_told_at: noon }, noon)).toMatchObject({
        steps: 7,
        partner_case: 'C1',
        partner_told_at: noon,
        state: 'ANSWERED',
      })
    })

    it('an answered claim is due no more, and a message opens it again with another day', async () => {
      const claim = await opened()
      expect(await store.reopen(claim, again)).toMatchObject({ answer_by: due, due_at: due, steps: 2 })
      expect(await store.answer(claim.id, noon)).toMatchObject({ state: 'ANSWERED', due_at: null })
      expect(await store.reopen(claim, again)).toMatchObject({
        state: 'OPEN',
        answer_by: due + day,
        steps: 4,
        due_at: noon + due + day - minuteLater,
      })
    })

    it('a closed claim is closed once, keeps why, and is opened again for a time', async () => {
      const claim = await opened()
      const closing = { outcome: 'compensated', compensated_halalas: 5_000, compensation_ref: 'T1' } as const
      expect(await store.close(claim.id, closing, noon)).toMatchObject({
        state: 'CLOSED',
        closed_at: noon,
        ...closing,
      })
      expect(await store.close(claim.id, { outcome: 'refused' }, noon)).toBeUndefined()
      expect(await store.answer(claim.id, noon)).toBeUndefined()
      expect(await store.reopen(claim, { ...again, closedSince: noon })).toBeUndefined()
      expect(await store.reopen(claim, again)).toMatchObject({
        state: 'OPEN',
        outcome: null,
        closed_at: null,
        compensated_halalas: null,
        compensation_ref: null,
      })
    })

    it('each compensation stays with its closing, and goes into the sum of its order', async () => {
      const claim = await opened()
      const sums = createOrdersStore(database).sumCompensated
      expect((await sums([claim.order_id])).size).toBe(0)
      for (const compensated_halalas of [5_000, 20])
        await database.transaction(async () => {
          expect(await store.lockClaim(claim.id)).toMatchObject({ state: 'OPEN' })
          const closing = { outcome: 'compensated', compensated_halalas, compensation_ref: 'T1' } as const
          const closed = await store.close(claim.id, closing, noon)
          if (closed) await store.addEvent(closed, { ...bySystem, kind: 'closed', text: '', at: noon })
          await store.reopen(claim, again)
        })
      expect((await store.findEvents([claim.id])).get(claim.id)).toMatchObject([
        { compensated_halalas: 5_000, compensation_ref: 'T1' },
        { compensated_halalas: 20, compensation_ref: 'T1' },
      ])
      await database.transaction(() => store.eraseUser(1, noon))
      const kept = (await store.findEvents([claim.id])).get(claim.id)
      expect(kept?.map((row) => [row.compensated_halalas, row.compensation_ref])).toEqual([
        [5_000, null],
        [20, null],
      ])
      expect(await sums([claim.order_id, claim.order_id + 1])).toEqual(new Map([[claim.order_id, 5_020]]))
      expect(await sums([])).toEqual(new Map())
    })

    it('a closed claim stays closed where another one of its bag and kind is open', async () => {
      const claim = await opened()
      await store.close(claim.id, { outcome: 'withdrawn' }, noon)
      await opened()
      expect(await store.reopen(claim, again)).toBeUndefined()
      expect(await stateOf(claim)).toBe('CLOSED')
    })
  })

  describe('a day that has passed', () => {
    const until = noon + 20 * day
    it('is found once, and another one is promised, until the claim is answered', async () => {
      const claim = await opened()
      expect(await store.claimLate('early', until)).toBeUndefined()
      clock.advance(5 * day)
      const late = await store.claimLate('lease', until)
      expect(late).toMatchObject({ id: claim.id, claimed_at: due })
      expect(await store.claimLate('other', until)).toBeUndefined()
      expect(await store.markLate({ id: claim.id, lease: 'other' }, due + day, due)).toBeUndefined()
      expect(await store.markLate({ id: claim.id, lease: 'lease' }, due + day, due)).toMatchObject({
        late_since: due,
        answer_by: due + day,
        due_at: due + day,
        steps: 2,
        lease: null,
      })
      expect(await store.countWaiting()).toEqual({ inTime: 0, overdue: 1 })
      await opened({ kind: 'lost' })
      expect(await store.countWaiting()).toEqual({ inTime: 1, overdue: 1 })
      await store.answer(claim.id, noon)
      expect(await store.countWaiting()).toEqual({ inTime: 1, overdue: 0 })
    })

    it('is no lateness of a claim that was answered meanwhile', async () => {
      const claim = await opened()
      clock.advance(5 * day)
      await store.claimLate('lease', until)
      await store.answer(claim.id, noon)
      expect(await store.markLate({ id: claim.id, lease: 'lease' }, due + day, due)).toBeUndefined()
    })
  })

  describe('photographs', () => {
    it('are stored in place of the one before', async () => {
      const { id } = await opened()
      await store.storePhoto(id, 2, new Uint8Array([1]), noon)
      await store.storePhoto(id, 1, new Uint8Array([2]), noon)
      await store.storePhoto(id, 2, new Uint8Array([3]), noon)
      expect(await store.findPhotos([id])).toEqual(new Map([[id, [1, 2]]]))
      expect(await store.findPhotos([])).toEqual(new Map())
      expect([...((await store.readPhoto(id, 2)) ?? [])]).toEqual([3])
      expect(await store.readPhoto(id + 1, 1)).toBeUndefined()
    })

    it('are not added to a closed claim', async () => {
      const { id } = await opened()
      expect(await store.lockAlive(id)).toBe(true)
      await store.close(id, { outcome: 'found' }, noon)
      expect(await store.lockAlive(id)).toBe(false)
    })
  })

  describe('the end', () => {
    it('deletes claims that nothing happened to, with all of theirs, and none that is open', async () => {
      const [old, recent, open] = [
        await opened(),
        await opened({ kind: 'lost' }),
        await opened({ kind: 'other' }),
      ]
      await store.storePhoto(old.id, 1, new Uint8Array([1]), noon)
      await store.addEvent(old, {
        author: 'system',
        staff_issuer: null,
        staff_subject: null,
        staff_name: null,
        kind: 'late',
        text: '',
        at: noon,
      })
      await store.close(old.id, { outcome: 'found' }, noon)
      await store.close(recent.id, { outcome: 'found' }, minuteLater)
      expect(await store.deleteUntouched(minuteLater, 5)).toEqual({ rows: 1, more: false })
      expect(await store.findClaim(old.id)).toBeUndefined()
      expect((await store.listOfOrder(1)).map(({ id }) => id)).toEqual([open.id, recent.id])
      expect(await store.deleteUntouched(minuteLater, 5)).toEqual({ rows: 0, more: false })
    })

    it('of an account leaves what was decided, without what was written', async () => {
      const claim = await opened({ idem_key: 'key' })
      await store.storePhoto(claim.id, 1, new Uint8Array([1]), noon)
      await store.addEvent(claim, {
        author: 'owner',
        staff_issuer: null,
        staff_subject: null,
        staff_name: null,
        kind: 'opened',
        text: 'My bag is broken',
        at: noon,
      })
      await store.eraseUser(2, noon)
      expect(await stateOf(claim)).toBe('OPEN')
      await store.eraseUser(1, noon)
      expect(await store.findClaim(claim.id)).toMatchObject({
        state: 'CLOSED',
        outcome: 'withdrawn',
        idem_key: null,
        body_hash: '',
        due_at: null,
      })
      expect((await store.findEvents([claim.id])).get(claim.id)?.map(({ text }) => text)).toEqual([''])
      expect(await store.findPhotos([claim.id])).toEqual(new Map())
      expect(await store.note(claim.id, { partner_case: 'C1' }, noon)).toBeUndefined()
    })
  })
}

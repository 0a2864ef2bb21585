import { beforeEach, describe, expect, it } from 'vitest'
import { eraseEvents, listClaimEvents, recordEvent } from '#server/features/history/history.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import type { Database, Engine } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { day, type ManualClock, manualClock, minute, contractNoon as noon } from '#test/kit/clock.ts'
import type { OpenDatabase } from '#test/kit/databases.ts'
import { orderRow } from '#test/kit/stored-orders.ts'
import { transacting } from '#test/kit/transacting.ts'
import type { ClaimStep } from './claims.service.ts'
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
      ...(['addCompensation', 'lockOpenings', 'lockAlive', 'deleteUntouched', 'eraseUser'] as const),
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
  const staff = { kind: 'staff', issuer: 'https://id', subject: 's1', name: 'Sara', roles: [] } as const
  const record = ({ id: claimId, order_id: orderId, user_id: userId }: ClaimRow, step: ClaimStep) =>
    database.transaction(async () => {
      const eventId = await recordEvent({ database }, { ...step, claimId, orderId, userId })
      if (eventId === undefined) throw new Error('no step was recorded')
      return eventId
    })
  const wrote = (text: string): ClaimStep => ({
    kind: 'claim-message',
    data: { personal: { text } },
    by: { kind: 'owner' },
  })
  const compensated = (halalas: number): ClaimStep => ({
    kind: 'claim-closed',
    data: { outcome: 'compensated', halalas, personal: { text: 'Paid.', reference: 'T1' } },
    by: staff,
  })
  const again = { now: minuteLater, answerBy: due + day, closedSince: minuteLater - 30 * day }
  const stateOf = async ({ id }: ClaimRow) => (await store.findClaim(id))?.state

  describe('opening', () => {
    it('has one open claim per bag and kind, of many at once', async () => {
      const won = await atOnce(8, () => store.insertClaim(claimOf()))
      expect(won.filter(Boolean)).toHaveLength(1)
      await opened({ booking_id: 2 })
      await opened({ kind: 'damaged' })
      expect(await store.findAlive({ booking_id: 1, kind: 'late' })).toMatchObject({ state: 'OPEN' })
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
      const closing = (by: ClaimStep['by'], at: number): ClaimStep => ({
        kind: 'claim-closed',
        data: { outcome: 'withdrawn', halalas: null, personal: null },
        by,
        at,
      })
      const [own, other] = [await opened(), await opened({ user_id: 2, kind: 'lost' })]
      await record(own, closing({ kind: 'owner' }, noon + 3))
      await record(own, closing({ kind: 'owner' }, noon + 2))
      await record(own, closing(staff, noon + 4))
      await record(own, { ...wrote('Wait.'), at: noon + 5 })
      await record(other, closing({ kind: 'owner' }, noon + 1))
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
      const [claim, other, silent] = [
        await opened(),
        await opened({ kind: 'lost' }),
        await opened({ kind: 'other' }),
      ]
      await record(claim, wrote('first'))
      await record(other, { ...wrote('of the other'), at: noon - 1 })
      await record(claim, { ...wrote('second'), at: noon - 1 })
      const found = await listClaimEvents({ database }, [silent.id, other.id, claim.id])
      expect(found.map(({ claimId, data }) => [claimId, data])).toEqual([
        [claim.id, { personal: { text: 'first' } }],
        [claim.id, { personal: { text: 'second' } }],
        [other.id, { personal: { text: 'of the other' } }],
      ])
    })
  })

  describe('steps', () => {
    it('follow each other, also at once, and a note leaves the state as it is', async () => {
      const { id } = await opened()
      const answers = await atOnce(5, () => store.answer(id, noon))
      expect(answers.map((claim) => claim?.state)).toEqual(Array(5).fill('ANSWERED'))
      const told = { partner_case: 'C1', partner_told_at: noon }
      expect(await store.note(id, told, minuteLater)).toMatchObject({
        ...told,
        state: 'ANSWERED',
        touched_at: minuteLater,
      })
    })

    it('an answered claim is due no more, and a message opens it again with another day', async () => {
      const claim = await opened()
      expect(await store.reopen(claim, again)).toMatchObject({ answer_by: due, due_at: due })
      expect(await store.answer(claim.id, noon)).toMatchObject({ state: 'ANSWERED', due_at: null })
      expect(await store.reopen(claim, again)).toMatchObject({
        state: 'OPEN',
        answer_by: due + day,
        due_at: noon + due + day - minuteLater,
      })
    })

    it('a closed claim is closed once, keeps why, and is opened again for a time', async () => {
      const claim = await opened()
      expect(await store.close(claim.id, 'compensated', noon)).toMatchObject({
        state: 'CLOSED',
        closed_at: noon,
        outcome: 'compensated',
      })
      expect(await store.close(claim.id, 'refused', noon)).toBeUndefined()
      expect(await store.answer(claim.id, noon)).toBeUndefined()
      expect(await store.reopen(claim, { ...again, closedSince: noon })).toBeUndefined()
      expect(await store.reopen(claim, again)).toMatchObject({
        state: 'OPEN',
        outcome: null,
        closed_at: null,
      })
    })

    it('each compensation stays with its closing, and goes into the sum of its order', async () => {
      const claim = await opened()
      const sums = createOrdersStore(database).sumCompensated
      expect((await sums([claim.order_id])).size).toBe(0)
      const ids: number[] = []
      for (const halalas of [5_000, 20]) {
        expect(await database.transaction(() => store.lockClaim(claim.id))).toMatchObject({ state: 'OPEN' })
        const event_id = await record(claim, compensated(halalas))
        await store.addCompensation({ event_id, claim_id: claim.id, halalas, reference: 'T1' })
        ids.push(event_id)
      }
      const stored = () =>
        database.tables.selectFrom('compensations').selectAll().orderBy('event_id').execute()
      const recorded = (reference: string | null) => [
        { event_id: ids[0], claim_id: claim.id, halalas: 5_000, reference },
        { event_id: ids[1], claim_id: claim.id, halalas: 20, reference },
      ]
      expect(await stored()).toEqual(recorded('T1'))
      await store.eraseUser(2, noon)
      expect(await stored()).toEqual(recorded('T1'))
      await store.eraseUser(1, noon)
      expect(await stored()).toEqual(recorded(null))
      expect(await sums([claim.order_id, claim.order_id + 1])).toEqual(new Map([[claim.order_id, 5_020]]))
      expect(await sums([])).toEqual(new Map())
    })

    it('a closed claim stays closed where another one of its bag and kind is open', async () => {
      const claim = await opened()
      await store.close(claim.id, 'withdrawn', noon)
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
      await store.close(id, 'found', noon)
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
      const event_id = await record(old, compensated(5_000))
      await store.addCompensation({ event_id, claim_id: old.id, halalas: 5_000, reference: 'T1' })
      for (const claim of [recent, open]) await record(claim, wrote('Hello?'))
      await store.close(old.id, 'found', noon)
      await store.close(recent.id, 'found', minuteLater)
      expect(await store.deleteUntouched(minuteLater, 5)).toEqual({ rows: 1, more: false })
      expect(await store.findClaim(old.id)).toBeUndefined()
      expect((await store.listOfOrder(1)).map(({ id }) => id)).toEqual([open.id, recent.id])
      const events = await listClaimEvents({ database }, [old.id, recent.id, open.id])
      expect(events.map(({ claimId }) => claimId)).toEqual([recent.id, open.id])
      expect(await store.deleteUntouched(minuteLater, 5)).toEqual({ rows: 0, more: false })
    })

    it('of an account leaves what was decided, without what was written', async () => {
      const claim = await opened({ idem_key: 'key' })
      await store.storePhoto(claim.id, 1, new Uint8Array([1]), noon)
      await store.note(claim.id, { partner_case: 'C1' }, noon)
      await record(claim, {
        kind: 'claim-passed-on',
        data: { personal: { case: 'C1', text: 'Her bag is broken' } },
        by: staff,
      })
      await record(claim, compensated(5_000))
      await store.eraseUser(2, noon)
      expect(await stateOf(claim)).toBe('OPEN')
      await store.eraseUser(1, noon)
      await database.transaction(() => eraseEvents({ database }, 1))
      expect(await store.findClaim(claim.id)).toMatchObject({
        state: 'CLOSED',
        outcome: 'withdrawn',
        partner_case: null,
        idem_key: null,
        body_hash: '',
        due_at: null,
      })
      expect(await listClaimEvents({ database }, [claim.id])).toMatchObject([
        { kind: 'claim-passed-on', data: { personal: null }, by: staff },
        { kind: 'claim-closed', data: { outcome: 'compensated', halalas: 5_000, personal: null } },
        {
          kind: 'claim-closed',
          data: { outcome: 'withdrawn', halalas: null },
          by: { kind: 'owner' },
          userId: 1,
        },
      ])
      expect(await store.findPhotos([claim.id])).toEqual(new Map())
      expect(await store.note(claim.id, { partner_case: 'C1' }, noon)).toBeUndefined()
    })
  })
}

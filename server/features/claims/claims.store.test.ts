import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { eraseEvents, listClaimEvents, recordEvent } from '#server/features/history/history.ts'
import { sumCompensated } from '#server/features/orders/cancellation.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { day, type ManualClock, manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { orderRow } from '#test/kit/orders/stored-orders.ts'
import type { ClaimStep } from './claim-steps.ts'
import {
  type ClaimRow,
  countOpenClaims,
  deleteOldClaims,
  eraseClaimsOfUser,
  findClaim,
  findClaimByKey,
  findPhoto,
  findUnclosedClaim,
  hasOpenClaim,
  insertClaim,
  insertCompensation,
  leaseLateClaim,
  listClaimsOfOrder,
  listClaimsOfUser,
  listOpenings,
  listPhotos,
  listWithdrawals,
  lockClaim,
  lockUnclosedClaim,
  markAnswered,
  markClosed,
  markLate,
  markNoted,
  type NewClaim,
  reopenClaim,
  writePhoto,
} from './claims.queries.ts'

const due = noon + 5 * day
const minuteLater = noon + minute

forEachEngine((_engine, open) => {
  let database: Database
  let core: Core
  let clock: ManualClock
  beforeEach(async () => {
    clock = manualClock(noon)
    database = await open(clock)
    core = await openCore({ database, clock })
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
    const claim = await insertClaim(core, claimOf(change))
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
  const stateOf = async ({ id }: ClaimRow) => (await findClaim(core, id))?.state

  describe('opening', () => {
    it('has one open claim per bag and kind, of many at once', async () => {
      const won = await atOnce(8, () => insertClaim(core, claimOf()))
      expect(won.filter(Boolean)).toHaveLength(1)
      await opened({ booking_id: 2 })
      await opened({ kind: 'damaged' })
      expect(await findUnclosedClaim(core, { booking_id: 1, kind: 'late' })).toMatchObject({ state: 'OPEN' })
    })

    it('uses a key of a user once, whatever it is about', async () => {
      const claim = await opened({ idem_key: 'key' })
      expect(await insertClaim(core, claimOf({ idem_key: 'key', kind: 'lost' }))).toBeUndefined()
      expect(await findClaimByKey(core, 1, 'key')).toEqual(claim)
      expect(await findClaimByKey(core, 2, 'key')).toBeUndefined()
      await opened({ idem_key: 'key', user_id: 2, kind: 'damaged' })
    })

    it('is counted for its user, oldest first, and locks until the transaction ends', async () => {
      await database.transaction(() => database.lock('claims:1'))
      await opened({ opened_at: noon + 2 })
      await opened({ opened_at: noon + 1, kind: 'lost' })
      await opened({ user_id: 2, kind: 'other' })
      expect(await listOpenings(core, 1, noon)).toEqual([noon + 1, noon + 2])
      expect(await listOpenings(core, 1, noon + 1)).toEqual([noon + 2])
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
      expect(await listWithdrawals(core, 1, noon)).toEqual([noon + 2, noon + 3])
      expect(await listWithdrawals(core, 1, noon + 2)).toEqual([noon + 3])
    })
  })

  describe('reading', () => {
    it('lists the claims of an order and of a user, newest first', async () => {
      const first = await opened()
      const second = await opened({ kind: 'lost', opened_at: noon + 1 })
      expect(await listClaimsOfOrder(core, 1)).toEqual([second, first])
      expect(await listClaimsOfUser(core, 1, 1)).toEqual([second])
      expect(await listClaimsOfUser(core, 2, 5)).toEqual([])
    })

    it('finds an open claim of a user below a thousand newer ones, until it is answered', async () => {
      const open = await opened()
      const closed = Array.from({ length: 1_001 }, (_, index) => ({
        user_id: 1,
        order_id: 1,
        booking_id: 2,
        kind: 'other' as const,
        state: 'CLOSED' as const,
        body_hash: '',
        opened_at: noon + 1 + index,
        touched_at: noon,
        answer_by: due,
      }))
      await database.tables.insertInto('claims').values(closed).execute()
      expect([await hasOpenClaim(core, 1), await hasOpenClaim(core, 2)]).toEqual([true, false])
      await markAnswered(core, open.id, minuteLater)
      expect(await hasOpenClaim(core, 1)).toBe(false)
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
      const answers = await atOnce(5, () => markAnswered(core, id, noon))
      expect(answers.map((claim) => claim?.state)).toEqual(Array(5).fill('ANSWERED'))
      const told = { partner_case: 'C1', partner_notified_at: noon }
      expect(await markNoted(core, id, told, minuteLater)).toMatchObject({
        ...told,
        state: 'ANSWERED',
        touched_at: minuteLater,
      })
    })

    it('an answered claim is no longer due, and a message opens it again with another day', async () => {
      const claim = await opened()
      expect(await reopenClaim(core, claim, again)).toMatchObject({ answer_by: due, due_at: due })
      expect(await markAnswered(core, claim.id, noon)).toMatchObject({ state: 'ANSWERED', due_at: null })
      expect(await reopenClaim(core, claim, again)).toMatchObject({
        state: 'OPEN',
        answer_by: due + day,
        due_at: noon + due + day - minuteLater,
      })
    })

    it('a closed claim is closed once, keeps why, and is opened again for a time', async () => {
      const claim = await opened()
      expect(await markClosed(core, claim.id, 'compensated', noon)).toMatchObject({
        state: 'CLOSED',
        closed_at: noon,
        outcome: 'compensated',
      })
      expect(await markClosed(core, claim.id, 'refused', noon)).toBeUndefined()
      expect(await markAnswered(core, claim.id, noon)).toBeUndefined()
      expect(await reopenClaim(core, claim, { ...again, closedSince: noon })).toBeUndefined()
      expect(await reopenClaim(core, claim, again)).toMatchObject({
        state: 'OPEN',
        outcome: null,
        closed_at: null,
      })
    })

    it('each compensation stays with its closing, and goes into the sum of its order', async () => {
      const claim = await opened()
      const sums = (ids: readonly number[]) => sumCompensated(core, ids)
      expect((await sums([claim.order_id])).size).toBe(0)
      const ids: number[] = []
      for (const halalas of [5_000, 20]) {
        expect(await database.transaction(() => lockClaim(core, claim.id))).toMatchObject({ state: 'OPEN' })
        const event_id = await record(claim, compensated(halalas))
        await database.transaction(() =>
          insertCompensation(core, { event_id, claim_id: claim.id, halalas, reference: 'T1' }),
        )
        ids.push(event_id)
      }
      const stored = () =>
        database.tables.selectFrom('compensations').selectAll().orderBy('event_id').execute()
      const recorded = (reference: string | null) => [
        { event_id: ids[0], claim_id: claim.id, halalas: 5_000, reference },
        { event_id: ids[1], claim_id: claim.id, halalas: 20, reference },
      ]
      expect(await stored()).toEqual(recorded('T1'))
      await database.transaction(() => eraseClaimsOfUser(core, 2))
      expect(await stored()).toEqual(recorded('T1'))
      await database.transaction(() => eraseClaimsOfUser(core, 1))
      expect(await stored()).toEqual(recorded(null))
      expect(await sums([claim.order_id, claim.order_id + 1])).toEqual(new Map([[claim.order_id, 5_020]]))
      expect(await sums([])).toEqual(new Map())
    })

    it('a closed claim stays closed where another one of its bag and kind is open', async () => {
      const claim = await opened()
      await markClosed(core, claim.id, 'withdrawn', noon)
      await opened()
      expect(await reopenClaim(core, claim, again)).toBeUndefined()
      expect(await stateOf(claim)).toBe('CLOSED')
    })
  })

  describe('a day that has passed', () => {
    const leaseLate = async () => {
      const late = await leaseLateClaim(core)
      if (!late) throw new Error('no claim is late')
      return late
    }
    it('is found once, and another one is promised, until the claim is answered', async () => {
      const claim = await opened()
      expect(await leaseLateClaim(core)).toBeUndefined()
      clock.advance(5 * day)
      const late = await leaseLate()
      expect(late).toMatchObject({ id: claim.id, claimed_at: due })
      expect(await leaseLateClaim(core)).toBeUndefined()
      expect(await markLate(core, { ...late, lease: 'other' }, due + day, due)).toBeUndefined()
      expect(await markLate(core, late, due + day, due)).toMatchObject({
        late_since: due,
        answer_by: due + day,
        due_at: due + day,
        lease: null,
      })
      expect(await countOpenClaims(core)).toEqual({ inTime: 0, overdue: 1 })
      await opened({ kind: 'lost' })
      expect(await countOpenClaims(core)).toEqual({ inTime: 1, overdue: 1 })
      await markAnswered(core, claim.id, noon)
      expect(await countOpenClaims(core)).toEqual({ inTime: 1, overdue: 0 })
    })

    it('is no lateness of a claim that was answered meanwhile', async () => {
      const claim = await opened()
      clock.advance(5 * day)
      const late = await leaseLate()
      await markAnswered(core, claim.id, noon)
      expect(await markLate(core, late, due + day, due)).toBeUndefined()
    })
  })

  describe('photographs', () => {
    it('are stored in place of the one before', async () => {
      const { id } = await opened()
      await writePhoto(core, id, 2, new Uint8Array([1]), noon)
      await writePhoto(core, id, 1, new Uint8Array([2]), noon)
      await writePhoto(core, id, 2, new Uint8Array([3]), noon)
      expect(await listPhotos(core, [id])).toEqual(new Map([[id, [1, 2]]]))
      expect(await listPhotos(core, [])).toEqual(new Map())
      expect([...((await findPhoto(core, id, 2)) ?? [])]).toEqual([3])
      expect(await findPhoto(core, id + 1, 1)).toBeUndefined()
    })

    it('are not added to a closed claim', async () => {
      const { id } = await opened()
      expect(await database.transaction(() => lockUnclosedClaim(core, id))).toBe(true)
      await markClosed(core, id, 'found', noon)
      expect(await database.transaction(() => lockUnclosedClaim(core, id))).toBe(false)
    })
  })

  describe('the end', () => {
    it('deletes claims that nothing happened to, with all of theirs, and none that is open', async () => {
      const [old, recent, open] = [
        await opened(),
        await opened({ kind: 'lost' }),
        await opened({ kind: 'other' }),
      ]
      await writePhoto(core, old.id, 1, new Uint8Array([1]), noon)
      const event_id = await record(old, compensated(5_000))
      await database.transaction(() =>
        insertCompensation(core, { event_id, claim_id: old.id, halalas: 5_000, reference: 'T1' }),
      )
      for (const claim of [recent, open]) await record(claim, wrote('Hello?'))
      await markClosed(core, old.id, 'found', noon)
      await markClosed(core, recent.id, 'found', minuteLater)
      expect(await database.transaction(() => deleteOldClaims(core, minuteLater, 5))).toEqual({
        rows: 1,
        more: false,
      })
      expect(await findClaim(core, old.id)).toBeUndefined()
      expect((await listClaimsOfOrder(core, 1)).map(({ id }) => id)).toEqual([open.id, recent.id])
      const events = await listClaimEvents({ database }, [old.id, recent.id, open.id])
      expect(events.map(({ claimId }) => claimId)).toEqual([recent.id, open.id])
      expect(await database.transaction(() => deleteOldClaims(core, minuteLater, 5))).toEqual({
        rows: 0,
        more: false,
      })
    })

    it('of an account leaves what was decided, without what was written', async () => {
      const claim = await opened({ idem_key: 'key' })
      await writePhoto(core, claim.id, 1, new Uint8Array([1]), noon)
      await markNoted(core, claim.id, { partner_case: 'C1' }, noon)
      await record(claim, {
        kind: 'claim-passed-on',
        data: { personal: { case: 'C1', text: 'Her bag is broken' } },
        by: staff,
      })
      await record(claim, compensated(5_000))
      await database.transaction(() => eraseClaimsOfUser(core, 2))
      expect(await stateOf(claim)).toBe('OPEN')
      await database.transaction(() => eraseClaimsOfUser(core, 1))
      await database.transaction(() => eraseEvents({ database }, 1))
      expect(await findClaim(core, claim.id)).toMatchObject({
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
      expect(await listPhotos(core, [claim.id])).toEqual(new Map())
      expect(await markNoted(core, claim.id, { partner_case: 'C1' }, noon)).toBeUndefined()
    })
  })
})

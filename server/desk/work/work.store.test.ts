import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { decideApproval, insertApproval } from '#server/desk/actions/approvals.queries.ts'
import { insertSession } from '#server/desk/staff/staff.queries.ts'
import { insertClaim, markAnswered } from '#server/features/claims/claims.queries.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { trackBags } from '#server/features/orders/following.queries.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { setCarriage } from '#server/features/orders/travel.queries.ts'
import { writeAlert } from '#server/features/otp/pairings.queries.ts'
import { addFinding, addPaymentEvent, readCharged } from '#server/features/payments/payment-events.queries.ts'
import { hasUnsettledPayments } from '#server/features/payments/payments.queries.ts'
import { addRefund, countOverdueRefunds, recordReturned } from '#server/features/payments/refunds.queries.ts'
import { addAlerts, checkBags, noteReport } from '#server/features/tracking/tracking.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import { hour, manualClock, minute, contractNoon as noon } from '#test/kit/basics/clock.ts'
import { forEachEngine } from '#test/kit/database/databases.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { addMessage } from '#test/kit/orders/messages.ts'
import { newLeg, newOrder, scanOf, storeOrder } from '#test/kit/orders/stored-orders.ts'
import {
  closeFinding,
  findTaken,
  giveRow,
  listAgentAlerts,
  listAlarms,
  listBags,
  listFailedMessages,
  listFindings,
  listLastScans,
  listLateLabels,
  listLateRefunds,
  listOpenClaims,
  listPeople,
  listRefused,
  listSilentBags,
  listStoppedLabels,
  listTaken,
  listUnresolvedPayments,
  listWaitingApprovals,
  markSeen,
  releaseAll,
  releaseRow,
  type TakenRow,
} from './work.queries.ts'

const issuer = 'https://id.example'
const sara = { issuer, subject: 's-1', name: 'Sara' }
const huda = { issuer, subject: 's-2', name: 'Huda' }

forEachEngine((_engine, open) => {
  let database: Database
  let core: Core
  let userId: number
  beforeEach(async () => {
    database = await open()
    core = await openCore({ database, clock: manualClock(noon) })
    userId = (await ensureUser({ database }, '+966512344678', 'Maryam', noon)).id
  })

  async function paidOrder(reference = 'AM-1', paidAt: number = noon) {
    const id = await storeOrder({ database }, newOrder(userId), [newLeg(reference)])
    await database.transaction(() => markPaid({ database }, id, `T-${reference}`, paidAt))
    const [booking] = await findBookings({ database }, [id])
    return { id, bookingId: booking?.id ?? 0 }
  }

  async function addAttempt(orderId: number): Promise<number> {
    const attempt = { reference: `OD-${orderId}`, amount_halalas: 5_000, currency: 'SAR', created_at: noon }
    const { id } = await database.tables
      .insertInto('payment_attempts')
      .values({ ...attempt, order_id: orderId, state: 'open', secret_until: noon, inquired_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  describe('lists', () => {
    it('paid bookings without an airway bill, those that were stopped apart', async () => {
      const late = await paidOrder('AM-1')
      const stopped = await paidOrder('AM-2')
      await paidOrder('AM-3', noon + minute)
      await database.tables
        .updateTable('bookings')
        .set({ stopped_at: noon })
        .where('id', '=', stopped.bookingId)
        .execute()
      expect(await listStoppedLabels(core)).toMatchObject([{ id: stopped.bookingId, order_id: stopped.id }])
      expect(await listLateLabels(core, noon + 1)).toMatchObject([{ id: late.bookingId, paid_at: noon }])
      expect(await listBags(core, [])).toEqual([])
      expect(await listBags(core, [late.id])).toMatchObject([{ id: late.bookingId, leg: 0, awb: null }])
    })

    it('agents whose number has used up the codes of a day, until that ends, and none of an order', async () => {
      const alert = { partner_agent_id: 'A01', name: 'Ali', wrong_codes: 10, sends: 4, noticed_at: noon }
      await writeAlert(
        { database },
        {
          ...alert,
          phone: '+966500000101',
          ends_at: noon + 2 * hour,
        },
      )
      await writeAlert(
        { database },
        {
          ...alert,
          phone: '+966500000102',
          ends_at: noon + hour,
        },
      )
      const [first, second] = await listAgentAlerts(core, noon)
      expect([first?.phone, second?.phone]).toEqual(['+966500000102', '+966500000101'])
      expect(await listAgentAlerts(core, noon + hour, { id: first?.id ?? 0 })).toEqual([])
      expect(await listAgentAlerts(core, noon + hour)).toEqual([second])
      expect(await listAgentAlerts(core, noon, { orderId: first?.id ?? 0 })).toEqual([])
    })

    it('bags with an alarm until it is looked at, and bags that are silent', async () => {
      const { id, bookingId } = await paidOrder()
      await addAlerts(
        { database },
        [
          {
            booking_id: bookingId,
            event_key: 'k',
            kind: 'missing',
            code: 'MISS',
            text: null,
            place: 'Riyadh',
            at: noon,
          },
        ],
        noon,
      )
      await trackBags({ database }, [{ bookingId, awb: '2312' }], noon, noon + hour)
      await noteReport({ database }, bookingId, { lastScanAt: noon })
      expect(await listAlarms(core)).toMatchObject([{ booking_id: bookingId, order_id: id, kind: 'missing' }])
      expect(await listSilentBags(core, noon)).toEqual([])
      expect(await listSilentBags(core, noon + 1)).toMatchObject([{ booking_id: bookingId, heard_at: noon }])
      await database.transaction(() => checkBags({ database }, id, noon + hour, noon + 1))
      expect([await listAlarms(core), await listSilentBags(core, noon + hour)]).toEqual([[], []])
      expect(await listSilentBags(core, noon + hour + 1)).toMatchObject([{ booking_id: bookingId }])
    })

    it('what was last heard of a bag', async () => {
      const { id, bookingId } = await paidOrder()
      const scan = (key: string, at: number, text: string) =>
        scanOf('in-transit', at, { key, place: 'Jeddah', text })
      await database.transaction(async () => {
        for (const each of [
          scan('a', noon, 'At hub'),
          scan('b', noon, 'Left hub'),
          scan('c', noon - 1, 'Taken'),
        ])
          await recordEvent({ database }, { ...each, orderId: id, bookingId })
      })
      expect(await listLastScans(core, [bookingId])).toEqual([])
      await database.transaction(() => setCarriage({ database }, id))
      expect((await listLastScans(core, [bookingId])).at(-1)).toMatchObject({
        bookingId,
        text: 'Left hub',
        place: 'Jeddah',
      })
      expect(await listLastScans(core, [])).toEqual([])
    })

    it('claims that wait for us', async () => {
      const { id, bookingId } = await paidOrder()
      const claim = await insertClaim(core, {
        user_id: userId,
        order_id: id,
        booking_id: bookingId,
        kind: 'other',
        idem_key: null,
        body_hash: '',
        opened_at: noon,
        answer_by: noon + hour,
      })
      expect(await listOpenClaims(core)).toMatchObject([{ id: claim?.id, answer_by: noon + hour }])
      await markAnswered(core, claim?.id ?? 0, noon)
      expect(await listOpenClaims(core)).toEqual([])
    })

    it('approvals that wait and have not expired', async () => {
      const { id } = await paidOrder()
      const asked = {
        order_id: id,
        about: '',
        halalas: 5_000,
        payload: null,
        facts: '{}',
        reason: 'lost bag',
        asked_issuer: issuer,
        asked_subject: sara.subject,
        asked_by: sara.name,
        expires_at: noon + hour,
      }
      await insertApproval(core, { ...asked, act: 'reissue', state: 'waiting', asked_at: noon + 1 })
      const first = await insertApproval(core, { ...asked, act: 'refund', state: 'waiting', asked_at: noon })
      await insertApproval(core, { ...asked, act: 'refund', state: 'alone', asked_at: noon })
      expect(await listWaitingApprovals(core, noon)).toMatchObject([
        { id: first, order_id: id, act: 'refund', asked_by: 'Sara' },
        { act: 'reissue' },
      ])
      expect(await listWaitingApprovals(core, noon + hour)).toEqual([])
    })

    it('what a person asked for and another refused, since a time', async () => {
      const { id } = await paidOrder()
      const refuse = async (act: 'refund' | 'reissue', at: number, subject = sara.subject) => {
        const request = {
          order_id: id,
          act,
          about: '',
          halalas: 5_000,
          payload: null,
          facts: '{}',
          reason: '',
        }
        const asked = { asked_at: noon, asked_issuer: issuer, asked_subject: subject, asked_by: 'Sara' }
        const row = { ...request, ...asked, state: 'waiting', expires_at: noon + hour } as const
        const decision = { state: 'refused', decided_at: at, decision: 'The bag was found' } as const
        const by = {
          decided_issuer: issuer,
          decided_subject: huda.subject,
          decided_by: 'Huda',
          decided_roles: 'lead',
        }
        await decideApproval(core, (await insertApproval(core, row)) ?? 0, { ...decision, ...by })
      }
      await refuse('refund', noon + 1)
      await refuse('reissue', noon + 2)
      await refuse('refund', noon + 3, 's-9')
      expect(await listRefused(core, sara, noon)).toMatchObject([
        { act: 'reissue', decided_by: 'Huda', decision: 'The bag was found' },
        { act: 'refund', order_id: id, decided_at: noon + 1 },
      ])
      expect(await listRefused(core, sara, noon + 1)).toHaveLength(1)
      expect(await listRefused(core, huda, noon)).toEqual([])
    })

    it('refunds that are not done', async () => {
      const { id } = await paidOrder()
      const attempt_id = await addAttempt(id)
      const refund = { transaction_id: '9', attempt_id, captured: 5_000, currency: 'SAR' }
      await database.transaction(() =>
        addRefund(core, { ...refund, reason: 'second-payment', by: { kind: 'system' } }, noon),
      )
      expect(await listLateRefunds(core, noon - 1)).toEqual([])
      expect(await listLateRefunds(core, noon)).toMatchObject([{ order_id: id, amount_halalas: 5_000 }])
      await database.tables.updateTable('refunds').set({ state: 'done' }).execute()
      expect(await listLateRefunds(core, noon)).toEqual([])
    })

    it('refunds that were written off while a cancelled order owes its money, until another is ordered', async () => {
      const { id } = await paidOrder()
      const attempt_id = await addAttempt(id)
      const { transaction_id } = await database.tables
        .selectFrom('orders')
        .select('transaction_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const refund = {
        transaction_id: transaction_id ?? '',
        attempt_id,
        currency: 'SAR',
        reason: 'cancelled' as const,
      }
      const order = () =>
        database.transaction(() =>
          addRefund(core, { ...refund, captured: 5_000, by: { kind: 'owner' } }, noon),
        )
      await order()
      const writtenOff = { state: 'done' as const, done_at: noon, written_off_at: noon }
      await database.tables.updateTable('refunds').set(writtenOff).execute()
      const rows = () => listLateRefunds(core, noon - 1)
      const isOwed = () => hasUnsettledPayments(core, [id])
      expect([await rows(), await isOwed()]).toEqual([[], false])
      await database.tables.updateTable('orders').set({ ended: 'cancelled', ended_at: noon }).execute()
      expect([await rows(), await isOwed()]).toMatchObject([[{ order_id: id }], true])
      // A part that was returned by hand leaves the rest.
      await database.transaction(() => recordReturned(core, refund, 1_000, noon))
      expect(await rows()).toMatchObject([{ order_id: id, amount_halalas: 5_000 }])
      expect(await countOverdueRefunds(core, noon - 1)).toBe(1)
      await order()
      expect(await rows()).toEqual([])
    })

    it('payments that nothing followed from, and findings, until they are looked at, once', async () => {
      const { id } = await paidOrder()
      const attempt_id = await addAttempt(id)
      const event = { source: 'callback', amount_halalas: 5_000, currency: 'SAR', body: '{}' } as const
      const kind = 'succeeded' as const
      await addPaymentEvent(core, {
        ...event,
        kind,
        transaction_id: '1',
        attempt_id: null,
        outcome: 'unknown-order',
        received_at: noon,
      })
      await addPaymentEvent(core, {
        ...event,
        kind,
        transaction_id: '2',
        attempt_id,
        outcome: 'applied',
        received_at: noon,
      })
      await addFinding(core, attempt_id, 3_000, noon)
      const [found] = await listUnresolvedPayments(core)
      expect(await listUnresolvedPayments(core)).toMatchObject([{ transaction_id: '1', order_id: null }])
      const [finding] = await listFindings(core)
      expect(await listFindings(core)).toMatchObject([{ order_id: id, amount_halalas: 3_000 }])
      const looks = await atOnce(3, () => markSeen(core, 'payment_events', found?.id ?? 0, noon))
      expect(looks.filter(Boolean)).toHaveLength(1)
      expect(await closeFinding(core, finding?.id ?? 0, noon)).toBe(true)
      expect(await closeFinding(core, finding?.id ?? 0, noon)).toBe(false)
      expect([await listUnresolvedPayments(core), await listFindings(core)]).toEqual([[], []])
      expect(await readCharged(core, attempt_id)).toEqual({
        charged: 5_000,
        hasFinding: false,
        seen: 3_000,
      })
    })

    it('messages that did not arrive, unless a later one did or a person looked', async () => {
      const { id, bookingId } = await paidOrder()
      const add = (change: object) =>
        addMessage(database, {
          user_id: userId,
          order_id: id,
          booking_id: bookingId,
          kind: 'at-branch',
          state: 'failed',
          due_at: null,
          created_at: noon,
          ended_at: noon,
          ...change,
        })
      const failed = await add({})
      await add({ kind: 'exception', state: 'dropped', last_error: 'not wanted' })
      await add({ kind: 'late', state: 'dropped', last_error: 'overtaken' })
      const late = await add({ kind: 'refunded', state: 'dropped', last_error: 'too late' })
      await add({ kind: 'handed-over' })
      const idsOf = async (since: number) => (await listFailedMessages(core, since)).map((row) => row.id)
      expect(await idsOf(noon - 1)).toEqual([failed, late])
      expect(await idsOf(noon)).toEqual([])
      await add({ state: 'delivered' })
      expect(await idsOf(noon - 1)).toEqual([late])
      expect(await markSeen(core, 'messages', late, noon)).toBe(true)
      expect(await idsOf(noon - 1)).toEqual([])
    })
  })

  describe('a row', () => {
    const row = { kind: 'bags', reference: '7' } as const
    const rowOf = (person: typeof sara, change: Partial<TakenRow> = {}): TakenRow => ({
      ...row,
      ...person,
      order_id: null,
      taken_at: noon,
      moved_at: noon,
      handed_by: null,
      note: null,
      ...change,
    })
    const give = (person: typeof sara, now = noon, over: number | null = null) =>
      giveRow(core, rowOf(person, { taken_at: now, moved_at: now }), {
        by: person,
        now,
        staleBefore: now - hour,
        over,
      })
    const signIn = (person: typeof sara, idleUntil = noon + 8 * hour) =>
      insertSession(core, {
        ...person,
        token_hash: person.subject,
        sid: null,
        roles: 'support',
        id_token: '',
        authenticated_at: noon,
        created_at: noon,
        last_seen_at: noon,
        idle_until: idleUntil,
        ends_at: noon + 8 * hour,
      })

    it('is one person’s, until an hour without a move, the end of the session, or a colleague who insists', async () => {
      await signIn(sara, noon + 3 * hour)
      await signIn(huda)
      const won = await atOnce(2, (index) => give(index === 0 ? sara : huda))
      expect(won.filter(Boolean)).toHaveLength(1)
      await releaseAll(core, sara)
      await releaseAll(core, huda)
      expect(await give(sara)).toBe(true)
      expect(await give(huda, noon + minute)).toBe(false)
      expect(await give(sara, noon + 30 * minute)).toBe(true)
      expect(await findTaken(core, row, noon)).toMatchObject({ taken_at: noon, moved_at: noon + 30 * minute })
      expect(await give(huda, noon + hour)).toBe(false)
      expect(await give(huda, noon + 90 * minute)).toBe(true)
      expect(await give(sara, noon + 91 * minute)).toBe(false)
      expect(await give(sara, noon + 91 * minute, noon)).toBe(false)
      expect(await give(sara, noon + 91 * minute, noon + 90 * minute)).toBe(true)
      expect(await listTaken(core, noon + 91 * minute)).toMatchObject([{ subject: 's-1' }])
      expect(await listTaken(core, noon + 3 * hour)).toEqual([])
      expect(await give(huda, noon + 3 * hour)).toBe(true)
    })

    it('is given back by the one who has it, alone or with all others', async () => {
      await signIn(sara)
      await give(sara)
      expect(await releaseRow(core, row, huda)).toBe(false)
      expect(await releaseRow(core, row, sara)).toBe(true)
      await give(sara)
      expect(await releaseAll(core, huda)).toEqual([])
      expect(await releaseAll(core, sara)).toEqual([rowOf(sara)])
      expect(await findTaken(core, row, noon)).toBeUndefined()
    })

    it('is handed to who is signed in', async () => {
      await signIn(sara)
      await signIn(huda, noon)
      expect(await listPeople(core, noon)).toEqual([
        { issuer, subject: 's-1', name: 'Sara', roles: ['support'] },
      ])
    })
  })
})

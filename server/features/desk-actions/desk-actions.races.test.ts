import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { insertClaim, markAnswered } from '#server/features/claims/claims.queries.ts'
import { listEvents, storedEventOf } from '#server/features/history/history.ts'
import { addPaymentEvent } from '#server/features/payments/payment-events.queries.ts'
import {
  listRefundsOfTransaction,
  markRefundDone,
  refundPayment,
} from '#server/features/payments/refunds.queries.ts'
import { createSessionsStore } from '#server/features/sessions/sessions.store.ts'
import type { WorkService } from '#server/features/work/work.service.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { claimNumber } from '#shared/claims/claims.schemas.ts'
import { overtakenBy, whyNot } from '#shared/desk-actions/desk-actions.errors.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { RefundReason } from '#shared/payments/payments.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { workErrors } from '#shared/work/work.errors.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { compensateWithin } from '#test/kit/claims.ts'
import { day, hour, type ManualClock, manualClock, minute, contractNoon as noon } from '#test/kit/clock.ts'
import { openCore } from '#test/kit/core.ts'
import { forEachEngine, raceRounds } from '#test/kit/databases.ts'
import { openDeskActions } from '#test/kit/desk-actions.ts'
import { addMessage } from '#test/kit/messages.ts'
import { agent, center, openOrders } from '#test/kit/orders.ts'
import { blockedOrDone } from '#test/kit/rows.ts'
import { actionRules } from './desk-actions.rules.ts'
import type { DeskActionsDeps, DeskActionsService } from './desk-actions.service.ts'

/** What staff do about orders, on both engines: who may, what needs two, and what happens to two at once. */

const person = (subject: string, ...roles: StaffRole[]): Staff => ({
  role: 'staff',
  issuer: 'https://id.example',
  subject,
  name: subject,
  roles,
  authenticatedAt: noon,
})
const majed = person('Majed', 'money')
const lulwa = person('Lulwa', 'lead')
const sara = person('Sara', 'support')

const fresh = (body: unknown = null) => ({ key: crypto.randomUUID(), body })
const why = 'the bag was lost'

forEachEngine((_engine, open) => {
  let database: Database
  let core: Core
  let clock: ManualClock
  let desk: DeskActionsService
  let userId: number
  let isRecent: boolean
  let woken: string[]

  function openDesk(
    alone = 0,
    act: WorkService['act'] = async () => undefined,
    sessions: DeskActionsDeps['sessions'] = { endAllSessions: async () => 0 },
  ): void {
    const orders = openOrders(database, clock)
    desk = openDeskActions(database, clock, {
      cancellations: {
        cancelWithin: async (...asked) => (await orders.cancel(...asked)) && (() => undefined),
      },
      alone,
      work: { act },
      sessions,
      isRecent: () => isRecent,
      wake: (worker) => void woken.push(worker),
    })
  }

  beforeEach(async () => {
    database = await open()
    clock = manualClock(noon)
    isRecent = true
    woken = []
    userId = (await createSessionsStore(database).ensureUser('+966512345678', 'Maryam', noon)).id
    core = await openCore({ database, clock })
    openDesk()
  })

  /** A paid order of 50 SAR, and its transaction. */
  async function paid(): Promise<{ orderId: number; transaction: string }> {
    const orders = openOrders(database, clock)
    const order = { userId, type: 'FROM_MINA', agent, center, amountHalalas: 5_000 } as const
    const { orderId } = await orders.createOrder(order, undefined)
    const transaction = `T${orderId}`
    const { id } = await database.tables
      .insertInto('payment_attempts')
      .values({
        order_id: orderId,
        reference: `OD${orderId}`,
        amount_halalas: 5_000,
        currency: 'SAR',
        state: 'succeeded',
        created_at: noon,
        secret_until: noon,
        inquired_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addPaymentEvent(
      { database },
      {
        transaction_id: transaction,
        kind: 'succeeded',
        attempt_id: id,
        source: 'callback',
        outcome: 'applied',
        amount_halalas: 5_000,
        currency: 'SAR',
        body: '{}',
        received_at: noon,
      },
    )
    await orders.markPaid(orderId, transaction)
    return { orderId, transaction }
  }

  /** Records a compensation of a claim about the order, inside a transaction. */
  async function recordCompensation(orderId: number, halalas: number): Promise<void> {
    const [booking] = await openOrders(database, clock).acts.findBookings([orderId])
    await compensateWithin(core, { userId, orderId, bookingId: booking?.id ?? 0 }, halalas, noon)
  }

  const compensated = (orderId: number, halalas: number) =>
    database.transaction(() => recordCompensation(orderId, halalas))

  const orderRefund = (transaction: string, reason: RefundReason = 'operator') =>
    database.transaction(() =>
      refundPayment({ database }, transaction, { reason, by: { kind: 'system' } }, noon),
    )
  const refundsOf = (transaction: string) => listRefundsOfTransaction({ database }, transaction)
  /** Events of the money of an order that staff decided: kind, name, roles and reason. */
  const decisionsOf = async (orderId: number) =>
    (await listEvents({ database }, 'order_id', [orderId])).flatMap(({ kind, by, data }) =>
      by.kind === 'staff' && kind.startsWith('refund')
        ? [[kind, by.name, by.roles, (data as { personal: { reason: string } }).personal.reason]]
        : [],
    )
  async function statusOfOrder(orderId: number): Promise<OrderStatus | undefined> {
    const order = await openOrders(database, clock).acts.findOrder(orderId)
    return order && statusOf(order)
  }
  /** What staff and operators did, in its order: who, what, about which order and why. */
  const actions = async () => {
    const rows = await database.tables
      .selectFrom('events')
      .selectAll()
      .where('actor_kind', 'in', ['staff', 'operator'])
      .orderBy('id')
      .execute()
    return rows.map(storedEventOf).map(({ by, kind, orderId = null, data }) => {
      const what = [
        ...('approvalId' in data ? [data.act] : []),
        kind,
        ...('approvalId' in data && 'outcome' in data ? [data.outcome] : []),
      ]
      const reason = 'personal' in data && data.personal && 'reason' in data.personal && data.personal.reason
      return ['name' in by && by.name, what.join(' '), orderId, reason || null]
    })
  }
  /** What was answered: `done`, the approval, or the code of the refusal with its words. */
  const told = (work: Promise<{ approval?: { approvalId: number } }>): Promise<string> =>
    work.then(
      ({ approval }) => (approval ? 'waits' : 'done'),
      (error: unknown) => {
        if (!isFailure(error)) throw error
        const { who } = error.details.values ?? {}
        return who === undefined ? error.code : `${error.code} ${who}`
      },
    )
  const askedBy = async (staff: Staff, orderId: number): Promise<number> =>
    (await desk.refund(staff, orderId, fresh(), why)).approval?.approvalId ?? 0

  describe('a refund', () => {
    it('is asked by one and approved by another, after a fresh sign-in; each step has its audit row', async () => {
      const { orderId, transaction } = await paid()
      const id = await askedBy(majed, orderId)
      expect(await refundsOf(transaction)).toEqual([])
      expect(await told(desk.approve(majed, id, fresh()))).toBe('OWN_APPROVAL')
      // Nor with another role: the person counts.
      expect(await told(desk.refuse(person('Majed', 'lead'), id, fresh(), why))).toBe('OWN_APPROVAL')
      isRecent = false
      expect(await told(desk.approve(lulwa, id, fresh()))).toBe('REAUTHENTICATION_REQUIRED')
      isRecent = true
      expect(woken).toEqual([])
      expect(await told(desk.approve(lulwa, id, fresh()))).toBe('done')
      expect(await refundsOf(transaction)).toMatchObject([
        { reason: 'operator', state: 'due', amount_halalas: 5_000 },
      ])
      expect(await decisionsOf(orderId)).toEqual([['refund-ordered', 'Lulwa', ['lead'], why]])
      expect(woken).toContain('refunds')
      expect(await actions()).toEqual([
        ['Majed', 'refund approval-requested', orderId, why],
        ['Lulwa', 'refund approval-decided approved', orderId, why],
        ['Lulwa', 'refund-ordered', orderId, why],
      ])
      expect(await told(desk.refund(majed, orderId, fresh(), why))).toBe('ACTED_BEFORE Lulwa')
      clock.advance(hour)
      expect(await told(desk.refund(majed, orderId, fresh(), why))).toBe('ACTION_NOT_POSSIBLE')
    })

    it('that was asked for under another identity provider is refused alone: its names are not of this one', async () => {
      const { orderId, transaction } = await paid()
      const before = { ...majed, issuer: 'https://former.example' }
      const id = await askedBy(before, orderId)
      expect(await told(desk.approve(majed, id, fresh()))).toBe('ACTION_NOT_POSSIBLE')
      expect(await refundsOf(transaction)).toEqual([])
      expect(await told(desk.refuse(lulwa, id, fresh(), why))).toBe('done')
    })

    it('waits once, however many ask at once; the others are told who was first', async () => {
      const { orderId } = await paid()
      const answers = await atOnce(4, (index) =>
        told(desk.refund(person(`P${index}`, 'money'), orderId, fresh(), why)),
      )
      expect(answers.filter((answer) => answer === 'waits')).toHaveLength(1)
      expect(answers.filter((answer) => /^ACTED_BEFORE P\d$/.test(answer))).toHaveLength(3)
      expect(await actions()).toHaveLength(1)
    })

    it('is decided once, however many approve and refuse at once; the others are told by whom', async () => {
      const { orderId, transaction } = await paid()
      const id = await askedBy(majed, orderId)
      const answers = await atOnce(4, (index) => {
        const staff = person(`L${index}`, 'lead')
        return told(index % 2 === 0 ? desk.approve(staff, id, fresh()) : desk.refuse(staff, id, fresh(), why))
      })
      const winner = answers.indexOf('done')
      expect(answers.filter((answer) => answer !== 'done')).toEqual(Array(3).fill(`ACTED_BEFORE L${winner}`))
      expect(await refundsOf(transaction)).toHaveLength(winner % 2 === 0 ? 1 : 0)
      const outcome = winner % 2 === 0 ? ['approved', 'refund-ordered'] : ['refused']
      expect((await actions()).map(([who, what]) => [who, `${what}`.split(' ').at(-1)])).toEqual([
        ['Majed', 'approval-requested'],
        ...outcome.map((what) => [`L${winner}`, what]),
      ])
    })

    it('is carried out once under its key, also at once; the key is of one request', async () => {
      const { orderId } = await paid()
      const request = fresh('refund')
      const answers = await atOnce(3, () => desk.refund(majed, orderId, request, why))
      expect(new Set(answers.map(({ approval }) => approval?.approvalId)).size).toBe(1)
      expect(await told(desk.refund(majed, orderId, { ...request, body: 'other' }, why))).toBe(
        'IDEMPOTENCY_CONFLICT',
      )
      expect(await told(desk.note(lulwa, orderId, request, 'own'))).toBe('done')
      expect(await actions()).toHaveLength(2)
    })

    it('is overtaken by what happened since; that stays, and is said to each who comes', async () => {
      const { orderId, transaction } = await paid()
      const id = await askedBy(majed, orderId)
      await orderRefund(transaction, 'cancelled')
      expect((await desk.listApprovals(lulwa, 'en')).approvals).toMatchObject([
        { approvalId: id, askedBy: 'Majed', isMine: false, changed: 'a refund of this order was ordered.' },
      ])
      const request = fresh()
      expect(await told(desk.approve(lulwa, id, request))).toBe('OVERTAKEN')
      expect(await told(desk.approve(lulwa, id, request))).toBe('OVERTAKEN')
      expect(await told(desk.approve(person('Huda', 'lead'), id, fresh()))).toBe('OVERTAKEN')
      expect(await refundsOf(transaction)).toMatchObject([{ reason: 'cancelled' }])
      expect((await desk.listApprovals(lulwa, 'en')).approvals).toEqual([])
      expect((await actions()).map(([, action]) => action)).toEqual([
        'refund approval-requested',
        'refund approval-decided overtaken',
      ])
    })

    it('expires after three days, and is asked for again', async () => {
      const { orderId, transaction } = await paid()
      const id = await askedBy(majed, orderId)
      clock.advance(actionRules.approvalMs)
      expect(await told(desk.approve(lulwa, id, fresh()))).toBe('APPROVAL_EXPIRED')
      expect(await refundsOf(transaction)).toEqual([])
      expect(await told(desk.refund(majed, orderId, fresh(), why))).toBe('waits')
      const events = await listEvents({ database }, 'order_id', [orderId])
      expect(events.slice(-3)).toMatchObject([
        { kind: 'approval-requested', by: { name: 'Majed' } },
        { kind: 'approval-expired', by: { kind: 'system' }, data: { approvalId: id } },
        { kind: 'approval-requested', by: { name: 'Majed' } },
      ])
    })
  })

  describe('within DESK_REFUND_ALONE', () => {
    it('a sum is not split: of several at once no more than fit in a day are moved alone', async () => {
      openDesk(10_000)
      const orders = [await paid(), await paid(), await paid()]
      isRecent = false
      expect(await told(desk.refund(majed, orders[0]?.orderId ?? 0, fresh(), why))).toBe(
        'REAUTHENTICATION_REQUIRED',
      )
      isRecent = true
      const answers = await atOnce(3, (index) =>
        told(desk.refund(majed, orders[index]?.orderId ?? 0, fresh(), why)),
      )
      expect(answers.toSorted()).toEqual(['done', 'done', 'waits'])
      // A lead asks, whatever the sum.
      const { orderId } = await paid()
      expect(await told(desk.refund(lulwa, orderId, fresh(), why))).toBe('waits')
      clock.advance(day + 1)
      const next = await paid()
      expect(await told(desk.refund(majed, next.orderId, fresh(), why))).toBe('done')
      expect(await decisionsOf(next.orderId)).toEqual([['refund-ordered', 'Majed', ['money'], why]])
    })

    it('what another person approved counts for who asked', async () => {
      const first = await paid()
      expect(await told(desk.approve(lulwa, await askedBy(majed, first.orderId), fresh()))).toBe('done')
      openDesk(5_000)
      expect(await told(desk.refund(majed, (await paid()).orderId, fresh(), why))).toBe('waits')
    })
  })

  describe('two who press at once', () => {
    interface Pressed {
      readonly orderId: number
      readonly transaction: string
    }
    type Act = (staff: Staff, pressed: Pressed) => Promise<{ approval?: { approvalId: number } }>
    const bookings =
      (change: object) =>
      async ({ orderId }: Pressed) => {
        await database.tables.updateTable('bookings').set(change).where('order_id', '=', orderId).execute()
      }
    const owedBack = async ({ transaction }: Pressed) => {
      await orderRefund(transaction)
      await database.tables
        .updateTable('refunds')
        .set({ refused_at: noon })
        .where('transaction_id', '=', transaction)
        .execute()
    }
    const failedMessage = async ({ orderId }: Pressed) => {
      await addMessage(database, {
        user_id: userId,
        order_id: orderId,
        kind: 'paid',
        body: 'Paid.',
        state: 'failed',
        created_at: noon,
        ended_at: noon,
        due_at: null,
      })
    }
    const alert = async ({ orderId }: Pressed) => {
      const [booking] = await openOrders(database, clock).acts.findBookings([orderId])
      await database.tables
        .insertInto('scan_alerts')
        .values({
          booking_id: booking?.id ?? 0,
          event_key: 'k',
          kind: 'damaged',
          code: 'DM',
          at: noon,
          noticed_at: noon,
        })
        .execute()
    }
    const claimOf = ({ orderId }: Pressed) =>
      database.tables
        .selectFrom('claims')
        .select('id')
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow()
    const claimed = async ({ orderId }: Pressed) => {
      const [booking] = await openOrders(database, clock).acts.findBookings([orderId])
      await insertClaim(core, {
        user_id: userId,
        order_id: orderId,
        booking_id: booking?.id ?? 0,
        kind: 'other',
        idem_key: null,
        body_hash: 'h',
        opened_at: noon,
        answer_by: noon + day,
      })
    }
    const compensate: Act = async (staff, pressed) => {
      const about = claimNumber((await claimOf(pressed)).id)
      const { orderId } = pressed
      const movement = {
        orderId,
        reason: why,
        wish: async () => ({ act: 'compensation', about, halalas: 9_000 }) as const,
        act: async () => undefined,
      }
      const approvalId = await database.transaction(() => desk.moveFor(staff, movement))
      return approvalId === undefined ? {} : { approval: { approvalId } }
    }
    const another = (name: string) => ({ reason: why, receiver: { name } })
    const unpaid = ({ orderId }: Pressed) =>
      database.tables
        .updateTable('orders')
        .set({ payment: 'unpaid', transaction_id: null, paid_at: null })
        .where('id', '=', orderId)
        .execute()
    const acts: [string, (pressed: Pressed) => Promise<unknown>, Act, number][] = [
      [
        'inquired',
        async () => undefined,
        (staff, { orderId }) => desk.inquire(staff, orderId, fresh(), why),
        0,
      ],
      ['bag-checked', alert, (staff, { orderId }) => desk.checked(staff, orderId, fresh(), why), 0],
      [
        'message-asked',
        async (pressed) => {
          // A person's messages are sent again three times a day.
          clock.advance(day)
          await failedMessage(pressed)
        },
        (staff, { orderId }) => desk.resend(staff, orderId, fresh(), why),
        0,
      ],
      ['order-cancelled', unpaid, (staff, { orderId }) => desk.cancel(staff, orderId, fresh(), why), 0],
      [
        'cancel approval-requested',
        async () => undefined,
        (staff, { orderId }) => desk.cancel(staff, orderId, fresh(), why),
        0,
      ],
      [
        'receiver-changed',
        unpaid,
        (staff, { orderId }) => desk.changeReceiver(staff, orderId, fresh(), another(staff.name)),
        0,
      ],
      [
        'receiver approval-requested',
        bookings({ uncertain_until: 1 }),
        (staff, { orderId }) => desk.changeReceiver(staff, orderId, fresh(), another(staff.name)),
        0,
      ],
      [
        'reissue approval-requested',
        bookings({ stopped_at: noon, state: 'waiting', creations_allowed: 3 }),
        (staff, { orderId }) => desk.reissue(staff, orderId, fresh(), why),
        0,
      ],
      [
        'write-off approval-requested',
        owedBack,
        (staff, { orderId, transaction }) => desk.writeOff(staff, orderId, fresh(), why, transaction),
        0,
      ],
      [
        'refund-ordered',
        async () => undefined,
        (staff, { orderId }) => desk.refund(staff, orderId, fresh(), why),
        1_000_000,
      ],
      ['compensation approval-requested', claimed, compensate, 0],
    ]
    it.each(acts)('%s once: the other is told who', async (action, prepare, act, alone) => {
      openDesk(alone)
      for (let round = 1; round <= raceRounds; round += 1) {
        const pressed = await paid()
        await prepare(pressed)
        const answers = await atOnce(2, (index) => told(act(person(`P${index}`, 'money'), pressed)))
        const winner = answers.findIndex((answer) => answer === 'done' || answer === 'waits')
        expect(answers[1 - winner]).toBe(`ACTED_BEFORE P${winner}`)
        const own = (await actions()).filter(([, , orderId]) => orderId === pressed.orderId)
        expect(own).toEqual([[`P${winner}`, action, pressed.orderId, why]])
      }
    })

    const answered = async (pressed: Pressed) => {
      await markAnswered(core, (await claimOf(pressed)).id, noon)
    }
    const cancel = ({ orderId }: Pressed) =>
      database.transaction(() =>
        openOrders(database, clock).cancel(userId, orderId, { by: { kind: 'owner' } }),
      )
    const giveBack = ({ transaction }: Pressed) =>
      database.transaction(() => markRefundDone({ database }, transaction, noon))
    it.each<[string, (pressed: Pressed) => Promise<unknown>, keyof typeof overtakenBy]>([
      ['receiver approval-requested', bookings({ carriage: 'at-branch' }), 'bag-arrived'],
      ['reissue approval-requested', bookings({ stopped_at: null, state: 'issued' }), 'bookings'],
      ['write-off approval-requested', giveBack, 'refund-done'],
      ['refund-ordered', cancel, 'order-cancelled'],
      ['compensation approval-requested', answered, 'claim'],
    ])('%s: approved after something else happened it is refused with what', async (name, happen, fact) => {
      openDesk()
      const [, prepare, act] = acts.find(([action]) => action === name) as (typeof acts)[number]
      const pressed = await paid()
      await prepare(pressed)
      const { approval } = await act(majed, pressed)
      await happen(pressed)
      await expect(desk.approve(lulwa, approval?.approvalId ?? 0, fresh())).rejects.toMatchObject({
        code: 'OVERTAKEN',
        details: { values: { what: overtakenBy[fact] } },
      })
      expect((await desk.listApprovals(lulwa, 'en')).approvals).toEqual([])
      expect((await actions()).at(-1)?.[1]).toMatch(/ overtaken$/)
    })
  })

  it('is taken by who decides, from a colleague only after having been asked about them', async () => {
    const { orderId } = await paid()
    const id = await askedBy(majed, orderId)
    const wishes: unknown[] = []
    openDesk(0, async (...wish) => {
      wishes.push(wish)
      throw failure(workErrors, 'WORK_TAKEN')
    })
    const row = { kind: 'approvals', reference: String(id) }
    const request = { ...fresh(), over: 'since then' }
    expect(await told(desk.approve(lulwa, id, request))).toBe('WORK_TAKEN')
    expect(await told(desk.refuse(lulwa, id, request, why))).toBe('WORK_TAKEN')
    expect(wishes).toEqual([...Array(2)].map(() => [lulwa, row, request]))
    expect((await desk.listApprovals(lulwa, 'en')).approvals).toHaveLength(1)
  })

  describe('a cancellation of a paid order', () => {
    const cancel = (staff: Staff, orderId: number) => told(desk.cancel(staff, orderId, fresh(), why))
    it('by support or a lead waits for another person, also with a sum that money moves alone', async () => {
      openDesk(1_000_000)
      const { orderId } = await paid()
      isRecent = false
      const id = (await desk.cancel(sara, orderId, fresh(), why)).approval?.approvalId ?? 0
      expect(await cancel(lulwa, orderId)).toBe('ACTED_BEFORE Sara')
      expect(await statusOfOrder(orderId)).toBe('PAID')
      expect(await told(desk.approve(lulwa, id, fresh()))).toBe('REAUTHENTICATION_REQUIRED')
      isRecent = true
      const both = person('Sara', 'money')
      expect(await told(desk.approve(both, id, fresh()))).toBe('OWN_APPROVAL')
      expect(await told(desk.approve(lulwa, id, fresh()))).toBe('done')
      expect(await statusOfOrder(orderId)).toBe('CANCELLED')
      const { issuer, subject, name, roles } = lulwa
      const events = await listEvents({ database }, 'order_id', [orderId])
      expect(events.find(({ kind }) => kind === 'order-cancelled')).toMatchObject({
        data: { personal: { reason: why } },
        by: { kind: 'staff', issuer, subject, name, roles },
      })
    })

    it('by money is done alone within the sum of a day, after a fresh sign-in, and counts with refunds', async () => {
      openDesk(12_000)
      const [one, two, three] = [await paid(), await paid(), await paid()]
      isRecent = false
      expect(await cancel(majed, one.orderId)).toBe('REAUTHENTICATION_REQUIRED')
      isRecent = true
      expect(await cancel(majed, one.orderId)).toBe('done')
      expect(await told(desk.refund(majed, two.orderId, fresh(), why))).toBe('done')
      expect(await cancel(majed, three.orderId)).toBe('waits')
      expect(await statusOfOrder(three.orderId)).toBe('PAID')
    })

    it('is asked for twenty times an hour by a person, with refunds, and not once more', async () => {
      for (let count = 0; count < 20; count += 1) {
        const { orderId } = await paid()
        const act = count % 2 === 0 ? desk.cancel : desk.refund
        expect(await told(act(majed, orderId, fresh(), why))).toBe('waits')
        clock.advance(minute)
      }
      const { orderId } = await paid()
      expect(await cancel(majed, orderId)).toBe('TOO_MANY_CALLS')
      expect(await cancel(sara, orderId)).toBe('waits')
      const unpaid = await paid()
      await database.tables
        .updateTable('orders')
        .set({ payment: 'unpaid' })
        .where('id', '=', unpaid.orderId)
        .execute()
      expect(await cancel(majed, unpaid.orderId)).toBe('done')
      clock.advance(40 * minute)
      const later = await paid()
      expect(await cancel(majed, later.orderId)).toBe('waits')
    })

    it('after a compensation needs two who see both sums, also of money alone', async () => {
      openDesk(1_000_000)
      const { orderId } = await paid()
      await compensated(orderId, 3_000)
      const id = (await desk.cancel(majed, orderId, fresh(), why)).approval?.approvalId ?? 0
      const [waiting] = (await desk.listApprovals(lulwa, 'en')).approvals
      expect(waiting?.checks.map(({ text }) => text)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/30\.00 was recorded as compensation/),
          expect.stringMatching(/With this .*80\.00 leaves for .*50\.00 that was paid/),
        ]),
      )
      expect(await told(desk.approve(lulwa, id, fresh()))).toBe('done')
      expect(await statusOfOrder(orderId)).toBe('CANCELLED')
    })

    it('is overtaken by a compensation that is recorded while it waits', async () => {
      const { orderId } = await paid()
      const id = (await desk.cancel(sara, orderId, fresh(), why)).approval?.approvalId ?? 0
      await compensated(orderId, 1)
      await expect(desk.approve(lulwa, id, fresh())).rejects.toMatchObject({
        code: 'OVERTAKEN',
        details: { values: { what: overtakenBy.compensated } },
      })
    })
  })

  it('a compensation above what is left of the capture waits, and one within it is recorded by money alone', async () => {
    openDesk(1_000_000)
    const { orderId } = await paid()
    const compensation = (halalas: number) =>
      database.transaction(() =>
        desk.moveFor(majed, {
          orderId,
          reason: why,
          wish: async () => ({ act: 'compensation', about: `CL-${halalas}`, halalas }) as const,
          async act() {
            await recordCompensation(orderId, halalas)
            return undefined
          },
        }),
      )
    expect(await compensation(3_000)).toBeUndefined()
    expect(await compensation(2_001)).toBeGreaterThan(0)
    expect(await compensation(2_000)).toBeUndefined()
    expect(await told(desk.refund(majed, orderId, fresh(), why))).toBe('waits')
  })

  it('sessions of everyone end after a fresh sign-in and by two, and again by a repetition', async () => {
    const ended: number[] = []
    openDesk(0, async () => undefined, { endAllSessions: async (until: number) => ended.push(until) })
    isRecent = false
    expect(await told(desk.endAllSessions(lulwa, fresh(), why))).toBe('REAUTHENTICATION_REQUIRED')
    isRecent = true
    const id = (await desk.endAllSessions(lulwa, fresh(), why)).approval?.approvalId ?? 0
    expect(await told(desk.endAllSessions(lulwa, fresh(), why))).toBe('ACTED_BEFORE Lulwa')
    expect(await told(desk.approve(lulwa, id, fresh()))).toBe('OWN_APPROVAL')
    const [shown] = (await desk.listApprovals(majed, 'en')).approvals
    expect(shown).toMatchObject({ act: 'end-sessions', orderId: null, amountHalalas: 0 })
    expect(ended).toEqual([])
    const press = fresh()
    for (const _ of [1, 2]) expect(await told(desk.approve(majed, id, press))).toBe('done')
    expect(ended).toHaveLength(2)
    expect(new Set(ended).size).toBe(1)
    expect(await actions()).toEqual([
      ['Lulwa', 'end-sessions approval-requested', null, why],
      ['Majed', 'end-sessions approval-decided approved', null, why],
    ])
  })

  it('a request from a terminal is confirmed by whom it names before another person approves it', async () => {
    const { orderId, transaction } = await paid()
    const origin = { actor: 'Majed (root)', at: noon, reason: why }
    const id = await database.transaction(async () => {
      const order = await desk.acts.lock(orderId)
      const wish = await desk.acts.refundWish(order, transaction)
      return desk.approvals.ask(origin, order, wish, { user: 'root', as: majed })
    })
    const checks = async () => (await desk.listApprovals(lulwa, 'en')).approvals[0]?.checks[0]
    expect(await checks()).toEqual({ tone: 'bad', text: 'Asked from a terminal (root) as Majed, unproven' })
    expect(await told(desk.approve(lulwa, id, fresh()))).toBe('APPROVAL_UNCONFIRMED Majed')
    expect(await told(desk.approve(majed, id, fresh()))).toBe('OWN_APPROVAL')
    expect(await told(desk.confirm(lulwa, id, fresh()))).toBe('APPROVAL_NOT_FOUND')
    expect(await told(desk.confirm({ ...majed, roles: ['support'] }, id, fresh()))).toBe(
      'ACTION_NOT_POSSIBLE',
    )
    expect(await told(desk.confirm(majed, id, fresh()))).toBe('done')
    expect(await checks()).toMatchObject({ tone: 'note' })
    expect(await told(desk.approve(majed, id, fresh()))).toBe('OWN_APPROVAL')
    expect(await told(desk.approve(lulwa, id, fresh()))).toBe('done')
    expect(await refundsOf(transaction)).toMatchObject([{ reason: 'operator' }])
    expect((await actions()).map(([, action]) => action)).toEqual([
      'refund approval-requested',
      'refund approval-confirmed',
      'refund approval-decided approved',
      'refund-ordered',
    ])
  })

  it('writes off a refund that was refused, by two; the order stays as it is', async () => {
    const { orderId, transaction } = await paid()
    await orderRefund(transaction)
    const writeOff = () => desk.writeOff(majed, orderId, fresh(), why, transaction)
    expect(await told(writeOff())).toBe('ACTION_NOT_POSSIBLE')
    expect(await told(desk.writeOff(majed, orderId, fresh(), why, 'T0'))).toBe('ACTION_NOT_POSSIBLE')
    await database.tables.updateTable('refunds').set({ refused_at: noon }).execute()
    const id = (await writeOff()).approval?.approvalId ?? 0
    // A further try changes nothing of what was asked.
    await database.tables.updateTable('refunds').set({ tries: 9 }).execute()
    expect(await told(desk.approve(lulwa, id, fresh()))).toBe('done')
    expect(await refundsOf(transaction)).toMatchObject([{ state: 'done', written_off_at: noon }])
    expect(await decisionsOf(orderId)).toEqual([['refund-written-off', 'Lulwa', ['lead'], why]])
    expect(await statusOfOrder(orderId)).toBe('PAID')
  })

  it('writes off a refund in another currency by two only, counts none of it and names it', async () => {
    openDesk(5_000)
    const { orderId, transaction } = await paid()
    await orderRefund(transaction)
    await database.tables
      .updateTable('refunds')
      .set({ refused_at: noon, amount_halalas: 100, currency: 'USD' })
      .execute()
    expect(await told(desk.writeOff(majed, orderId, fresh(), why, transaction))).toBe('waits')
    const { approvals } = await desk.listApprovals(lulwa, 'en')
    expect(approvals).toMatchObject([{ act: 'write-off', about: transaction, amountHalalas: 0 }])
    expect(approvals[0]?.checks.map(({ text }) => text)).toContain(
      'The sum was taken in another currency: USD 1.00',
    )
    expect(await told(desk.approve(lulwa, approvals[0]?.approvalId ?? 0, fresh()))).toBe('done')
    expect(await desk.readAlone(majed, orderId)).toMatchObject({ halalas: 5_000 })
  })

  it('permits an airway bill once alone and again by two; two at once permit it once', async () => {
    const { orderId } = await paid()
    const stop = () =>
      database.tables
        .updateTable('bookings')
        .set({ stopped_at: noon, creations: 2, state: 'waiting' })
        .execute()
    expect(await told(desk.reissue(lulwa, orderId, fresh(), why))).toBe('ACTION_NOT_POSSIBLE')
    await stop()
    const answers = await atOnce(2, (index) =>
      told(desk.reissue(person(`L${index}`, 'lead'), orderId, fresh(), why)),
    )
    expect(answers.toSorted()).toEqual([expect.stringMatching(/^ACTED_BEFORE L\d$/), 'done'])
    await database.tables.updateTable('bookings').set({ stopped_at: noon, creations: 3 }).execute()
    const { approval } = await desk.reissue(lulwa, orderId, fresh(), why)
    expect(await told(desk.approve(majed, approval?.approvalId ?? 0, fresh()))).toBe('done')
    const [booking] = await openOrders(database, clock).acts.findBookings([orderId])
    expect(booking).toMatchObject({ stopped_at: null, creations_allowed: 4 })
    expect((await actions()).map(([who, what]) => [what, who])).toEqual([
      ['label-permitted', expect.stringMatching(/^L\d$/)],
      ['reissue approval-requested', 'Lulwa'],
      ['reissue approval-decided approved', 'Majed'],
      ['label-permitted', 'Majed'],
    ])
  })

  it('changes a receiver of an unpaid order by two where its owner gets no message of it', async () => {
    const order = { userId, type: 'FROM_MINA', agent, center, amountHalalas: 5_000 } as const
    const { orderId } = await openOrders(database, clock).createOrder(order, undefined)
    const unheard = openDeskActions(database, clock, { canWarn: async () => false })
    const change = { reason: why, receiver: { name: 'Huda Al-Harbi' } }
    const nameOf = async () =>
      (await openOrders(database, clock).acts.findBookings([orderId]))[0]?.receiver_name
    expect(await unheard.readAlone(sara, orderId)).toMatchObject({ receiver: false })
    const { approval } = await unheard.changeReceiver(sara, orderId, fresh(), change)
    expect(await nameOf()).toBeNull()
    expect(await told(unheard.approve(lulwa, approval?.approvalId ?? 0, fresh()))).toBe('done')
    expect(await nameOf()).toBe('Huda Al-Harbi')
  })

  it('changes a receiver of an unpaid order at once; of a paid one by two, after printing with a text for the partner', async () => {
    const { orderId } = await paid()
    const change = (name: string, staff = sara) =>
      desk.changeReceiver(staff, orderId, fresh(), { reason: why, receiver: { name, phone: '0512345679' } })
    const bag = async () => (await openOrders(database, clock).acts.findBookings([orderId]))[0]
    const orders = database.tables.updateTable('orders').where('id', '=', orderId)
    await orders.set({ payment: 'unpaid' }).execute()
    expect(await told(change('Huda Al-Harbi'))).toBe('done')
    await orders.set({ payment: 'paid' }).execute()
    expect(await bag()).toMatchObject({ receiver_name: 'Huda Al-Harbi', receiver_phone: '+966512345679' })
    expect(await told(change('Mona', lulwa))).toBe('ACTED_BEFORE Sara')
    clock.advance(minute)
    const early = (await change('Salma')).approval?.approvalId ?? 0
    expect(await desk.approve(lulwa, early, fresh())).toEqual({})
    expect(await bag()).toMatchObject({ receiver_name: 'Salma' })
    await orders.set({ payment: 'paid' }).execute()
    clock.advance(hour)
    // Asked before printing, approved after it.
    const id = (await change('Mona Al-Otaibi')).approval?.approvalId ?? 0
    expect(await bag()).toMatchObject({ receiver_name: 'Salma' })
    await database.tables.updateTable('bookings').set({ uncertain_until: 1, awb: '77001' }).execute()
    const waiting = async () => (await desk.listApprovals(lulwa, 'ar')).approvals[0]?.receiver
    expect(await waiting()).toEqual({ receiver: { name: 'Mona A…', phone: '+966 ••••• 5679' } })
    expect(await desk.revealApproval(lulwa, id, { reason: 'identity' })).toEqual({
      receiver: { name: 'Mona Al-Otaibi', phone: '+966512345679' },
    })
    const request = fresh()
    expect((await desk.approve(lulwa, id, request)).partnerText).toBe(
      [
        ...['Please change airway bill 77001.', 'New consignee: Mona Al-Otaibi, +966512345679.'],
        'The label that is printed already keeps its old name.',
      ].join('\n'),
    )
    // Each time that names were shown is recorded: a repeated approval shows none.
    expect(await desk.approve(lulwa, id, request)).toEqual({})
    await expect(desk.revealApproval(lulwa, id, { reason: 'identity' })).rejects.toMatchObject({
      code: 'APPROVAL_NOT_FOUND',
    })
    const looks = (await actions()).filter(([, action]) => action === 'disclosed')
    expect(looks).toEqual([
      ['Lulwa', 'disclosed', orderId, 'identity'],
      ['Lulwa', 'disclosed', orderId, 'partner'],
    ])
    expect(await bag()).toMatchObject({ receiver_name: 'Mona Al-Otaibi' })
    await database.tables.updateTable('bookings').set({ carriage: 'at-branch' }).execute()
    clock.advance(hour)
    expect(await told(change('Late'))).toBe('ACTION_NOT_POSSIBLE')
    // The audit has masked names only.
    const rows = await listEvents({ database }, 'order_id', [orderId])
    expect(JSON.stringify(rows)).not.toMatch(/Al-Harbi|Al-Otaibi|512345679/)
    expect(JSON.stringify(rows)).toContain('Mona A…')
  })

  it('stores no receiver of an account that is being deleted, and asks for none of one that is gone', async () => {
    const { orderId } = await paid()
    await database.tables.updateTable('bookings').set({ uncertain_until: 1, awb: '77001' }).execute()
    const receiver = { name: 'Huda Al-Harbi', phone: '0512345679' }
    const ask = () => desk.changeReceiver(sara, orderId, fresh(), { reason: why, receiver })
    const id = (await ask()).approval?.approvalId ?? 0
    const [hold, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deleted = database.transaction(async () => {
      const [user] = await createSessionsStore(database).findUsers([userId])
      await createSessionsStore(database).deleteUser(userId, user?.phone ?? '', noon)
      begun.resolve()
      await hold.promise
      await desk.erasePayloads([orderId])
    })
    await begun.promise
    const deciding = told(desk.approve(lulwa, id, fresh()))
    await blockedOrDone(database, deciding)
    hold.resolve()
    await deleted
    expect(await deciding).toBe('ACTION_NOT_POSSIBLE')
    expect(await told(desk.approve(lulwa, id, fresh()))).toBe('ACTION_NOT_POSSIBLE')
    clock.advance(actionRules.approvalMs + 1)
    expect(await told(ask())).toBe('ACTION_NOT_POSSIBLE')
    const stored = await database.tables.selectFrom('approvals').select('payload').execute()
    expect(stored).toEqual([{ payload: null }])
    const [bag] = await openOrders(database, clock).acts.findBookings([orderId])
    expect(bag?.receiver_name).toBeNull()
  })

  it('tells who decides, and the partner, what of a receiver changes: a number alone, or that it is removed', async () => {
    const { orderId } = await paid()
    await database.tables.updateTable('bookings').set({ uncertain_until: 1, awb: '77001' }).execute()
    const ask = async (change: object) =>
      (await desk.changeReceiver(sara, orderId, fresh(), { reason: why, ...change })).approval?.approvalId ??
      0
    const waiting = async () => (await desk.listApprovals(lulwa, 'en')).approvals[0]?.receiver
    const first = await ask({ secondPhone: '0512345671' })
    expect(await waiting()).toEqual({ secondPhone: '+966 ••••• 5671' })
    expect((await desk.approve(lulwa, first, fresh())).partnerText).toBe(
      'Please change airway bill 77001.\nSecond phone: +966512345671.',
    )
    clock.advance(minute)
    const second = await ask({ receiver: null, secondPhone: null })
    expect(await waiting()).toEqual({ receiver: null, secondPhone: null })
    const { partnerText } = await desk.approve(lulwa, second, fresh())
    expect(partnerText).toContain('New consignee: the sender.\nSecond phone: none any more.')
  })

  it('sends messages again three times a day for an owner, asks the provider, and leaves no row of what was not done', async () => {
    const { orderId } = await paid()
    const fail = () => database.tables.updateTable('messages').set({ state: 'failed' }).execute()
    const resend = () => told(desk.resend(sara, orderId, fresh(), why))
    expect(await resend()).toBe('ACTION_NOT_POSSIBLE')
    await addMessage(database, { user_id: userId, order_id: orderId, kind: 'paid', created_at: noon })
    for (const answer of ['done', 'done', 'done', 'ACTION_NOT_POSSIBLE']) {
      await fail()
      expect(await resend()).toBe(answer)
    }
    clock.advance(day)
    await fail()
    expect(await resend()).toBe('done')
    // What it says is so no more: the newest waits, and then failed, and the order was returned.
    await fail()
    await database.tables.updateTable('orders').set({ payment: 'returned' }).execute()
    await expect(desk.resend(sara, orderId, fresh(), why)).rejects.toMatchObject({
      code: 'ACTION_NOT_POSSIBLE',
      details: { values: { why: whyNot.notSo } },
    })
    await database.tables.updateTable('orders').set({ payment: 'paid' }).execute()
    expect(await told(desk.inquire(sara, orderId, fresh(), why))).toBe('done')
    await expect(desk.inquire(sara, orderId, fresh(), why)).rejects.toMatchObject({
      code: 'ACTION_NOT_POSSIBLE',
      details: { values: { why: whyNot.beingAsked } },
    })
    expect(await told(desk.inquire(lulwa, orderId, fresh(), why))).toBe('ACTED_BEFORE Sara')
    expect(await told(desk.checked(sara, orderId, fresh(), why))).toBe('ACTION_NOT_POSSIBLE')
    expect(await told(desk.inquire(sara, orderId + 1, fresh(), why))).toBe('ORDER_NOT_FOUND')
    expect((await actions()).map(([, action]) => action)).toEqual([
      ...Array(4).fill('message-asked'),
      'inquired',
    ])
  })
})

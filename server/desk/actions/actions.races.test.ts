import { beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '#server/core.ts'
import { closeClaim } from '#server/desk/claims/desk-claims.ts'
import { requestNumberChange } from '#server/desk/orders/numbers.ts'
import { takeRow } from '#server/desk/work/work.ts'
import { insertClaim, markAnswered } from '#server/features/claims/claims.queries.ts'
import { eraseWordsAboutOrders } from '#server/features/history/erase.ts'
import { listEvents, storedEventOf } from '#server/features/history/history.ts'
import { lockForAct, readOrder, refundRequestOf } from '#server/features/operators/operators.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { cancelOrder } from '#server/features/payments/cancellations.ts'
import { listRefundsOfTransaction, refundPayment } from '#server/features/payments/refunds.queries.ts'
import { listWaitingChanges } from '#server/features/sessions/number-changes.queries.ts'
import { deleteUser } from '#server/features/sessions/sessions.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { isFailure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { WorkerName } from '#server/platform/worker-names.ts'
import type { ClaimKind } from '#shared/claims/claims.schemas.ts'
import { overtakenBy } from '#shared/desk/actions/actions.errors.ts'
import type { ActAnswer } from '#shared/desk/actions/actions.schemas.ts'
import { whyNot } from '#shared/operators/why-not.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import type { RefundReason } from '#shared/payments/payments.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { atOnce } from '#test/kit/basics/at-once.ts'
import {
  day,
  hour,
  type ManualClock,
  manualClock,
  minute,
  contractNoon as noon,
} from '#test/kit/basics/clock.ts'
import { forEachEngine, raceRounds } from '#test/kit/database/databases.ts'
import { blockedOrDone } from '#test/kit/database/rows.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { recordWakes } from '#test/kit/gateway/wakes.ts'
import { compensateWithin, press } from '#test/kit/orders/claims.ts'
import { addOrder, addPaidOrder } from '#test/kit/orders/core-orders.ts'
import { addMessage } from '#test/kit/orders/messages.ts'
import { actionRules } from './actions.rules.ts'
import { listApprovals, revealApproval } from './approvals.ts'
import { approve, confirm, refuse } from './decisions.ts'
import { readSoloLimit } from './money.ts'
import { actOnOrder, addNote, changeReceiver, orderActs } from './order-acts.ts'
import { requestApproval, requestEndOfSessions } from './requests.ts'

/** Acts of staff about orders, on both engines: their roles, approvals, and two acts at once. */

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
/** The same person, whose sign-in is old. */
const stale = (staff: Staff): Staff => ({ ...staff, authenticatedAt: 0 })

const fresh = (body: unknown = null) => ({ key: crypto.randomUUID(), body })
const why = 'the bag was lost'

/** Events of staff that are no acts about money, bags or messages. */
const asides = ['work-taken', 'claim-viewed']

forEachEngine((engine, open) => {
  let database: Database
  let core: Core
  let clock: ManualClock
  let userId: number
  let woken: WorkerName[]

  async function openDesk(config: Partial<Config> = {}): Promise<void> {
    core = await openCore({ database, clock }, { config: { MESSAGES_ENABLED: true, ...config } })
    woken = recordWakes(core)
  }

  beforeEach(async () => {
    database = await open()
    clock = manualClock(noon)
    const owner = { phone: '+966512345678', name: 'Maryam', created_at: noon } as const
    const added = await database.tables.insertInto('users').values(owner).returning('id').execute()
    userId = added[0]?.id ?? 0
    await openDesk()
  })

  const signedIn = (staff: Staff): Staff =>
    staff.authenticatedAt === 0 ? staff : { ...staff, authenticatedAt: clock.now() }
  /** Acts also on an order that a colleague has. */
  const body = () => ({ reason: why, over: isoOf(clock.now()) })
  const actBy =
    (act: typeof orderActs.refund) =>
    (staff: Staff, orderId: number, request = fresh()) =>
      actOnOrder(core, act, signedIn(staff), orderId, request, body())
  const refund = actBy(orderActs.refund)
  const cancel = actBy(orderActs.cancel)
  const reissue = actBy(orderActs.reissue)
  const inquire = actBy(orderActs.inquire)
  const checkBags = actBy(orderActs.checkBags)
  const resend = actBy(orderActs.resend)
  const writeOff = (staff: Staff, { orderId, transaction }: Pressed) =>
    actOnOrder(core, orderActs.writeOff, signedIn(staff), orderId, fresh(), { ...body(), transaction })
  const name = (staff: Staff, orderId: number, change: ReceiverChange) =>
    changeReceiver(core, signedIn(staff), orderId, fresh(), { ...body(), ...change })
  const compensate = (staff: Staff, claimId: number, halalas: number) =>
    closeClaim(core, signedIn(staff), claimId, press(), {
      outcome: 'compensated',
      text: why,
      compensation: { halalas, reference: 'T-9' },
    })
  const approveBy = (staff: Staff, id: number, request = fresh()) =>
    approve(core, signedIn(staff), id, request, { over: isoOf(clock.now()) })
  const refuseBy = (staff: Staff, id: number) => refuse(core, staff, id, fresh(), body())
  const waiting = async (language: 'ar' | 'en' = 'en') =>
    (await listApprovals(core, lulwa, language)).approvals
  const idOf = async (work: Promise<ActAnswer>): Promise<number> => (await work).approval?.approvalId ?? 0

  interface Pressed {
    readonly orderId: number
    readonly transaction: string
  }

  /** A paid order of 50 SAR. */
  async function paid(): Promise<Pressed> {
    const orderId = await addPaidOrder(core, userId)
    const transaction = `T${orderId}`
    const money = { amount_halalas: 5_000, currency: 'SAR' }
    const attempt = { state: 'succeeded', created_at: noon, secret_until: noon, inquired_at: 0 } as const
    const { id: attempt_id } = await database.tables
      .insertInto('payment_attempts')
      .values({ ...money, ...attempt, order_id: orderId, reference: `OD${orderId}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const event = { kind: 'succeeded', source: 'callback', outcome: 'applied', body: '{}' } as const
    await database.tables
      .insertInto('payment_events')
      .values({ ...money, ...event, transaction_id: transaction, attempt_id, received_at: noon })
      .execute()
    return { orderId, transaction }
  }

  const bagOf = async (orderId: number) => {
    const [bag] = await findBookings(core, [orderId])
    if (!bag) throw new Error(`no bag of order ${orderId}`)
    return bag
  }
  const changeBags = (change: object) => database.tables.updateTable('bookings').set(change).execute()
  const changeOrder = (orderId: number, change: object) =>
    database.tables.updateTable('orders').set(change).where('id', '=', orderId).execute()

  const compensated = (orderId: number, halalas: number) =>
    database.transaction(async () =>
      compensateWithin(core, { userId, orderId, bookingId: (await bagOf(orderId)).id }, halalas, noon),
    )
  async function openClaim(orderId: number, kind: ClaimKind = 'other'): Promise<number> {
    const claim = await insertClaim(core, {
      user_id: userId,
      order_id: orderId,
      booking_id: (await bagOf(orderId)).id,
      kind,
      idem_key: null,
      body_hash: 'h',
      opened_at: noon,
      answer_by: noon + day,
    })
    return claim?.id ?? 0
  }

  const orderRefund = (transaction: string, reason: RefundReason = 'operator') =>
    database.transaction(() => refundPayment(core, transaction, { reason, by: { kind: 'system' } }, noon))
  const changeRefund = (transaction: string, change: object) =>
    database.tables.updateTable('refunds').set(change).where('transaction_id', '=', transaction).execute()
  const refundsOf = (transaction: string) => listRefundsOfTransaction(core, transaction)
  /** Events of the money of an order that staff decided: kind, name, roles and reason. */
  const decisionsOf = async (orderId: number) =>
    (await listEvents({ database }, 'order_id', [orderId])).flatMap(({ kind, by, data }) =>
      by.kind === 'staff' && kind.startsWith('refund')
        ? [[kind, by.name, by.roles, (data as { personal: { reason: string } }).personal.reason]]
        : [],
    )
  const statusOfOrder = async (orderId: number): Promise<OrderStatus> =>
    statusOf(await readOrder(core, orderId))
  /** The acts of staff and operators in their order: the name, the act, the order and the reason. */
  const actions = async () => {
    const rows = await database.tables
      .selectFrom('events')
      .selectAll()
      .where('actor_kind', 'in', ['staff', 'operator'])
      .where('kind', 'not in', asides as never)
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
  /** `done`, `waits`, or the code of the refusal with the name in it. */
  const told = (work: Promise<ActAnswer | number | undefined>): Promise<string> =>
    work.then(
      (answer) => (typeof answer === 'number' || answer?.approval ? 'waits' : 'done'),
      (error: unknown) => {
        if (!isFailure(error)) throw error
        const { who } = error.details.values ?? {}
        return who === undefined ? error.code : `${error.code} ${who}`
      },
    )

  describe('a refund', () => {
    it('is asked by one and approved by another, after a fresh sign-in; each step has its audit row', async () => {
      const { orderId, transaction } = await paid()
      const id = await idOf(refund(majed, orderId))
      expect(await refundsOf(transaction)).toEqual([])
      expect(await told(approveBy(majed, id))).toBe('OWN_APPROVAL')
      // Another role changes nothing: the person counts.
      expect(await told(refuseBy(person('Majed', 'lead'), id))).toBe('OWN_APPROVAL')
      expect(await told(approveBy(stale(lulwa), id))).toBe('REAUTHENTICATION_REQUIRED')
      expect(woken).toEqual([])
      expect(await told(approveBy(lulwa, id))).toBe('done')
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
      expect(await told(refund(majed, orderId))).toBe('ACTED_BEFORE Lulwa')
      clock.advance(hour)
      expect(await told(refund(majed, orderId))).toBe('ACTION_NOT_POSSIBLE')
    })

    it('that was asked for under another identity provider is refused alone: its names are not of this one', async () => {
      const { orderId } = await paid()
      const id = await idOf(refund({ ...majed, issuer: 'https://former.example' }, orderId))
      expect(await told(approveBy(majed, id))).toBe('ACTION_NOT_POSSIBLE')
      expect(await told(refuseBy(lulwa, id))).toBe('done')
    })

    it('is decided once, however many approve and refuse at once; the others are told by whom', async () => {
      const { orderId, transaction } = await paid()
      const id = await idOf(refund(majed, orderId))
      const answers = await atOnce(4, (index) => {
        const staff = person(`L${index}`, 'lead')
        return told(index % 2 === 0 ? approveBy(staff, id) : refuseBy(staff, id))
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
      const ids = await atOnce(3, () => idOf(refund(majed, orderId, request)))
      expect(new Set(ids).size).toBe(1)
      expect(await told(refund(majed, orderId, { ...request, body: 'other' }))).toBe('IDEMPOTENCY_CONFLICT')
      expect(await told(addNote(core, lulwa, orderId, request, 'own'))).toBe('done')
      expect(await actions()).toHaveLength(2)
    })

    it('is overtaken by what happened since; that stays, and is said to each who comes', async () => {
      const { orderId, transaction } = await paid()
      const id = await idOf(refund(majed, orderId))
      await orderRefund(transaction, 'cancelled')
      expect(await waiting()).toMatchObject([
        { approvalId: id, askedBy: 'Majed', isMine: false, changed: 'a refund of this order was ordered.' },
      ])
      const request = fresh()
      expect(await told(approveBy(lulwa, id, request))).toBe('OVERTAKEN')
      expect(await told(approveBy(lulwa, id, request))).toBe('OVERTAKEN')
      expect(await told(approveBy(person('Huda', 'lead'), id))).toBe('OVERTAKEN')
      expect(await refundsOf(transaction)).toMatchObject([{ reason: 'cancelled' }])
      expect(await waiting()).toEqual([])
      expect((await actions()).map(([, action]) => action)).toEqual([
        'refund approval-requested',
        'refund approval-decided overtaken',
      ])
    })

    it('expires after three days, and is asked for again', async () => {
      const { orderId } = await paid()
      const id = await idOf(refund(majed, orderId))
      clock.advance(actionRules.approvalMs)
      expect(await told(approveBy(lulwa, id))).toBe('APPROVAL_EXPIRED')
      expect(await told(refund(majed, orderId))).toBe('waits')
    })
  })

  describe('within DESK_REFUND_ALONE', () => {
    it('a sum is not split: of several at once no more than fit in a day are moved alone', async () => {
      await openDesk({ DESK_REFUND_ALONE: 100 })
      const orders = [await paid(), await paid(), await paid()]
      expect(await told(refund(stale(majed), orders[0]?.orderId ?? 0))).toBe('REAUTHENTICATION_REQUIRED')
      const answers = await atOnce(3, (index) => told(refund(majed, orders[index]?.orderId ?? 0)))
      expect(answers.toSorted()).toEqual(['done', 'done', 'waits'])
      expect(woken).toEqual(['refunds', 'refunds'])
      // A lead asks, whatever the sum.
      expect(await told(refund(lulwa, (await paid()).orderId))).toBe('waits')
      clock.advance(day + 1)
      const next = await paid()
      expect(await told(refund(majed, next.orderId))).toBe('done')
      expect(await decisionsOf(next.orderId)).toEqual([['refund-ordered', 'Majed', ['money'], why]])
    })
  })

  describe('two who press at once', () => {
    type Act = (staff: Staff, pressed: Pressed) => Promise<ActAnswer | number | undefined>
    const nothing = async () => undefined
    const owedBack = async ({ transaction }: Pressed) => {
      await orderRefund(transaction)
      await changeRefund(transaction, { refused_at: noon })
    }
    const failedMessage = async ({ orderId }: Pressed) => {
      // The messages of an owner are sent again three times a day.
      clock.advance(day)
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
      const seen = { event_key: 'k', kind: 'damaged', code: 'DM', at: noon, noticed_at: noon } as const
      const booking_id = (await bagOf(orderId)).id
      await database.tables
        .insertInto('scan_alerts')
        .values({ ...seen, booking_id })
        .execute()
    }
    const claims = new Map<number, number>()
    const claimed = async ({ orderId }: Pressed) => {
      claims.set(orderId, await openClaim(orderId))
    }
    const unpaid = ({ orderId }: Pressed) =>
      changeOrder(orderId, { payment: 'unpaid', transaction_id: null, paid_at: null })
    const bags = (change: object) => () => changeBags(change)
    const another: Act = (staff, { orderId }) => name(staff, orderId, { receiver: { name: staff.name } })
    const acts: readonly [string, (pressed: Pressed) => Promise<unknown>, Act][] = [
      ['inquired', nothing, (staff, { orderId }) => inquire(staff, orderId)],
      ['bag-checked', alert, (staff, { orderId }) => checkBags(staff, orderId)],
      ['message-asked', failedMessage, (staff, { orderId }) => resend(staff, orderId)],
      ['order-cancelled', unpaid, (staff, { orderId }) => cancel(staff, orderId)],
      ['cancel approval-requested', nothing, (staff, { orderId }) => cancel(staff, orderId)],
      ['receiver-changed', unpaid, another],
      ['receiver approval-requested', bags({ uncertain_until: 1 }), another],
      [
        'reissue approval-requested',
        bags({ stopped_at: noon, state: 'waiting', creations_allowed: 3 }),
        (staff, { orderId }) => reissue(staff, orderId),
      ],
      ['write-off approval-requested', owedBack, writeOff],
      ['refund-ordered', nothing, (staff, { orderId }) => refund(staff, orderId)],
      [
        'compensation approval-requested',
        claimed,
        (staff, { orderId }) => compensate(staff, claims.get(orderId) ?? 0, 9_000),
      ],
    ]
    it.each(acts)('%s once: the other is told who', async (action, prepare, act) => {
      await openDesk({ DESK_REFUND_ALONE: action === 'refund-ordered' ? 10_000 : 0 })
      for (let round = 1; round <= raceRounds; round += 1) {
        const pressed = await paid()
        await prepare(pressed)
        const answers = await atOnce(2, (index) => told(act(person(`P${index}`, 'money'), pressed)))
        const winner = answers.findIndex((answer) => answer === 'done' || answer === 'waits')
        expect(answers[1 - winner]).toBe(`ACTED_BEFORE P${winner}`)
        const own = (await actions()).filter(([, , orderId]) => orderId === pressed.orderId)
        expect(own.map(([who, what]) => [who, what])).toEqual([[`P${winner}`, action]])
      }
    })

    const answered = async ({ orderId }: Pressed) => {
      await markAnswered(core, claims.get(orderId) ?? 0, noon)
    }
    const giveBack = ({ transaction }: Pressed) =>
      changeRefund(transaction, { state: 'done', done_at: noon, due_at: null })
    it.each<[string, (pressed: Pressed) => Promise<unknown>, keyof typeof overtakenBy]>([
      ['receiver approval-requested', bags({ carriage: 'at-branch' }), 'bag-arrived'],
      ['reissue approval-requested', bags({ stopped_at: null, state: 'issued' }), 'bookings'],
      ['write-off approval-requested', giveBack, 'refund-done'],
      ['refund-ordered', ({ orderId }) => cancelOrder(core, userId, orderId), 'order-cancelled'],
      ['compensation approval-requested', answered, 'claim'],
    ])('%s: approved after something else happened it is refused with what', async (action, happen, fact) => {
      const [, prepare, act] = acts.find(([each]) => each === action) as (typeof acts)[number]
      const pressed = await paid()
      await prepare(pressed)
      await act(majed, pressed)
      await happen(pressed)
      const [request] = await waiting()
      await expect(approveBy(lulwa, request?.approvalId ?? 0)).rejects.toMatchObject({
        code: 'OVERTAKEN',
        details: { values: { what: overtakenBy[fact] } },
      })
      expect(await waiting()).toEqual([])
      expect((await actions()).at(-1)?.[1]).toMatch(/ overtaken$/)
    })
  })

  it('is taken by who decides, from a colleague only after having been asked about them', async () => {
    const { orderId } = await paid()
    const id = await idOf(refund(majed, orderId))
    const huda = person('Huda', 'lead')
    const { issuer, subject } = huda
    const session = { sid: null, id_token: '', ends_at: noon + day, idle_until: noon + day } as const
    // A row is held while its holder is signed in.
    await database.tables
      .insertInto('desk_sessions')
      .values({
        ...session,
        issuer,
        subject,
        name: subject,
        token_hash: subject,
        roles: 'lead',
        authenticated_at: noon,
        created_at: noon,
        last_seen_at: noon,
      })
      .execute()
    await takeRow(core, huda, { kind: 'approvals', reference: String(id) }, {})
    expect(await told(approve(core, lulwa, id, fresh(), {}))).toBe('WORK_TAKEN Huda')
    expect(await told(refuse(core, lulwa, id, fresh(), { reason: why }))).toBe('WORK_TAKEN Huda')
    expect(await waiting()).toHaveLength(1)
    expect(await told(refuseBy(lulwa, id))).toBe('done')
  })

  describe('a cancellation of a paid order', () => {
    it('by support or a lead waits for another person, also with a sum that money moves alone', async () => {
      await openDesk({ DESK_REFUND_ALONE: 10_000 })
      const { orderId } = await paid()
      const id = await idOf(cancel(stale(sara), orderId))
      expect(await told(cancel(lulwa, orderId))).toBe('ACTED_BEFORE Sara')
      expect(await statusOfOrder(orderId)).toBe('PAID')
      expect(await told(approveBy(person('Sara', 'money'), id))).toBe('OWN_APPROVAL')
      expect(await told(approveBy(lulwa, id))).toBe('done')
      expect(await statusOfOrder(orderId)).toBe('CANCELLED')
      const { issuer, subject, name: who, roles } = lulwa
      const events = await listEvents({ database }, 'order_id', [orderId])
      expect(events.find(({ kind }) => kind === 'order-cancelled')).toMatchObject({
        data: { personal: { reason: why } },
        by: { kind: 'staff', issuer, subject, name: who, roles },
      })
    })

    it('by money is done alone within the sum of a day, after a fresh sign-in, and counts with refunds', async () => {
      await openDesk({ DESK_REFUND_ALONE: 120 })
      const [one, two, three] = [await paid(), await paid(), await paid()]
      expect(await told(cancel(stale(majed), one.orderId))).toBe('REAUTHENTICATION_REQUIRED')
      expect(await told(cancel(majed, one.orderId))).toBe('done')
      expect(await told(refund(majed, two.orderId))).toBe('done')
      expect(await told(cancel(majed, three.orderId))).toBe('waits')
      expect(await statusOfOrder(three.orderId)).toBe('PAID')
    })

    it('is asked for twenty times an hour by a person, with refunds, and not once more', async () => {
      for (let count = 0; count < 20; count += 1) {
        const { orderId } = await paid()
        expect(await told(count % 2 === 0 ? cancel(majed, orderId) : refund(majed, orderId))).toBe('waits')
        clock.advance(minute)
      }
      const { orderId } = await paid()
      expect(await told(cancel(majed, orderId))).toBe('TOO_MANY_CALLS')
      expect(await told(cancel(sara, orderId))).toBe('waits')
      const unpaid = await addOrder(core, userId)
      expect(await told(cancel(majed, unpaid))).toBe('done')
      clock.advance(40 * minute)
      expect(await told(cancel(majed, (await paid()).orderId))).toBe('waits')
    })

    it('after a compensation needs two who see both sums, also of money alone', async () => {
      await openDesk({ DESK_REFUND_ALONE: 10_000 })
      const { orderId } = await paid()
      await compensated(orderId, 3_000)
      const id = await idOf(cancel(majed, orderId))
      const [request] = await waiting()
      expect(request?.checks.map(({ text }) => text)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/30\.00 was recorded as compensation/),
          expect.stringMatching(/With this .*80\.00 leaves for .*50\.00 that was paid/),
        ]),
      )
      expect(await told(approveBy(lulwa, id))).toBe('done')
      expect(await statusOfOrder(orderId)).toBe('CANCELLED')
    })
  })

  it('a compensation above what is left of the capture waits, and one within it is recorded by money alone', async () => {
    await openDesk({ DESK_REFUND_ALONE: 10_000 })
    const { orderId } = await paid()
    const first = await openClaim(orderId, 'late')
    const second = await openClaim(orderId, 'damaged')
    expect(await told(compensate(majed, first, 3_000))).toBe('done')
    expect(await told(compensate(majed, second, 2_001))).toBe('waits')
    const third = await openClaim(orderId, 'other')
    expect(await told(compensate(majed, third, 2_000))).toBe('done')
    expect(await told(refund(majed, orderId))).toBe('waits')
  })

  it('sessions of everyone end after a fresh sign-in and by two, and again by a repetition', async () => {
    const endSessions = (staff: Staff) => requestEndOfSessions(core, signedIn(staff), fresh(), why)
    const addSession = (id: string, created_at: number) =>
      database.tables
        .insertInto('sessions')
        .values({
          id,
          token_hash: id,
          device: '',
          role: 'user',
          subject_id: userId,
          created_at,
          last_seen_at: created_at,
          idle_until: noon + 9 * day,
          ends_at: noon + 9 * day,
        })
        .execute()
    const sessions = async () =>
      (await database.tables.selectFrom('sessions').select('id').execute()).map(({ id }) => id)
    await addSession('first', noon)
    expect(await told(endSessions(stale(lulwa)))).toBe('REAUTHENTICATION_REQUIRED')
    const id = await idOf(endSessions(lulwa))
    expect(await told(endSessions(lulwa))).toBe('ACTED_BEFORE Lulwa')
    expect(await told(approveBy(lulwa, id))).toBe('OWN_APPROVAL')
    const [shown] = await waiting()
    expect(shown).toMatchObject({ act: 'end-sessions', orderId: null, amountHalalas: 0 })
    expect(await sessions()).toEqual(['first'])
    const request = fresh()
    expect(await told(approveBy(majed, id, request))).toBe('done')
    expect(await sessions()).toEqual([])
    // As if the gateway had been killed between two pieces.
    await addSession('left', noon)
    clock.advance(hour)
    await addSession('later', clock.now())
    expect(await told(approveBy(majed, id, request))).toBe('done')
    expect(await sessions()).toEqual(['later'])
    expect(await actions()).toEqual([
      ['Lulwa', 'end-sessions approval-requested', null, why],
      ['Majed', 'end-sessions approval-decided approved', null, why],
    ])
  })

  it('a request from a terminal is confirmed by whom it names before another person approves it', async () => {
    const { orderId, transaction } = await paid()
    const origin = { by: { kind: 'operator', name: 'Majed (root)' }, at: noon, reason: why } as const
    const id = await database.transaction(async () => {
      const order = await lockForAct(core, orderId)
      const request = await refundRequestOf(core, order)
      return requestApproval(core, origin, order, request, { user: 'root', as: majed })
    })
    const confirmBy = (staff: Staff) => told(confirm(core, staff, id, fresh()))
    const check = async () => (await waiting())[0]?.checks[0]
    expect(await check()).toEqual({ tone: 'bad', text: 'Asked from a terminal (root) as Majed, unproven' })
    expect(await told(approveBy(lulwa, id))).toBe('APPROVAL_UNCONFIRMED Majed')
    expect(await confirmBy(lulwa)).toBe('APPROVAL_NOT_FOUND')
    expect(await confirmBy(person('Majed', 'support'))).toBe('ACTION_NOT_POSSIBLE')
    expect(await confirmBy(majed)).toBe('done')
    expect(await check()).toMatchObject({ tone: 'note' })
    expect(await told(approveBy(majed, id))).toBe('OWN_APPROVAL')
    expect(await told(approveBy(lulwa, id))).toBe('done')
    expect(await refundsOf(transaction)).toMatchObject([{ reason: 'operator' }])
    expect((await actions()).map(([, action]) => action)).toEqual([
      'refund approval-requested',
      'refund approval-confirmed',
      'refund approval-decided approved',
      'refund-ordered',
    ])
  })

  it('writes off a refund that was refused, by two; the order stays as it is', async () => {
    const order = await paid()
    const { orderId, transaction } = order
    await orderRefund(transaction)
    expect(await told(writeOff(majed, order))).toBe('ACTION_NOT_POSSIBLE')
    expect(await told(writeOff(majed, { orderId, transaction: 'T0' }))).toBe('ACTION_NOT_POSSIBLE')
    await changeRefund(transaction, { refused_at: noon })
    const id = await idOf(writeOff(majed, order))
    // A further try changes no fact of the request.
    await changeRefund(transaction, { tries: 9 })
    expect(await told(approveBy(lulwa, id))).toBe('done')
    expect(await refundsOf(transaction)).toMatchObject([{ state: 'done', written_off_at: noon }])
    expect(await decisionsOf(orderId)).toEqual([['refund-written-off', 'Lulwa', ['lead'], why]])
    expect(await statusOfOrder(orderId)).toBe('PAID')
  })

  it('writes off a refund in another currency by two only, counts none of it and names it', async () => {
    await openDesk({ DESK_REFUND_ALONE: 50 })
    const order = await paid()
    await orderRefund(order.transaction)
    await changeRefund(order.transaction, { refused_at: noon, amount_halalas: 100, currency: 'USD' })
    const id = await idOf(writeOff(majed, order))
    const [request] = await waiting()
    expect(request).toMatchObject({ act: 'write-off', about: order.transaction, amountHalalas: 0 })
    expect(request?.checks.map(({ text }) => text)).toContain(
      'The sum was taken in another currency: USD 1.00',
    )
    expect(await told(approveBy(lulwa, id))).toBe('done')
    expect(await readSoloLimit(core, majed, order.orderId)).toMatchObject({ halalas: 5_000 })
  })

  it('permits an airway bill once alone and again by two; two at once permit it once', async () => {
    const { orderId } = await paid()
    expect(await told(reissue(lulwa, orderId))).toBe('ACTION_NOT_POSSIBLE')
    await changeBags({ stopped_at: noon, creations: 2, state: 'waiting' })
    const answers = await atOnce(2, (index) => told(reissue(person(`L${index}`, 'lead'), orderId)))
    expect(answers.toSorted()).toEqual([expect.stringMatching(/^ACTED_BEFORE L\d$/), 'done'])
    await changeBags({ stopped_at: noon, creations: 3 })
    expect(await told(approveBy(majed, await idOf(reissue(lulwa, orderId))))).toBe('done')
    expect(await bagOf(orderId)).toMatchObject({ stopped_at: null, creations_allowed: 4 })
    expect(woken).toEqual(['shipments', 'refunds', 'shipments'])
    expect((await actions()).map(([who, what]) => [what, who])).toEqual([
      ['label-permitted', expect.stringMatching(/^L\d$/)],
      ['reissue approval-requested', 'Lulwa'],
      ['reissue approval-decided approved', 'Majed'],
      ['label-permitted', 'Majed'],
    ])
  })

  it('changes a receiver of an unpaid order by two where its owner gets no message of it', async () => {
    await openDesk({ MESSAGES_ENABLED: false })
    const orderId = await addOrder(core, userId)
    expect(await readSoloLimit(core, sara, orderId)).toMatchObject({ receiver: false })
    const id = await idOf(name(sara, orderId, { receiver: { name: 'Huda Al-Harbi' } }))
    expect((await bagOf(orderId)).receiver_name).toBeNull()
    expect(await told(approveBy(lulwa, id))).toBe('done')
    expect((await bagOf(orderId)).receiver_name).toBe('Huda Al-Harbi')
  })

  it('changes a receiver of an unpaid order at once; of a paid one by two, after printing with a text for the partner', async () => {
    const { orderId } = await paid()
    const change = (to: string, staff = sara) =>
      name(staff, orderId, { receiver: { name: to, phone: '0512345679' } })
    await changeOrder(orderId, { payment: 'unpaid' })
    expect(await told(change('Huda Al-Harbi'))).toBe('done')
    await changeOrder(orderId, { payment: 'paid' })
    expect(await bagOf(orderId)).toMatchObject({
      receiver_name: 'Huda Al-Harbi',
      receiver_phone: '+966512345679',
    })
    expect(await told(change('Mona', lulwa))).toBe('ACTED_BEFORE Sara')
    clock.advance(minute)
    expect(await approveBy(lulwa, await idOf(change('Salma')))).toEqual({})
    expect(await bagOf(orderId)).toMatchObject({ receiver_name: 'Salma' })
    clock.advance(hour)
    // Requested before printing, approved after it.
    const id = await idOf(change('Mona Al-Otaibi'))
    expect(await bagOf(orderId)).toMatchObject({ receiver_name: 'Salma' })
    await changeBags({ uncertain_until: 1, awb: '77001' })
    expect((await waiting('ar'))[0]?.receiver).toEqual({
      receiver: { name: 'Mona A…', phone: '+966 ••••• 5679' },
    })
    const reveal = () => revealApproval(core, lulwa, id, { reason: 'identity' })
    expect(await reveal()).toEqual({ receiver: { name: 'Mona Al-Otaibi', phone: '+966512345679' } })
    const request = fresh()
    expect((await approveBy(lulwa, id, request)).partnerText).toBe(
      [
        'Please change airway bill 77001.',
        'New consignee: Mona Al-Otaibi, +966512345679.',
        'The label that is printed already keeps its old name.',
      ].join('\n'),
    )
    // Each disclosure is recorded: a repeated approval discloses nothing.
    expect(await approveBy(lulwa, id, request)).toEqual({})
    await expect(reveal()).rejects.toMatchObject({ code: 'APPROVAL_NOT_FOUND' })
    const disclosures = (await actions()).filter(([, action]) => action === 'disclosed')
    expect(disclosures).toEqual([
      ['Lulwa', 'disclosed', orderId, 'identity'],
      ['Lulwa', 'disclosed', orderId, 'partner'],
    ])
    expect(await bagOf(orderId)).toMatchObject({ receiver_name: 'Mona Al-Otaibi' })
    await changeBags({ carriage: 'at-branch' })
    clock.advance(hour)
    expect(await told(change('Late'))).toBe('ACTION_NOT_POSSIBLE')
    // The audit has masked names only.
    const rows = JSON.stringify(await listEvents({ database }, 'order_id', [orderId]))
    expect(rows).not.toMatch(/Al-Harbi|Al-Otaibi|512345679/)
    expect(rows).toContain('Mona A…')
  })

  it('stores no receiver of an account that is being deleted, and asks for none of one that is gone', async () => {
    const { orderId } = await paid()
    await changeBags({ uncertain_until: 1, awb: '77001' })
    const request = () => name(sara, orderId, { receiver: { name: 'Huda Al-Harbi', phone: '0512345679' } })
    const id = await idOf(request())
    const [hold, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const deleted = database.transaction(async () => {
      await deleteUser(core, userId)
      begun.resolve()
      await hold.promise
      await eraseWordsAboutOrders(core, userId)
    })
    await begun.promise
    const deciding = told(approveBy(lulwa, id))
    await blockedOrDone(database, deciding)
    hold.resolve()
    await deleted
    expect(await deciding).toBe('ACTION_NOT_POSSIBLE')
    expect(await told(approveBy(lulwa, id))).toBe('ACTION_NOT_POSSIBLE')
    clock.advance(actionRules.approvalMs + 1)
    expect(await told(request())).toBe('ACTION_NOT_POSSIBLE')
    expect(await database.tables.selectFrom('approvals').select('payload').execute()).toEqual([
      { payload: null },
    ])
    expect((await bagOf(orderId)).receiver_name).toBeNull()
  })

  it('moves no account to a number that gets an account while the approval is carried out', async () => {
    const phone = '+966512345670'
    const id = await idOf(requestNumberChange(core, sara, userId, fresh(), { phone, reason: why }))
    const [hold, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const signedUp = database.transaction(async () => {
      await database.tables.updateTable('users').set({ name: 'Maryam' }).where('id', '=', userId).execute()
      await ensureUser(core, phone, 'Huda', noon)
      begun.resolve()
      await hold.promise
    })
    await begun.promise
    const deciding = told(approveBy(lulwa, id))
    await blockedOrDone(database, deciding)
    hold.resolve()
    await signedUp
    // SQLite has one writer at a time: there the facts of the request are read after the sign-up.
    expect(await deciding).toBe(engine === 'postgres' ? 'NUMBER_HAS_ACCOUNT' : 'OVERTAKEN')
    expect(await listWaitingChanges(core, [userId], noon)).toEqual([])
  })

  it('tells who decides, and the partner, what of a receiver changes: a number alone, or that it is removed', async () => {
    const { orderId } = await paid()
    await changeBags({ uncertain_until: 1, awb: '77001' })
    const shown = async () => (await waiting())[0]?.receiver
    const first = await idOf(name(sara, orderId, { secondPhone: '0512345671' }))
    expect(await shown()).toEqual({ secondPhone: '+966 ••••• 5671' })
    expect((await approveBy(lulwa, first)).partnerText).toBe(
      'Please change airway bill 77001.\nSecond phone: +966512345671.',
    )
    clock.advance(minute)
    const second = await idOf(name(sara, orderId, { receiver: null, secondPhone: null }))
    expect(await shown()).toEqual({ receiver: null, secondPhone: null })
    const { partnerText } = await approveBy(lulwa, second)
    expect(partnerText).toContain('New consignee: the sender.\nSecond phone: none any more.')
  })

  it('sends messages again three times a day for an owner, asks the provider, and leaves no row of what was not done', async () => {
    const { orderId } = await paid()
    const fail = () => database.tables.updateTable('messages').set({ state: 'failed' }).execute()
    const notPossible = (reason: keyof typeof whyNot) => ({
      code: 'ACTION_NOT_POSSIBLE',
      details: { values: { why: whyNot[reason] } },
    })
    await database.tables.deleteFrom('messages').execute()
    await expect(resend(sara, orderId)).rejects.toMatchObject(notPossible('noMessage'))
    await addMessage(database, { user_id: userId, order_id: orderId, kind: 'paid', created_at: noon })
    for (const answer of ['done', 'done', 'done', 'ACTION_NOT_POSSIBLE']) {
      await fail()
      expect(await told(resend(sara, orderId))).toBe(answer)
    }
    clock.advance(day)
    await fail()
    expect(woken).toContain('messages')
    expect(await told(resend(sara, orderId))).toBe('done')
    // The message is no longer true.
    await fail()
    await changeOrder(orderId, { payment: 'returned' })
    await expect(resend(sara, orderId)).rejects.toMatchObject(notPossible('notSo'))
    expect(await told(inquire(sara, orderId))).toBe('done')
    expect(woken).toContain('inquiries')
    await expect(inquire(sara, orderId)).rejects.toMatchObject(notPossible('beingAsked'))
    expect(await told(inquire(lulwa, orderId))).toBe('ACTED_BEFORE Sara')
    expect(await told(inquire(sara, orderId + 1))).toBe('ORDER_NOT_FOUND')
    expect((await actions()).map(([, action]) => action)).toEqual([
      ...Array(4).fill('message-asked'),
      'inquired',
    ])
  })

  it('a bag that is silent for longer than the hours that are set can be checked, and no other', async () => {
    await openDesk({ TRACKING_SILENCE_HOURS: 3 })
    const orderId = await addPaidOrder(core, userId)
    const tracked = { awb: '77001', due_at: noon, tracked_until: noon, silent_polls: 0, heard_at: noon }
    const booking_id = (await bagOf(orderId)).id
    await database.tables
      .insertInto('tracked_bookings')
      .values({ ...tracked, booking_id })
      .execute()
    clock.advance(3 * hour)
    expect(await told(checkBags(sara, orderId))).toBe('ACTION_NOT_POSSIBLE')
    clock.advance(1)
    expect(await told(checkBags(sara, orderId))).toBe('done')
    const checked = await database.tables.selectFrom('tracked_bookings').select('checked_at').execute()
    expect(checked).toEqual([{ checked_at: noon + 3 * hour + 1 }])
  })
})

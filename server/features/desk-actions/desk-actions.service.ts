import type { Core } from '#server/core.ts'
import type { ActionOrigin, AuditService } from '#server/features/audit/audit.service.ts'
import { findLastAct, recordAct, staffActor } from '#server/features/history/acts.ts'
import type { EventKind } from '#server/features/history/history.kinds.ts'
import { type Acting, recordEvent } from '#server/features/history/history.ts'
import type { MessagesService } from '#server/features/messages/messages.feature.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PaymentsService } from '#server/features/payments/payments.feature.ts'
import type { SessionsService } from '#server/features/sessions/sessions.service.ts'
import type { ActWish, WorkService } from '#server/features/work/work.service.ts'
import { type Clock, clocksDifferMs } from '#server/platform/clock.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { freeAt, tooManyCalls } from '#server/platform/limits.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import type { auditActionNames } from '#shared/audit/audit.names.ts'
import type { Reveal } from '#shared/audit/audit.schemas.ts'
import { actedBefore, atOnceMs } from '#shared/desk-actions/acted-before.ts'
import { deskActionsErrors } from '#shared/desk-actions/desk-actions.errors.ts'
import type {
  ActAnswer,
  ApprovalAct,
  ChangedReceiver,
  ReceiverBody,
} from '#shared/desk-actions/desk-actions.schemas.ts'
import { statusOf } from '#shared/orders/orders.rules.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import {
  type ActedOrder,
  type Acts,
  type ActsDeps,
  actingOf,
  actorOf,
  createActs,
  notPossible,
} from './acts.service.ts'
import {
  type Carrier,
  createApprovals,
  overtaken,
  type SubjectReader,
  type SubjectReading,
  type Wish,
} from './approvals.service.ts'
import { partnerText } from './approvals.texts.ts'
import {
  actionRules,
  isArrived,
  isPrinted,
  isSecondReissue,
  leftAlone,
  leftOfCapture,
  moneyActs,
  type Overtaking,
} from './desk-actions.rules.ts'
import type { ApprovalRow } from './desk-actions.store.ts'

export interface DeskActionsDeps extends ActsDeps, Pick<Core, 'wake'> {
  readonly audit: Pick<AuditService, 'once' | 'reveal'>
  readonly receivers: Pick<
    OrdersService,
    | 'hasReceiver'
    | 'lockOwner'
    | 'checkReceiver'
    | 'changeReceiverWithin'
    | 'changePrintedReceiver'
    | 'assertCancellable'
  >
  readonly cancellations: Pick<PaymentsService, 'cancelWithin'>
  readonly sessions: Pick<SessionsService, 'endAllSessions'>
  readonly work: Pick<WorkService, 'act'>
  readonly clock: Clock
  /** Whether a person has proven who they are recently enough for money to move. */
  readonly isRecent: (staff: Staff) => boolean
  /** Whether the owner gets a message about another receiver, by SMS or by letter. */
  readonly canWarn: MessagesService['canWarn']
  /** DESK_REFUND_ALONE in halalas. */
  readonly alone: number
}

/** Other features import this file alone. */
export type { Carrier, SubjectReader, SubjectReading }

export type Request = StaffRequest & ActWish

interface Outcome {
  readonly answer: ActAnswer
  /** Of an approval that was overtaken, which is stored. */
  readonly changed?: Overtaking | undefined
  /** What is finished outside of the transaction, also by a repetition; see `finishers`. */
  readonly finish?: { readonly act: ApprovalAct; readonly at: number }
  /** Once it is committed. */
  readonly after?: () => void
}

export type DeskActionsService = ReturnType<typeof createDeskActions>

const done: Outcome = { answer: {} }
const asked = (approvalId: number): Outcome => ({ answer: { approval: { approvalId } } })

/** What staff do about orders, each once, and what needs a second person. */
export function createDeskActions(deps: DeskActionsDeps) {
  const acts = createActs(deps)
  const carriers = new Map<ApprovalAct, Carrier>(carriersOf(deps, acts))
  carriers.set('end-sessions', async () => undefined)
  const subjects = new Map<ApprovalAct, SubjectReader>([['end-sessions', ofEveryone]])
  const approvals = createApprovals({ ...deps, acts, carriers, subjects })
  const finishers: Finishers = new Map([
    // Also those that a gateway began whose clock is ahead.
    ['end-sessions', (at) => deps.sessions.endAllSessions(at + clocksDifferMs)],
  ])
  const once = createOnce(deps, finishers)
  const money = createMoneyActs(deps, { acts, once, approvals })
  const askWithoutOrder = (
    staff: Staff,
    request: Request,
    { reason, ...wish }: Wish & { readonly reason: string },
  ): Promise<ActAnswer> =>
    once.run(staff, request, { reason }, async (origin) =>
      asked(await approvals.ask(origin, undefined, wish)),
    )
  return {
    /** Other features carry out what they ask for. */
    carriers,
    /** And read what their requests without an order are about. */
    subjects,
    /** What is too long for the transaction of its approval is finished after it, in pieces that may be repeated. */
    finishers,
    /**
     * Inside a transaction: another feature moves money, or asks for it; see `carriers`. Returns the number of the approval;
     * undefined where it was done. @throws as `move` and Failure TOO_MANY_CALLS
     */
    async moveFor(
      staff: Staff,
      { reason, ...movement }: Movement & { readonly reason: string },
    ): Promise<number | undefined> {
      const origin = { actor: staff.name, staff, at: deps.clock.now(), reason }
      return (await money.move(staff, origin, movement)).answer.approval?.approvalId
    },
    /** `approvals.ask` about what has no order, once under the key of the request; see `carriers` and `subjects`. */
    askWithoutOrder,
    /** The request about a subject without an order that waits for another person. */
    findAsked: (act: ApprovalAct, about: string) => deps.store.findWaiting({ order_id: null, act, about }),
    approvals,
    acts,
    /** Sessions of all pilgrims and agents, after another person's approval. @throws Failure REAUTHENTICATION_REQUIRED */
    async endAllSessions(staff: Staff, request: Request, reason: string): Promise<ActAnswer> {
      if (!deps.isRecent(staff)) throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
      return askWithoutOrder(staff, request, { act: 'end-sessions', about: '', halalas: 0, reason })
    },
    ...createPlainActs(deps, { acts, once }),
    cancel: money.cancel,
    refund: money.refund,
    writeOff: money.writeOff,
    reissue: money.reissue,
    ...createReceiverAct(deps, { acts, once, approvals }),
    ...createDecisions(deps, { acts, once, approvals }),
    readAlone: createAlone(deps, acts),
    /** Inside the transaction that deletes an account: what waits for approval holds no names of it any more. */
    erasePayloads: deps.store.erasePayloads,
    /** And no number that its owner was to get. */
    eraseNumber: deps.store.eraseNumber,
    listNotes: deps.store.listNotes,
  }
}

type Once = ReturnType<typeof createOnce>
type Finishers = Map<ApprovalAct, (approvedAt: number) => Promise<unknown>>

/** What a request to end all sessions is about. */
const ofEveryone: SubjectReader = {
  read: async (rows) =>
    rows.map(() => ({ state: '', checks: [{ kind: 'everyone', tone: 'note', data: {} }] }) as const),
}
type Approvals = ReturnType<typeof createApprovals>

/** An act after which nothing is called. */
async function quietly(act: Promise<unknown>): Promise<undefined> {
  await act
}

/** The order that an approval of such an act always has. */
function orderIdOf({ id, act, order_id: orderId }: ApprovalRow): number {
  if (orderId === null) throw new Error(`approval ${id} of ${act} has no order`)
  return orderId
}

/** What is approved is carried out here; a compensation by the feature that asked for it. */
function carriersOf(
  { receivers, cancellations, orders }: DeskActionsDeps,
  acts: Acts,
): readonly (readonly [ApprovalAct, Carrier])[] {
  /** The airway bill may have been asked for since, or be asked for at this moment. */
  async function changeReceiver(acting: Acting, orderId: number, change: ReceiverChange): Promise<boolean> {
    if (!isPrinted(await orders.findBookings([orderId]))) {
      const isChanged = await receivers
        .changeReceiverWithin(acting, orderId, change)
        .then(() => true)
        .catch((error: unknown) => {
          if (isFailure(error, 'RECEIVER_PRINTED')) return false
          throw error
        })
      if (isChanged) return true
    }
    return receivers.changePrintedReceiver(acting, orderId, change)
  }

  return [
    [
      'cancel',
      async (row, origin) => {
        const { user_id: userId, id } = await acts.find(orderIdOf(row))
        const cancelling = { ...actingOf(origin), isApproved: true }
        const tell = await cancellations.cancelWithin(userId, id, cancelling).catch(withoutOwner)
        if (tell === undefined) throw notPossible('ended')
        return tell
      },
    ],
    ['refund', (row, origin) => quietly(acts.orderRefund(origin, orderIdOf(row), row.about))],
    ['write-off', (row, origin) => quietly(acts.writeOff(origin, orderIdOf(row), row.about))],
    ['reissue', (row, origin) => quietly(acts.permit(origin, orderIdOf(row)))],
    [
      'receiver',
      async (row, origin) => {
        const { payload } = row
        if (payload === null) throw notPossible('ownerDeleted')
        const change = JSON.parse(payload) as ReceiverChange
        const isChanged = await changeReceiver(actingOf(origin), orderIdOf(row), change).catch(withoutOwner)
        if (!isChanged) throw notPossible('atBranch')
        return undefined
      },
    ],
  ]
}

/** An act about an order, by the kind of its event. */
interface ActOfOrder {
  readonly orderId: number
  readonly kind: EventKind & keyof typeof auditActionNames
}

/** That a colleague has done it since `since`; undefined where none has, or the person. */
async function actedLately(
  core: Pick<Core, 'database'>,
  { issuer, subject }: Staff,
  { orderId, kind }: ActOfOrder,
  since: number,
) {
  const last = await findLastAct(core, { orderId }, [kind])
  if (last === undefined || last.at <= since) return undefined
  const isOwn = last.by.kind === 'staff' && last.by.issuer === issuer && last.by.subject === subject
  return isOwn
    ? undefined
    : failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore(kind, last.by.name, last.at))
}

/** In its work list. */
interface ApprovalKey {
  readonly kind: 'approvals'
  readonly reference: string
}

/** Requests of staff, each carried out once under its key. */
function createOnce(deps: DeskActionsDeps, finishers: Finishers) {
  const { audit, work, clock, wake } = deps

  /** What is not possible any more because a colleague has just done it: then who, what and when. */
  async function explained(error: unknown, staff: Staff, about: ActOfOrder) {
    if (!isFailure(error, 'ACTION_NOT_POSSIBLE')) return error
    return (await actedLately(deps, staff, about, clock.now() - atOnceMs)) ?? error
  }

  return {
    /**
     * Carries a request out in one transaction with its event and its key, whose repetition answers the same, also when a
     * colleague has the order meanwhile. `about`: the person takes the order in the work lists; `row`: a row of them.
     * @throws Failure IDEMPOTENCY_CONFLICT, WORK_TAKEN, ACTED_BEFORE, and what `perform` throws.
     */
    async run(
      staff: Staff,
      request: Request,
      { reason, about, row }: { reason: string | null; about?: ActOfOrder; row?: ApprovalKey },
      perform: (origin: ActionOrigin) => Promise<Outcome>,
    ): Promise<ActAnswer> {
      const origin = { actor: staff.name, staff, at: clock.now(), reason }
      const taken = about ?? row
      const { answer, changed, finish } = await audit
        .once(staff, request, {
          ...(taken && { before: () => work.act(staff, taken, request) }),
          perform: () => perform(origin),
        })
        .catch(async (error: unknown) => {
          throw about ? await explained(error, staff, about) : error
        })
      if (changed) throw overtaken(changed)
      if (finish) await finishers.get(finish.act)?.(finish.at)
      return answer
    },

    wakeFor: (worker: Parameters<typeof wake>[0]): Outcome => ({ answer: {}, after: () => wake(worker) }),
  }
}

/** What one person may do. */
function createPlainActs(deps: DeskActionsDeps, { acts, once }: { acts: Acts; once: Once }) {
  return {
    inquire: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, kind: 'inquired' } }, async (origin) => {
        await acts.inquire(origin, orderId)
        return once.wakeFor('inquiries')
      }),

    note: (staff: Staff, orderId: number, request: Request, text: string) =>
      once.run(staff, request, { reason: null }, async (origin) => {
        const { user_id: userId } = await acts.lock(orderId)
        const by = actorOf(origin)
        const data = { personal: { text } }
        await recordEvent(deps, { kind: 'note', orderId, userId, by, at: origin.at, data })
        return done
      }),

    checked: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, kind: 'bag-checked' } }, async (origin) => {
        await acts.seen(origin, orderId)
        return done
      }),

    /** @param message one alone */
    resend: (staff: Staff, orderId: number, request: Request, reason: string, message?: number) =>
      once.run(staff, request, { reason, about: { orderId, kind: 'message-asked' } }, async (origin) => {
        await acts.resend(origin, orderId, message)
        return once.wakeFor('messages')
      }),
  }
}

/** The session of the person at the desk is not over: the owner's account is. */
function withoutOwner(error: unknown): never {
  throw isFailure(error, 'NOT_SIGNED_IN') ? notPossible('ownerDeleted') : error
}

/** What of an order a person may do now without a second one. */
function createAlone({ store, orders, canWarn, clock, alone }: DeskActionsDeps, acts: Acts) {
  return async ({ issuer, subject, roles }: Staff, orderId: number) => {
    const ordered = await store.sumOrdered(issuer, subject, clock.now() - actionRules.aloneMs)
    const bookings = await orders.findBookings([orderId])
    const order = await acts.find(orderId)
    const left = leftAlone(roles, { ordered, alone })
    return {
      halalas: left,
      returnHalalas: Math.min(left, leftOfCapture(await acts.readLedger(order))),
      receiver: statusOf(order) !== 'PAID' && (await canWarn(order.user_id)),
      reissue: !isSecondReissue(bookings),
    }
  }
}

/** Money that a person wants to move about an order. */
export interface Movement {
  readonly orderId: number
  /** Read once the order is locked. @throws Failure where it is not possible */
  readonly wish: (order: ActedOrder) => Promise<Wish>
  /** Carries it out, where that takes no second person; returns what is called once it is committed. */
  readonly act: (wish: Wish, order: ActedOrder) => Promise<(() => void) | undefined>
}

/** What moves money, or an airway bill that was permitted before. */
function createMoneyActs(
  deps: DeskActionsDeps,
  { acts, once, approvals }: { acts: Acts; once: Once; approvals: Approvals },
) {
  const { store, orders, receivers, cancellations, wake, isRecent, alone } = deps

  async function mayMoveAlone(
    staff: Staff,
    order: ActedOrder,
    { act, halalas }: Wish,
    now: number,
  ): Promise<boolean> {
    const { issuer, subject, roles } = staff
    const ordered = await store.sumOrdered(issuer, subject, now - actionRules.aloneMs)
    // Without money a second person is about something else.
    if (halalas <= 0 || halalas > leftAlone(roles, { ordered, alone })) return false
    // By a write-off nothing leaves.
    return act === 'write-off' || halalas <= leftOfCapture(await acts.readLedger(order))
  }

  /** Inside a transaction that has locked the person. @throws Failure TOO_MANY_CALLS */
  async function assertNotTooOften(staff: Staff, now: number): Promise<void> {
    const limit = actionRules.moneyActs
    const times = await store.listAskedTimes(staff, moneyActs, {
      since: now - limit.windowMs,
      limit: limit.count,
    })
    const free = freeAt(limit, times, now)
    if (free > now) throw tooManyCalls(free - now)
  }

  /**
   * Does it, where the person may move so much alone; else asks for it.
   * @throws Failure REAUTHENTICATION_REQUIRED, TOO_MANY_CALLS, ACTED_BEFORE, and what `wish` and `act` throw
   */
  async function move(
    staff: Staff,
    origin: ActionOrigin,
    { orderId, wish, act }: Movement,
  ): Promise<Outcome> {
    // What a person moves alone is added up one after the other.
    await store.lockPerson(staff.issuer, staff.subject)
    const order = await acts.lock(orderId)
    const wanted = await wish(order)
    await assertNotTooOften(staff, origin.at)
    if (!(await mayMoveAlone(staff, order, wanted, origin.at)))
      return asked(await approvals.ask(origin, order, wanted))
    if (!isRecent(staff)) throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
    await approvals.countAlone(origin, order, wanted)
    const after = await act(wanted, order)
    return {
      answer: {},
      after() {
        after?.()
        wake('refunds')
      },
    }
  }

  /** Inside a transaction. @throws Failure as the owner's own cancellation */
  async function cancelWithin(
    origin: ActionOrigin,
    { id, user_id: userId }: ActedOrder,
    { isApproved }: { readonly isApproved: boolean },
  ): Promise<() => void> {
    const cancelling = { ...actingOf(origin), isApproved }
    const tell = await cancellations.cancelWithin(userId, id, cancelling).catch(withoutOwner)
    if (tell === undefined) throw notPossible('ended')
    return tell
  }

  async function cancelUnpaid(origin: ActionOrigin, order: ActedOrder): Promise<Outcome> {
    return { answer: {}, after: await cancelWithin(origin, order, { isApproved: false }) }
  }

  return {
    move,

    /** Money goes back for a paid order. @throws Failure as the owner's own cancellation, and as `move` */
    cancel: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, kind: 'order-cancelled' } }, async (origin) => {
        await store.lockPerson(staff.issuer, staff.subject)
        const found = await acts.lock(orderId)
        if (statusOf(found) !== 'PAID') return cancelUnpaid(origin, found)
        return move(staff, origin, {
          orderId,
          async wish(order) {
            receivers.assertCancellable(order)
            return { act: 'cancel', about: '', halalas: await acts.restOf(order) }
          },
          act: (_, order) => cancelWithin(origin, order, { isApproved: true }),
        })
      }),

    refund: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, kind: 'refund-ordered' } }, (origin) =>
        move(staff, origin, {
          orderId,
          wish: async (order) => acts.refundWish(order, await acts.refundable(order)),
          act: ({ about }) => quietly(acts.orderRefund(origin, orderId, about)),
        }),
      ),

    writeOff: (staff: Staff, orderId: number, request: Request, reason: string, transaction: string) =>
      once.run(staff, request, { reason, about: { orderId, kind: 'refund-written-off' } }, (origin) =>
        move(staff, origin, {
          orderId,
          wish: async () => {
            const { halalas } = await acts.findWriteOff(orderId, transaction, origin.at)
            return { act: 'write-off', about: transaction, halalas }
          },
          act: () => quietly(acts.writeOff(origin, orderId, transaction)),
        }),
      ),

    reissue: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, kind: 'label-permitted' } }, async (origin) => {
        const order = await acts.lock(orderId)
        if (isSecondReissue(await orders.findBookings([orderId])))
          return asked(await approvals.ask(origin, order, { act: 'reissue', about: '', halalas: 0 }))
        await acts.permit(origin, orderId)
        return once.wakeFor('shipments')
      }),
  }
}

/** Who collects the bags. */
function createReceiverAct(
  deps: DeskActionsDeps,
  { acts, once, approvals }: { acts: Acts; once: Once; approvals: Approvals },
) {
  const { receivers, orders } = deps

  return {
    /**
     * At once; after another person's approval where the order is paid or its owner gets no message.
     * @throws Failure RECEIVER_REFUSED
     */
    changeReceiver(
      staff: Staff,
      orderId: number,
      request: Request,
      { reason, over: _, ...change }: ReceiverBody,
    ) {
      const wanted = receivers.checkReceiver(change)
      return once.run(
        staff,
        request,
        { reason, about: { orderId, kind: 'receiver-changed' } },
        async (origin) => {
          const order = await acts.lock(orderId)
          const since = origin.at - actionRules.sameReceiverMs
          const another = await actedLately(deps, staff, { orderId, kind: 'receiver-changed' }, since)
          if (another) throw another
          const bookings = await orders.findBookings([orderId])
          if (!receivers.hasReceiver(order)) throw notPossible('ended')
          if (isArrived(bookings)) throw notPossible('atBranch')
          if (statusOf(order) !== 'PAID' && (await deps.canWarn(order.user_id))) {
            await receivers.changeReceiverWithin(actingOf(origin), orderId, wanted).catch(withoutOwner)
            return done
          }
          await receivers.lockOwner(order.user_id).catch(withoutOwner)
          const wish = { act: 'receiver', about: '', halalas: 0, payload: wanted } as const
          return asked(await approvals.ask(origin, order, wish))
        },
      )
    },
  }
}

/** What another person asked for. Who decides takes it in the work list. */
function createDecisions(
  deps: DeskActionsDeps,
  { acts, once, approvals }: { acts: Acts; once: Once; approvals: Approvals },
) {
  const { orders, audit, wake, isRecent } = deps
  const rowOf = (id: number): ApprovalKey => ({ kind: 'approvals', reference: String(id) })

  /** What the shipping partner is told by hand, by the person who approved: a look at names and phones. */
  async function tellPartner(
    by: Staff,
    { id, act, payload }: ApprovalRow,
    order: ActedOrder | undefined,
  ): Promise<string | undefined> {
    if (act !== 'receiver' || payload === null || order === undefined) return undefined
    const { id: orderId, user_id: userId } = order
    const bookings = await orders.findBookings([orderId])
    if (!isPrinted(bookings)) return undefined
    const about = `approval ${id}`
    const view = { kind: 'disclosed', orderId, userId, about, reason: 'partner' } as const
    await recordAct(deps, { ...view, by: staffActor(by) })
    const awbs = bookings.flatMap(({ awb }) => (awb === null ? [] : [awb]))
    return partnerText(awbs, JSON.parse(payload) as ReceiverChange)
  }

  return {
    listApprovals: (staff: Staff, language: LanguageCode, cursor?: number) =>
      approvals.list(staff, language, cursor),

    /** @throws Failure APPROVAL_NOT_FOUND, and as `reveal` of the audit */
    async revealApproval(by: Staff, id: number, why: Reveal): Promise<ChangedReceiver> {
      const about = `approval ${id}`
      const { orderId, userId, receiver } = await approvals.findHidden(id)
      if (orderId === null) await audit.reveal({ by, ...(userId !== undefined && { userId }), about }, why)
      else {
        const { user_id: ownerId } = await acts.find(orderId)
        await audit.reveal({ by, orderId, userId: ownerId, about }, why)
      }
      return receiver
    },

    /** @throws Failure REAUTHENTICATION_REQUIRED, WORK_TAKEN, and as `approvals.approve` */
    async approve(staff: Staff, id: number, request: Request): Promise<ActAnswer> {
      if (!isRecent(staff)) throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
      // Not stored with the answer, and so not in that of a repetition.
      let text: string | undefined
      const answer = await once.run(staff, request, { reason: null, row: rowOf(id) }, async (origin) => {
        const { changed, row, order, after } = await approvals.approve(staff, origin, id)
        if (changed) return { answer: {}, changed }
        text = await tellPartner(staff, row, order)
        return {
          answer: {},
          finish: { act: row.act, at: origin.at },
          after() {
            after?.()
            for (const worker of ['refunds', 'shipments'] as const) wake(worker)
          },
        }
      })
      return { ...answer, ...(text !== undefined && { partnerText: text }) }
    },

    /** @throws as `approvals.confirm` */
    confirm: (staff: Staff, id: number, request: Request): Promise<ActAnswer> =>
      once.run(staff, request, { reason: null }, async (origin) => {
        await approvals.confirm(staff, origin, id)
        return done
      }),

    /** @throws Failure WORK_TAKEN, and as `approvals.refuse` */
    refuse: (staff: Staff, id: number, request: Request, reason: string): Promise<ActAnswer> =>
      once.run(staff, request, { reason, row: rowOf(id) }, async (origin) => {
        await approvals.refuse(staff, origin, id)
        return done
      }),
  }
}

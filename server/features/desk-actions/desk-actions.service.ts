import type { ActionOrigin, AuditService } from '#server/features/audit/audit.service.ts'
import type { MessagesService } from '#server/features/messages/messages.service.ts'
import type { OrdersService } from '#server/features/orders/orders.service.ts'
import type { PaymentsService } from '#server/features/payments/payments.service.ts'
import type { ActWish, WorkService } from '#server/features/work/work.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Core } from '#server/platform/core.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { storedRoles } from '#server/platform/staff-roles.ts'
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
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { type ActedOrder, type Acts, type ActsDeps, createActs, notPossible } from './acts.service.ts'
import {
  type Carrier,
  createApprovals,
  overtaken,
  type SubjectReader,
  type Wish,
} from './approvals.service.ts'
import { partnerText } from './approvals.texts.ts'
import {
  actionRules,
  isArrived,
  isPrinted,
  isSecondReissue,
  leftAlone,
  type Overtaking,
} from './desk-actions.rules.ts'
import type { ApprovalRow } from './desk-actions.store.ts'

export interface DeskActionsDeps extends Omit<ActsDeps, 'audit'>, Pick<Core, 'wake'> {
  readonly audit: Pick<
    AuditService,
    'auditedWithin' | 'countOfUser' | 'findLast' | 'once' | 'record' | 'reveal'
  >
  readonly receivers: Pick<
    OrdersService,
    'hasReceiver' | 'lockOwner' | 'checkReceiver' | 'changeReceiverWithin' | 'changePrintedReceiver'
  >
  readonly cancellations: Pick<PaymentsService, 'cancelWithin'>
  readonly work: Pick<WorkService, 'act'>
  readonly clock: Clock
  /** Whether a person has proven who they are recently enough for money to move. */
  readonly isRecent: (staff: Staff) => boolean
  /** Whether the owner gets a message about another receiver, by SMS or by letter. */
  readonly canWarn: MessagesService['canWarn']
  /** DESK_REFUND_ALONE in halalas. */
  readonly alone: number
}

export type Request = StaffRequest & ActWish

interface Outcome {
  readonly answer: ActAnswer
  /** Of an approval that was overtaken, which is stored. */
  readonly changed?: Overtaking | undefined
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
  const subjects = new Map<ApprovalAct, SubjectReader>()
  const approvals = createApprovals({ ...deps, acts, carriers, subjects })
  const once = createOnce(deps)
  return {
    /** Other features carry out what they ask for. */
    carriers,
    /** And read what their requests without an order are about. */
    subjects,
    /** Inside a transaction: what another feature asks for; see `carriers`. @throws Failure ORDER_NOT_FOUND, ACTED_BEFORE */
    async ask(
      { name, ...staff }: Pick<Staff, 'name' | 'issuer' | 'subject' | 'roles'>,
      { orderId, reason, ...wish }: Wish & { readonly orderId: number; readonly reason: string },
    ): Promise<number> {
      const origin = { actor: name, staff, at: deps.clock.now(), reason }
      return approvals.ask(origin, await acts.lock(orderId), wish)
    },
    /** `approvals.ask` about what has no order, once under the key of the request; see `carriers` and `subjects`. */
    askWithoutOrder: (
      staff: Staff,
      request: Request,
      { reason, ...wish }: Wish & { readonly reason: string },
    ) =>
      once.run(staff, request, { reason }, async (origin) =>
        asked(await approvals.ask(origin, undefined, wish)),
      ),
    approvals,
    acts,
    ...createPlainActs(deps, { acts, once }),
    ...createMoneyActs(deps, { acts, once, approvals }),
    ...createReceiverAct(deps, { acts, once, approvals }),
    ...createDecisions(deps, { acts, once, approvals }),
    readAlone: createAlone(deps),
    /** Inside the transaction that deletes an account: what waits for approval holds no names of it any more. */
    erasePayloads: deps.store.erasePayloads,
    /** And nothing stays of what staff wrote about its orders. */
    eraseNotes: deps.store.eraseNotes,
    listNotes: deps.store.listNotes,
  }
}

type Once = ReturnType<typeof createOnce>
type Approvals = ReturnType<typeof createApprovals>

/** The order that an approval of such an act always has. */
function orderIdOf({ id, act, order_id: orderId }: ApprovalRow): number {
  if (orderId === null) throw new Error(`approval ${id} of ${act} has no order`)
  return orderId
}

/** What is approved is carried out here; a compensation by the feature that asked for it. */
function carriersOf(
  { receivers }: DeskActionsDeps,
  acts: Acts,
): readonly (readonly [ApprovalAct, Carrier])[] {
  return [
    ['refund', ({ about }, now) => acts.orderRefund(about, now)],
    ['write-off', ({ about }, now) => acts.writeOff(about, now)],
    ['reissue', async (row) => void (await acts.permit(orderIdOf(row)))],
    [
      'receiver',
      async (row) => {
        const { payload } = row
        if (payload === null) throw notPossible('ownerDeleted')
        const change = JSON.parse(payload) as ReceiverChange
        const isChanged = await receivers.changePrintedReceiver(orderIdOf(row), change).catch(withoutOwner)
        if (!isChanged) throw notPossible('atBranch')
      },
    ],
  ]
}

interface ActOfOrder {
  readonly orderId: number
  readonly action: keyof typeof auditActionNames
}

/** That a colleague has done it since, alone or by approving it; undefined where none has, or the person. */
async function actedLately(
  audit: Pick<AuditService, 'findLast'>,
  { issuer, subject }: Staff,
  { orderId, action }: ActOfOrder,
  since: number,
) {
  const last = await audit.findLast(orderId, [action, `${action}-approved`])
  if (last === undefined || last.at <= since) return undefined
  const isOwn = last.actor_issuer === issuer && last.actor_subject === subject
  return isOwn
    ? undefined
    : failure(deskActionsErrors, 'ACTED_BEFORE', actedBefore(action, last.actor, last.at))
}

/** In its work list. */
interface ApprovalKey {
  readonly kind: 'approvals'
  readonly reference: string
}

/** Requests of staff, each carried out once under its key. */
function createOnce({ audit, work, clock, wake }: DeskActionsDeps) {
  /** What is not possible any more because a colleague has just done it: then who, what and when. */
  async function explained(error: unknown, staff: Staff, about: ActOfOrder) {
    if (!isFailure(error, 'ACTION_NOT_POSSIBLE')) return error
    return (await actedLately(audit, staff, about, clock.now() - atOnceMs)) ?? error
  }

  return {
    /**
     * Carries a request out in one transaction with its audit row and its key, whose repetition answers the same, also when a
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
      const { answer, changed } = await audit
        .once(staff, request, {
          ...(taken && { before: () => work.act(staff, taken, request) }),
          perform: () => perform(origin),
        })
        .catch(async (error: unknown) => {
          throw about ? await explained(error, staff, about) : error
        })
      if (changed) throw overtaken(changed)
      return answer
    },

    wakeFor: (worker: Parameters<typeof wake>[0]): Outcome => ({ answer: {}, after: () => wake(worker) }),
  }
}

/** What one person may do. */
function createPlainActs(deps: DeskActionsDeps, { acts, once }: { acts: Acts; once: Once }) {
  const { store, cancellations } = deps
  return {
    inquire: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, action: 'inquire' } }, async (origin) => {
        await acts.inquire(origin, orderId)
        return once.wakeFor('inquiries')
      }),

    note: (staff: Staff, orderId: number, request: Request, text: string) =>
      once.run(staff, request, { reason: null }, async (origin) => {
        const { issuer, subject, name } = staff
        const roles = storedRoles(staff.roles)
        await acts.doing(origin, { action: 'note', orderId }, () =>
          store.addNote({ order_id: orderId, at: origin.at, issuer, subject, name, roles, text }),
        )
        return done
      }),

    checked: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, action: 'seen' } }, async (origin) => {
        await acts.seen(origin, orderId)
        return done
      }),

    /** @param message one alone */
    resend: (staff: Staff, orderId: number, request: Request, reason: string, message?: number) =>
      once.run(staff, request, { reason, about: { orderId, action: 'resend' } }, async (origin) => {
        await acts.resend(origin, orderId, message)
        return once.wakeFor('messages')
      }),

    /** @throws Failure as the owner's own cancellation */
    cancel: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, action: 'cancel' } }, (origin) =>
        acts.doing(origin, { action: 'cancel', orderId }, async ({ user_id: userId }) => {
          const tell = await cancellations.cancelWithin(userId, orderId).catch(withoutOwner)
          if (tell === undefined) throw notPossible('ended')
          return { answer: {}, after: tell }
        }),
      ),
  }
}

/** The session of the person at the desk is not over: the owner's account is. */
function withoutOwner(error: unknown): never {
  throw isFailure(error, 'NOT_SIGNED_IN') ? notPossible('ownerDeleted') : error
}

/** What of an order a person may do now without a second one. */
function createAlone({ store, orders, canWarn, clock, alone }: DeskActionsDeps) {
  return async ({ issuer, subject, roles }: Staff, orderId: number) => {
    const ordered = await store.sumOrdered(issuer, subject, clock.now() - actionRules.aloneMs)
    const bookings = await orders.findBookings([orderId])
    const owner = (await orders.findOrder(orderId))?.user_id
    return {
      halalas: leftAlone(roles, { ordered, alone }),
      receiver: !isPrinted(bookings) && owner !== undefined && (await canWarn(owner)),
      reissue: !isSecondReissue(bookings),
    }
  }
}

/** What moves money, or an airway bill that was permitted before. */
function createMoneyActs(
  deps: DeskActionsDeps,
  { acts, once, approvals }: { acts: Acts; once: Once; approvals: Approvals },
) {
  const { store, orders, isRecent, alone } = deps

  async function isAlone(staff: Staff, halalas: number, now: number): Promise<boolean> {
    const { issuer, subject, roles } = staff
    const ordered = await store.sumOrdered(issuer, subject, now - actionRules.aloneMs)
    // Without money a second person is about something else.
    return halalas > 0 && halalas <= leftAlone(roles, { ordered, alone })
  }

  /** Does it, where the person may move so much alone; else asks for it. @throws Failure REAUTHENTICATION_REQUIRED */
  async function move(
    staff: Staff,
    origin: ActionOrigin,
    {
      orderId,
      wish,
      act,
    }: {
      orderId: number
      wish: (order: ActedOrder) => Promise<Wish>
      act: (wish: Wish) => Promise<void>
    },
  ): Promise<Outcome> {
    // What a person moves alone is added up one after the other.
    await store.lockPerson(staff.issuer, staff.subject)
    const order = await acts.lock(orderId)
    const wanted = await wish(order)
    if (!(await isAlone(staff, wanted.halalas, origin.at)))
      return asked(await approvals.ask(origin, order, wanted))
    if (!isRecent(staff)) throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
    await acts.doingLocked(origin, { action: wanted.act, order }, async () => {
      await approvals.countAlone(origin, order, wanted)
      await act(wanted)
    })
    return once.wakeFor('refunds')
  }

  return {
    refund: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, action: 'refund' } }, (origin) =>
        move(staff, origin, {
          orderId,
          wish: async (order) => acts.refundWish(order, await acts.refundable(order)),
          act: ({ about }) => acts.orderRefund(about, origin.at),
        }),
      ),

    writeOff: (staff: Staff, orderId: number, request: Request, reason: string, transaction: string) =>
      once.run(staff, request, { reason, about: { orderId, action: 'write-off' } }, (origin) =>
        move(staff, origin, {
          orderId,
          wish: async () => {
            const { halalas } = await acts.findWriteOff(orderId, transaction, origin.at)
            return { act: 'write-off', about: transaction, halalas }
          },
          act: () => acts.writeOff(transaction, origin.at),
        }),
      ),

    reissue: (staff: Staff, orderId: number, request: Request, reason: string) =>
      once.run(staff, request, { reason, about: { orderId, action: 'reissue' } }, async (origin) => {
        const order = await acts.lock(orderId)
        if (isSecondReissue(await orders.findBookings([orderId])))
          return asked(await approvals.ask(origin, order, { act: 'reissue', about: '', halalas: 0 }))
        await acts.doingLocked(origin, { action: 'reissue', order }, () => acts.permit(orderId))
        return once.wakeFor('shipments')
      }),
  }
}

/** Who collects the bags. */
function createReceiverAct(
  deps: DeskActionsDeps,
  { acts, once, approvals }: { acts: Acts; once: Once; approvals: Approvals },
) {
  const { receivers, orders, audit } = deps

  return {
    /** At once; after another person's approval where an airway bill may be printed or the owner gets no message. @throws Failure RECEIVER_REFUSED */
    changeReceiver(
      staff: Staff,
      orderId: number,
      request: Request,
      { reason, over: _, ...change }: ReceiverBody,
    ) {
      const wanted = receivers.checkReceiver(change)
      return once.run(staff, request, { reason, about: { orderId, action: 'receiver' } }, async (origin) => {
        const order = await acts.lock(orderId)
        const since = origin.at - actionRules.sameReceiverMs
        const another = await actedLately(audit, staff, { orderId, action: 'receiver' }, since)
        if (another) throw another
        const bookings = await orders.findBookings([orderId])
        if (!receivers.hasReceiver(order.status)) throw notPossible('ended')
        if (isArrived(bookings)) throw notPossible('atBranch')
        if (!isPrinted(bookings) && (await deps.canWarn(order.user_id))) {
          await acts.doingLocked(origin, { action: 'receiver', order }, () =>
            receivers.changeReceiverWithin(orderId, wanted).catch(withoutOwner),
          )
          return done
        }
        await receivers.lockOwner(order.user_id).catch(withoutOwner)
        const wish = { act: 'receiver', about: '', halalas: 0, payload: wanted } as const
        return asked(await approvals.ask(origin, order, wish))
      })
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
    const about = `approval ${id}`
    await audit.record({ by, action: 'reveal', orderId, userId, about, reason: 'partner' })
    const bookings = await orders.findBookings([orderId])
    const awbs = bookings.flatMap(({ awb }) => (awb === null ? [] : [awb]))
    return partnerText(awbs, JSON.parse(payload) as ReceiverChange)
  }

  return {
    listApprovals: (staff: Staff, language: LanguageCode, cursor?: number) =>
      approvals.list(staff, language, cursor),

    /** @throws Failure APPROVAL_NOT_FOUND, and as `reveal` of the audit */
    async revealApproval(by: Staff, id: number, why: Reveal): Promise<ChangedReceiver> {
      const { orderId, receiver } = await approvals.findReceiver(id)
      const { user_id: userId } = await acts.find(orderId)
      await audit.reveal({ by, orderId, userId, about: `approval ${id}` }, why)
      return receiver
    },

    /** @throws Failure REAUTHENTICATION_REQUIRED, WORK_TAKEN, and as `approvals.approve` */
    async approve(staff: Staff, id: number, request: Request): Promise<ActAnswer> {
      if (!isRecent(staff)) throw failure(deskActionsErrors, 'REAUTHENTICATION_REQUIRED')
      // Not stored with the answer, and so not in that of a repetition.
      let text: string | undefined
      const answer = await once.run(staff, request, { reason: null, row: rowOf(id) }, async (origin) => {
        const { changed, row, order } = await approvals.approve(staff, origin, id)
        if (changed) return { answer: {}, changed }
        text = await tellPartner(staff, row, order)
        const after = () => {
          for (const worker of ['refunds', 'shipments'] as const) wake(worker)
        }
        return { answer: {}, after }
      })
      return { ...answer, ...(text !== undefined && { partnerText: text }) }
    },

    /** @throws Failure WORK_TAKEN, and as `approvals.refuse` */
    refuse: (staff: Staff, id: number, request: Request, reason: string): Promise<ActAnswer> =>
      once.run(staff, request, { reason, row: rowOf(id) }, async (origin) => {
        await approvals.refuse(staff, origin, id)
        return done
      }),
  }
}

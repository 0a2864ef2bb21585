import type { Core } from '#server/core.ts'
import type { ActionOrigin } from '#server/features/audit/audit.service.ts'
import { personalReason, recordEvent } from '#server/features/history/history.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Failure, failure } from '#server/platform/errors.ts'
import { maskedName, maskedPhone } from '#server/platform/masks.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { rolesIn, storedRoles } from '#server/platform/staff-roles.ts'
import { actedBefore } from '#shared/desk-actions/acted-before.ts'
import { deskActionsErrors, overtakenBy } from '#shared/desk-actions/desk-actions.errors.ts'
import {
  type Approval,
  type ApprovalAct,
  type ChangedReceiver,
  rolesAtTerminal,
} from '#shared/desk-actions/desk-actions.schemas.ts'
import type { ReceiverChange } from '#shared/orders/receiver.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { type ActedOrder, type Acts, actorOf, type Decidable, notPossible } from './acts.service.ts'
import { checkText } from './approvals.texts.ts'
import {
  actionRules,
  type Check,
  dataOf,
  type Facts,
  factsWithoutOrder,
  type Overtaking,
  overtakingOf,
  subjectOf,
  userIdOf,
} from './desk-actions.rules.ts'
import type { ApprovalRow, DeskActionsStore, NewApproval } from './desk-actions.store.ts'

export interface Wish {
  readonly act: ApprovalAct
  /** The transaction of a refund, the number of a claim; else empty. */
  readonly about: string
  /** What it moves; 0 where no money moves. */
  readonly halalas: number
  /** What it needs beyond its order. */
  readonly payload?: unknown
}

/** Called once the transaction is committed. */
type After = () => void

/** Carries an approved wish out, inside the transaction of the approval. @throws Failure: then nothing is approved. */
export type Carrier = (row: ApprovalRow, origin: ActionOrigin) => Promise<After | undefined>

/** What is read of the subject of a request that has no order. */
export interface SubjectReading {
  /** As text: a request whose state has changed cannot be approved. */
  readonly state: string
  /** What the approver sees for and against it. */
  readonly checks: readonly Check[]
}

/** Reads what requests of an act without an order are about; rows have `about` and `payload`. */
export interface SubjectReader {
  /** Inside a transaction: locks what the request is about, so that its state stays the same until that ends. */
  readonly lock?: (row: SubjectRow) => Promise<void>
  /** In the order of the rows, in a bounded number of statements. */
  readonly read: (rows: readonly SubjectRow[]) => Promise<readonly SubjectReading[]>
}
type SubjectRow = Pick<ApprovalRow, 'about' | 'payload'>

/** A colleague in whose name a terminal asks. */
export interface TerminalRequest {
  /** The user of the machine. */
  readonly user: string
  readonly as: Pick<Staff, 'issuer' | 'subject' | 'name' | 'roles'>
}

interface ApprovalsDeps extends Pick<Core, 'database'> {
  readonly store: DeskActionsStore
  readonly clock: Clock
  readonly acts: Acts
  readonly carriers: ReadonlyMap<ApprovalAct, Carrier>
  /** Of each act without an order. */
  readonly subjects: ReadonlyMap<ApprovalAct, SubjectReader>
}

/** Who asks: the identity that outlives the name. */
function askerOf({ actor, staff }: ActionOrigin, terminal: TerminalRequest | undefined) {
  const asker = terminal?.as ?? (staff && { ...staff, name: actor })
  if (!asker) throw new Error('an approval is asked for by a person who is known')
  return {
    asked_issuer: asker.issuer,
    asked_subject: asker.subject,
    asked_by: asker.name,
    asked_roles: storedRoles(asker.roles),
    terminal_user: terminal?.user ?? null,
  }
}

const isUnconfirmed = (row: ApprovalRow) => row.terminal_user !== null && row.confirmed_at === null

const isAsker = ({ issuer, subject }: Pick<Staff, 'issuer' | 'subject'>, row: ApprovalRow): boolean =>
  row.asked_issuer === issuer && row.asked_subject === subject

export const overtaken = (what: Overtaking): Failure =>
  failure(deskActionsErrors, 'OVERTAKEN', { values: { what: overtakenBy[what] } })

/** Of a compensation what its owner would read, until it is decided. */
const textIn = ({ act, payload }: ApprovalRow): string | undefined =>
  act === 'compensation' && payload !== null ? (JSON.parse(payload) as { text?: string }).text : undefined

const whole = (text: string) => text

/** The number of a request that has no order, masked. */
function numberOf(payload: string, phone = maskedPhone): ChangedReceiver {
  return { number: phone((JSON.parse(payload) as { phone: string }).phone) }
}

/** Whom a payload names, masked. */
function receiverIn(payload: string, { name = maskedName, phone = maskedPhone } = {}): ChangedReceiver {
  const { receiver, secondPhone } = JSON.parse(payload) as ReceiverChange
  const named = receiver && {
    name: name(receiver.name),
    phone: receiver.phone === undefined ? null : phone(receiver.phone),
  }
  return {
    ...(named !== undefined && { receiver: named }),
    ...(secondPhone !== undefined && { secondPhone: secondPhone && phone(secondPhone) }),
  }
}

/** What the approver reads of a request from a terminal. */
function terminalChecks(row: ApprovalRow): Check[] {
  if (row.terminal_user === null) return []
  const data = { who: row.asked_by, user: row.terminal_user }
  return isUnconfirmed(row)
    ? [{ kind: 'unconfirmed', tone: 'bad', data }]
    : [{ kind: 'confirmed', tone: 'note', data }]
}

/** What of a request is shown masked; null where nothing is. */
function hiddenIn({ act, payload }: ApprovalRow, { name = maskedName, phone = maskedPhone } = {}) {
  if (payload === null) return null
  if (act === 'number') return numberOf(payload, phone)
  return act === 'receiver' ? receiverIn(payload, { name, phone }) : null
}

/** Why a decision is not taken any more; undefined where it waits. */
function endOf(row: ApprovalRow, now: number): Failure | undefined {
  if (row.state === 'overtaken') return overtaken((row.decision ?? 'status') as Overtaking)
  if (row.state === 'approved' || row.state === 'refused')
    return failure(
      deskActionsErrors,
      'ACTED_BEFORE',
      actedBefore(row.state, row.decided_by ?? '', row.decided_at ?? 0),
    )
  if (row.state === 'expired' || row.expires_at <= now) return failure(deskActionsErrors, 'APPROVAL_EXPIRED')
  return row.state === 'waiting' ? undefined : failure(deskActionsErrors, 'APPROVAL_NOT_FOUND')
}

/** What one person asks for and another one decides. */
export function createApprovals(deps: ApprovalsDeps) {
  const { store, acts, carriers, subjects, clock } = deps

  function readerOf(act: ApprovalAct): SubjectReader {
    const reader = subjects.get(act)
    if (!reader) throw new Error(`no feature reads what an approval of ${act} is about`)
    return reader
  }

  /** Facts and checks of requests, by the id of the request, in a bounded number of statements. */
  async function readForDecision(rows: readonly ApprovalRow[]): Promise<Map<number, Decidable>> {
    const read = await acts.readForDecision(rows)
    const withoutOrder = rows.filter(({ order_id: orderId }) => orderId === null)
    for (const [act, own] of Map.groupBy(withoutOrder, (row) => row.act)) {
      const readings = await readerOf(act).read(own)
      for (const [index, { state, checks }] of readings.entries())
        read.set(own[index]?.id ?? 0, { facts: factsWithoutOrder(state), checks })
    }
    return read
  }

  async function lockSubject(row: ApprovalRow): Promise<ActedOrder | undefined> {
    if (row.order_id !== null) return acts.lock(row.order_id)
    await readerOf(row.act).lock?.(row)
    return undefined
  }

  async function readFacts(
    order: ActedOrder | undefined,
    row: Pick<ApprovalRow, 'act' | 'about' | 'payload'>,
  ): Promise<Facts> {
    if (order) return acts.readFacts(order, row)
    const [reading] = await readerOf(row.act).read([row])
    return factsWithoutOrder(reading?.state ?? '')
  }

  /** Inside a transaction that has locked the subject of a request: what each event of the request says. */
  const eventOf = (
    origin: ActionOrigin,
    {
      row,
      order,
    }: {
      readonly row: Pick<ApprovalRow, 'act' | 'about' | 'order_id'>
      readonly order: ActedOrder | undefined
    },
  ) => ({
    ...subjectOf(row, order),
    by: actorOf(origin),
    at: origin.at,
  })

  /** As it is stored: with the facts that it is asked on. */
  async function rowOf(
    origin: ActionOrigin,
    order: ActedOrder | undefined,
    { payload: given, ...wish }: Wish,
    {
      state,
      terminal,
    }: { readonly state: 'waiting' | 'alone'; readonly terminal?: TerminalRequest | undefined },
  ) {
    const payload = given === undefined ? null : JSON.stringify(given)
    return {
      ...wish,
      order_id: order?.id ?? null,
      payload,
      facts: JSON.stringify(await readFacts(order, { ...wish, payload })),
      reason: origin.reason ?? '',
      state,
      asked_at: origin.at,
      ...askerOf(origin, terminal),
      expires_at: origin.at + actionRules.approvalMs,
    } satisfies NewApproval
  }

  /** @throws Failure APPROVAL_NOT_FOUND */
  async function find(id: number): Promise<ApprovalRow> {
    const row = await store.findApproval(id)
    if (!row || row.state === 'alone') throw failure(deskActionsErrors, 'APPROVAL_NOT_FOUND')
    return row
  }

  /**
   * Who asked under a former identity provider has another name there now: it may be the person who would approve it.
   * @throws Failure ACTION_NOT_POSSIBLE
   */
  function assertKnownAsker(staff: Staff, { asked_issuer: issuer }: ApprovalRow): void {
    if (issuer !== staff.issuer) throw notPossible('otherProvider')
  }

  /** @throws Failure APPROVAL_UNCONFIRMED */
  function assertConfirmed(row: ApprovalRow): void {
    if (isUnconfirmed(row))
      throw failure(deskActionsErrors, 'APPROVAL_UNCONFIRMED', { values: { who: row.asked_by } })
  }

  /** Asked by another person, and still waiting. @throws Failure APPROVAL_NOT_FOUND, OWN_APPROVAL and what `endOf` tells. */
  async function findOpen(staff: Staff, id: number): Promise<ApprovalRow> {
    const row = await find(id)
    if (isAsker(staff, row)) throw failure(deskActionsErrors, 'OWN_APPROVAL')
    const end = endOf(row, clock.now())
    if (end) throw end
    return row
  }

  const decisionOf = ({ actor, staff, at }: ActionOrigin, decision: string | null) => ({
    decided_at: at,
    decided_issuer: staff?.issuer ?? null,
    decided_subject: staff?.subject ?? null,
    decided_by: actor,
    decided_roles: staff ? storedRoles(staff.roles) : null,
    decision,
  })

  /** Guarded: of two decisions one is stored. @throws Failure naming the other one. */
  async function decide(
    { row, order }: { readonly row: ApprovalRow; readonly order: ActedOrder | undefined },
    origin: ActionOrigin,
    {
      state,
      decision = null,
    }: { readonly state: 'approved' | 'refused' | 'overtaken'; readonly decision?: string | null },
  ): Promise<void> {
    if (!(await store.decideApproval(row.id, { state, ...decisionOf(origin, decision) })))
      throw endOf(await find(row.id), origin.at) ?? failure(deskActionsErrors, 'APPROVAL_NOT_FOUND')
    const data = { ...dataOf(row), outcome: state, personal: personalReason(origin.reason) }
    await recordEvent(deps, { ...eventOf(origin, { row, order }), kind: 'approval-decided', data })
  }

  function shown(
    row: ApprovalRow,
    { facts, checks }: Decidable,
    staff: Staff,
    language: LanguageCode,
  ): Approval {
    const changed = overtakingOf(JSON.parse(row.facts) as Facts, facts)
    return {
      approvalId: row.id,
      orderId: row.order_id,
      act: row.act,
      about: row.about || null,
      amountHalalas: row.halalas,
      reason: textIn(row) ?? row.reason,
      askedBy: row.asked_by,
      askedRoles: rolesIn(row.asked_roles),
      askedAt: isoOf(row.asked_at),
      expiresAt: isoOf(row.expires_at),
      isMine: isAsker(staff, row),
      terminal:
        row.terminal_user === null
          ? null
          : { user: row.terminal_user, isConfirmed: row.confirmed_at !== null },
      changed: changed === undefined ? null : overtakenBy[changed][language],
      checks: [...terminalChecks(row), ...checks].map((check) => ({
        tone: check.tone,
        text: checkText(check, language),
      })),
      receiver: hiddenIn(row),
    }
  }

  return {
    /**
     * Inside a transaction that has locked the order, or what the request is about where it has none: it waits for another
     * person from now on. Returns its number. @throws Failure ACTED_BEFORE where it waits already
     */
    async ask(
      origin: ActionOrigin,
      order: ActedOrder | undefined,
      wish: Wish,
      terminal?: TerminalRequest,
    ): Promise<number> {
      const row = await rowOf(origin, order, wish, { state: 'waiting', terminal })
      await store.expireApprovals(row.order_id, wish.act, origin.at)
      const id = await store.addApproval(row)
      if (id === undefined) {
        const earlier = await store.findWaiting(row)
        throw failure(
          deskActionsErrors,
          'ACTED_BEFORE',
          actedBefore('asked', earlier?.asked_by ?? '', earlier?.asked_at ?? origin.at),
        )
      }
      const data = { ...dataOf({ ...row, id }), personal: personalReason(origin.reason) }
      await recordEvent(deps, { ...eventOf(origin, { row, order }), kind: 'approval-requested', data })
      return id
    },

    /** Inside a transaction that has locked the order: it is done without another person, and counts. */
    async countAlone(origin: ActionOrigin, order: ActedOrder, wish: Wish): Promise<void> {
      const row = await rowOf(origin, order, wish, { state: 'alone' })
      await store.addApproval({ ...row, ...decisionOf(origin, null) })
    },

    /**
     * Inside a transaction: what another person asked for is carried out, or ended because its facts have changed, which is
     * returned. @throws Failure APPROVAL_NOT_FOUND, OWN_APPROVAL, APPROVAL_EXPIRED, OVERTAKEN, ACTED_BEFORE, ACTION_NOT_POSSIBLE
     */
    async approve(staff: Staff, origin: Omit<ActionOrigin, 'reason'>, id: number) {
      const asked = await findOpen(staff, id)
      assertKnownAsker(staff, asked)
      assertConfirmed(asked)
      // It counts for who asked; in the order in which that person's own acts lock.
      await store.lockPerson(asked.asked_issuer, asked.asked_subject)
      const order = await lockSubject(asked)
      // Again: another decision may have been taken while this one waited.
      const row = await findOpen(staff, id)
      const { act, reason } = row
      const changed = overtakingOf(JSON.parse(row.facts) as Facts, await readFacts(order, row))
      const named = { ...origin, reason }
      const state = changed ? 'overtaken' : 'approved'
      await decide({ row, order }, named, { state, decision: changed ?? null })
      const after = changed ? undefined : await carrierOf(act)(row, named)
      return { changed, row, order, after }
    },

    /**
     * Inside a transaction: the person in whose name a terminal asked confirms it.
     * @throws Failure APPROVAL_NOT_FOUND, APPROVAL_EXPIRED, ACTED_BEFORE, ACTION_NOT_POSSIBLE
     */
    async confirm(staff: Staff, origin: ActionOrigin, id: number): Promise<void> {
      const row = await find(id)
      if (!isAsker(staff, row) || row.terminal_user === null)
        throw failure(deskActionsErrors, 'APPROVAL_NOT_FOUND')
      const end = endOf(row, origin.at)
      if (end) throw end
      if (!rolesAtTerminal[row.act]?.some((role) => staff.roles.includes(role)))
        throw notPossible('otherRole')
      const order = await lockSubject(row)
      if (!(await store.confirmApproval(id, origin.at))) return
      const data = dataOf(row)
      await recordEvent(deps, { ...eventOf(origin, { row, order }), kind: 'approval-confirmed', data })
    },

    /** Inside a transaction. @throws as `approve` */
    async refuse(staff: Staff, origin: ActionOrigin, id: number): Promise<void> {
      const row = await findOpen(staff, id)
      const order = await lockSubject(row)
      await decide({ row, order }, origin, { state: 'refused', decision: origin.reason })
    },

    /** What waits, the oldest first. */
    async list(staff: Staff, language: LanguageCode, after?: number) {
      const { listed: limit } = actionRules
      const rows = await store.listWaiting(clock.now(), { after, limit })
      const read = await readForDecision(rows)
      const approvals = rows.flatMap((row) => {
        const decidable = read.get(row.id)
        return decidable ? [shown(row, decidable, staff, language)] : []
      })
      const last = rows.at(-1)
      return { approvals, nextCursor: rows.length === limit && last ? String(last.id) : null }
    },

    /** The receiver or the number that waits for another person, whole. @throws Failure APPROVAL_NOT_FOUND */
    async findHidden(id: number) {
      const row = await find(id)
      const waits = row.state === 'waiting' && row.expires_at > clock.now()
      const receiver = waits ? hiddenIn(row, { name: whole, phone: whole }) : null
      if (receiver === null) throw failure(deskActionsErrors, 'APPROVAL_NOT_FOUND')
      return { orderId: row.order_id, userId: userIdOf(row), receiver }
    },
  }

  function carrierOf(act: ApprovalAct): Carrier {
    const carrier = carriers.get(act)
    if (!carrier) throw new Error(`an approval of ${act} is carried out by no feature`)
    return carrier
  }
}

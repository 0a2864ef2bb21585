import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { freeAt, type Limit, longestMs, tooManyCalls } from '#server/platform/limits.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { rolesIn, storedRoles } from '#server/platform/staff-roles.ts'
import type { AuditFilter, AuditPage } from '#shared/audit/audit.operations.ts'
import type { OperatorActionExport, Reveal } from '#shared/audit/audit.schemas.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { deskOrdersErrors } from '#shared/desk-orders/desk-orders.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { ActRow, AuditStore } from './audit.store.ts'

const exportedAtMost = 1_000
const hour = 60 * 60_000
/** Looks at names and phones, of one person of the desk. */
const looksPerPerson: readonly Limit[] = [
  { count: 30, windowMs: hour },
  { count: 100, windowMs: 24 * hour },
]
const auditRowsAtOnce = 50
const numberOrNone = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** What a person of the desk did, or looked at. Phones and names in it are masked. */
export interface StaffAction {
  readonly by: Pick<Staff, 'issuer' | 'subject' | 'name' | 'roles'>
  readonly action: string
  readonly orderId?: number
  readonly userId?: number
  /** What it was about, where that has no number. */
  readonly about?: string
  readonly reason?: string
  /** Names and values of what changed. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

function rowOf(
  { by, action, orderId, userId, about, reason, before = {}, after = {} }: StaffAction,
  at: number,
) {
  return {
    at,
    actor: by.name,
    actor_issuer: by.issuer,
    actor_subject: by.subject,
    action,
    actor_roles: storedRoles(by.roles),
    order_id: orderId ?? null,
    user_id: userId ?? null,
    subject: about ?? null,
    reason: reason ?? null,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  }
}

export type AuditService = ReturnType<typeof createAudit>

/** Names and values that an action can change, as an audit row shows them. Nothing secret is among them. */
export type State = Readonly<Record<string, string | number | null>>

/** Who acts, when, and why. */
export interface ActionOrigin {
  readonly actor: string
  /** Of staff: the identity that outlives the name, and the roles in which they act. */
  readonly staff?: Pick<Staff, 'issuer' | 'subject' | 'roles'>
  /** Epoch milliseconds. */
  readonly at: number
  readonly reason: string | null
}

export interface ActionSubject {
  readonly action: string
  readonly orderId?: number
  /** Where it has no order: what it is about. */
  readonly subject?: string
  /** Whose it is; read inside the transaction. Absent where it is of no user. */
  readonly findUserId?: () => Promise<number | undefined>
  readonly readState: () => Promise<State>
}

interface AuditDeps {
  readonly store: AuditStore
  readonly database: Database
  readonly clock: Clock
}

/** Of what an act of staff has brought: done once it is committed, and not again for a repetition. */
interface Afterwards {
  readonly after?: () => void
}

function createOnce({ store, database, clock }: AuditDeps) {
  /** @throws Failure IDEMPOTENCY_CONFLICT */
  function storedOutcome<T>(earlier: ActRow | undefined, bodyHash: string): T {
    if (earlier?.body_hash !== bodyHash) throw failure(checkoutErrors, 'IDEMPOTENCY_CONFLICT')
    return JSON.parse(earlier.answer) as T
  }

  /**
   * Carries an act of staff out in one transaction with its key; its repetition has the same outcome, which is JSON.
   * `before`: outside of the transaction, and not for a repetition.
   * @throws Failure IDEMPOTENCY_CONFLICT, and what `before` and `perform` throw.
   */
  return async <T extends object>(
    { issuer, subject }: Pick<Staff, 'issuer' | 'subject'>,
    { key, body }: StaffRequest,
    {
      before,
      perform,
    }: { readonly before?: () => Promise<void>; readonly perform: () => Promise<T & Afterwards> },
  ): Promise<T> => {
    const act = { issuer, subject, key, body_hash: hashOf(JSON.stringify(body)), at: clock.now() }
    const earlier = await store.findAct(act)
    if (earlier) return storedOutcome(earlier, act.body_hash)
    await before?.()
    const outcome = await database.transaction(async (): Promise<T & Afterwards> => {
      // False where the same request is carried out at this moment.
      if (!(await store.beginAct(act))) return storedOutcome(await store.findAct(act), act.body_hash)
      const performed = await perform()
      await store.finishAct(act, JSON.stringify(performed))
      return performed
    })
    outcome.after?.()
    return outcome
  }
}

/** What operators did, which `npm run ops` writes, and what staff did or looked at. */
export function createAudit({ store, database, clock }: AuditDeps) {
  /** `audited` inside a transaction of its caller. */
  async function auditedWithin<T>(
    { actor, staff, at, reason }: ActionOrigin,
    { action, orderId, subject, findUserId, readState }: ActionSubject,
    act: () => Promise<T>,
  ): Promise<T> {
    database.assertTransaction()
    const id = await store.beginAction({
      at,
      actor,
      reason,
      action,
      order_id: orderId ?? null,
      user_id: null,
      actor_issuer: staff?.issuer ?? null,
      actor_subject: staff?.subject ?? null,
      actor_roles: staff ? storedRoles(staff.roles) : null,
      subject: subject ?? null,
    })
    const before = await readState()
    const result = await act()
    const after = await readState()
    const userId = (await findUserId?.()) ?? null
    await store.finishAction(id, { user_id: userId, ...changeOf(before, after) })
    return result
  }

  /** Undefined where a person may do this once more, or the milliseconds until then. It counts nothing. */
  async function findWait(action: StaffAction, limits: readonly Limit[]): Promise<number | undefined> {
    const now = clock.now()
    const most = Math.max(...limits.map(({ count }) => count))
    const times = await store.listTimes(rowOf(action, now), now - longestMs(limits), most)
    const earlier = times.toReversed()
    const free = Math.max(now, ...limits.map((limit) => freeAt(limit, earlier, now)))
    return free === now ? undefined : free - now
  }

  /**
   * Records a look, of which a person may take so many: undefined, or the milliseconds until the next one. One too many is
   * recorded as refused, and does not count. It is stored first and counted then: of several at once too many are refused,
   * never too few.
   */
  async function recordWithin(action: StaffAction, limits: readonly Limit[]): Promise<number | undefined> {
    const now = clock.now()
    const row = rowOf(action, now)
    const id = await store.addAction(row)
    const most = Math.max(...limits.map(({ count }) => count))
    const times = await store.listTimes(row, now - longestMs(limits), most + 1)
    const earlier = times.slice(1).reverse()
    const free = Math.max(now, ...limits.map((limit) => freeAt(limit, earlier, now)))
    if (free === now) return undefined
    await store.setAction(id, `${action.action}-refused`)
    return free - now
  }

  return {
    auditedWithin,
    once: createOnce({ store, database, clock }),

    /** Who last did one of these about an order, and when. */
    findLast: store.findLastOfOrder,

    /** The last time that it was done about a user. */
    findLastOfUser: store.findLastOfUser,

    /** How often this was done about what is of a user, after `since`. */
    countOfUser: store.countOfUser,

    /** A change is recorded in its own transaction; a look before it is answered. */
    async record(action: StaffAction): Promise<void> {
      await store.addAction(rowOf(action, clock.now()))
    },

    recordWithin,
    findWait,

    /**
     * A look at who people are, recorded with its reason before it is answered, also where it is one too many.
     * @throws Failure REASON_NEEDED, TOO_MANY_CALLS
     */
    async reveal(look: Omit<StaffAction, 'action' | 'reason'>, { reason, text }: Reveal): Promise<void> {
      if (text === undefined && reason === 'other') throw failure(deskOrdersErrors, 'REASON_NEEDED')
      const why = text === undefined ? reason : `${reason}: ${text}`
      const waitMs = await recordWithin({ ...look, action: 'reveal', reason: why }, looksPerPerson)
      if (waitMs !== undefined) throw tooManyCalls(waitMs)
    },

    /**
     * `recordWithin`, once in so much time for what it is about: what is open on a screen is read again and again, and is no
     * further look.
     */
    async recordOnce(
      action: StaffAction & { readonly orderId: number },
      withinMs: number,
      limits: readonly Limit[],
    ): Promise<number | undefined> {
      const now = clock.now()
      if (await store.hasAction(rowOf(action, now), now - withinMs)) return undefined
      return recordWithin(action, limits)
    },

    /** One page of the audit, the newest first. */
    async listForDesk(staff: Pick<Staff, 'issuer'>, query: AuditFilter): Promise<AuditPage> {
      const { cursor, person, order, user, action } = query
      const rows = await store.listBefore({
        before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor),
        issuer: staff.issuer,
        subject: person,
        action,
        limit: auditRowsAtOnce,
        orderId: numberOrNone(order),
        userId: numberOrNone(user),
      })
      const last = rows.at(-1)
      return {
        rows: rows.map((row) => ({
          number: row.id,
          at: isoOf(row.at),
          by: row.actor,
          person: row.actor_subject,
          roles: rolesIn(row.actor_roles),
          action: row.action,
          orderId: row.order_id,
          userId: row.user_id,
          about: row.subject,
          reason: row.reason,
          before: row.before,
          after: row.after,
        })),
        nextCursor: rows.length === auditRowsAtOnce && last ? String(last.id) : null,
        people: await store.listPeople(staff.issuer),
      }
    },

    /** The newest actions about a user and the user's orders. */
    async exportActions(userId: number): Promise<OperatorActionExport[]> {
      const rows = await store.listActionsOfUser(userId, exportedAtMost)
      return rows.map(({ at, action, order_id: orderId, reason }) => ({
        at: isoOf(at),
        action,
        orderId,
        reason,
      }))
    },

    /** Does an action and stores its audit row, in one transaction: both or neither. @throws what `act` throws. */
    audited: <T>(origin: ActionOrigin, subject: ActionSubject, act: () => Promise<T>): Promise<T> =>
      database.transaction(() => auditedWithin(origin, subject, act)),
  }
}

/** What differs, as JSON. */
function changeOf(before: State, after: State) {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  )
  const pick = (state: State) =>
    JSON.stringify(Object.fromEntries(changed.map((name) => [name, state[name] ?? null])))
  return { before: pick(before), after: pick(after) }
}

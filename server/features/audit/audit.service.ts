import { type Act, lockPerson, type Person, recordAct, staffActor } from '#server/features/history/acts.ts'
import type { viewKinds } from '#server/features/history/history.kinds.ts'
import { personalReason, recordEvent } from '#server/features/history/history.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { failure } from '#server/platform/errors.ts'
import { freeAt, type Limit, tooManyCalls } from '#server/platform/limits.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import type { AuditFilter, AuditPage } from '#shared/audit/audit.operations.ts'
import type { OperatorActionExport, Reveal } from '#shared/audit/audit.schemas.ts'
import { checkoutErrors } from '#shared/checkout/checkout.errors.ts'
import { deskOrdersErrors } from '#shared/desk-orders/desk-orders.errors.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { auditRowOf, isExported, reasonOf } from './audit.rules.ts'
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

/** What a person of the desk looks at. Phones and names in it are masked. */
interface View extends Omit<Act, 'by' | 'kind' | 'at' | 'bookingId'> {
  readonly by: Person
  readonly kind: (typeof viewKinds)[number]
}

export type AuditService = ReturnType<typeof createAudit>

/** Who acts, when, and why. */
export interface ActionOrigin {
  readonly actor: string
  /** Of staff: the identity that outlives the name, and the roles in which they act. */
  readonly staff?: Pick<Staff, 'issuer' | 'subject' | 'roles'>
  /** Epoch milliseconds. */
  readonly at: number
  readonly reason: string | null
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

/** What staff look at, which is limited, and what they and operators did. */
export function createAudit({ store, database, clock }: AuditDeps) {
  const core = { database }

  /** Undefined where a person may look once more, or the milliseconds until then. It counts nothing. */
  async function findWait(
    { by, kind }: Pick<View, 'by' | 'kind'>,
    limits: readonly Limit[],
  ): Promise<number | undefined> {
    const now = clock.now()
    const most = Math.max(...limits.map(({ count }) => count))
    const earlier = (await store.listTimes(by, kind, most)).toSorted((one, other) => one - other)
    const free = Math.max(now, ...limits.map((limit) => freeAt(limit, earlier, now)))
    return free === now ? undefined : free - now
  }

  async function addView(view: View, waitMs: number | undefined): Promise<void> {
    const { by: person, kind, about, reason, changed: _, ...ids } = view
    const by = staffActor(person)
    const at = clock.now()
    if (waitMs === undefined) await recordAct(core, { ...view, by, at })
    else {
      const data = { view: kind, about: about ?? null, personal: personalReason(reason) }
      await recordEvent(core, { ...ids, by, at, kind: 'view-refused', data })
    }
  }

  /**
   * Records a look, of which a person may take so many: undefined, or the milliseconds until the next one. One too many is
   * recorded as refused, and does not count. The looks of a person are counted one after the other.
   */
  const recordWithin = (view: View, limits: readonly Limit[]): Promise<number | undefined> =>
    database.transaction(async () => {
      await lockPerson(core, view.by)
      const waitMs = await findWait(view, limits)
      await addView(view, waitMs)
      return waitMs
    })

  return {
    once: createOnce({ store, database, clock }),

    /** Records a look that is counted elsewhere, as refused where there is a wait. */
    recordView: (view: View, waitMs: number | undefined): Promise<void> =>
      database.transaction(() => addView(view, waitMs)),

    recordWithin,
    findWait,

    /**
     * A look at who people are, recorded with its reason before it is answered, also where it is one too many.
     * @throws Failure REASON_NEEDED, TOO_MANY_CALLS
     */
    async reveal(view: Omit<View, 'kind' | 'reason'>, { reason, text }: Reveal): Promise<void> {
      if (text === undefined && reason === 'other') throw failure(deskOrdersErrors, 'REASON_NEEDED')
      const why = text === undefined ? reason : `${reason}: ${text}`
      const waitMs = await recordWithin({ ...view, kind: 'disclosed', reason: why }, looksPerPerson)
      if (waitMs !== undefined) throw tooManyCalls(waitMs)
    },

    /**
     * `recordWithin`, once in so much time for the order or claim: what is open on a screen is read again and again, and is no
     * further look.
     */
    async recordOnce(
      view: View & { readonly orderId: number },
      withinMs: number,
      limits: readonly Limit[],
    ): Promise<number | undefined> {
      if (await store.hasViewed(view, clock.now() - withinMs)) return undefined
      return recordWithin(view, limits)
    },

    /** One page of the audit, the newest first. */
    async listForDesk(staff: Pick<Staff, 'issuer'>, query: AuditFilter): Promise<AuditPage> {
      const { cursor, person, order, user, action } = query
      const events = await store.listActs({
        before: cursor === undefined ? undefined : Number(cursor),
        by: person === undefined ? undefined : { issuer: staff.issuer, subject: person },
        kind: action,
        orderId: numberOrNone(order),
        userId: numberOrNone(user),
        limit: auditRowsAtOnce,
      })
      const last = events.at(-1)
      return {
        rows: events.map(auditRowOf),
        nextCursor: events.length === auditRowsAtOnce && last ? String(last.id) : null,
        people: await store.listPeople(staff.issuer),
      }
    },

    /** The newest acts about a user and the user's orders. */
    async exportActions(userId: number): Promise<OperatorActionExport[]> {
      const events = await store.listActs({ userId, limit: exportedAtMost })
      return events.filter(isExported).map((event) => ({
        at: isoOf(event.at),
        action: event.kind,
        orderId: event.orderId ?? null,
        reason: reasonOf(event),
      }))
    },
  }
}

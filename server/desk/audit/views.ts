import type { Core } from '#server/core.ts'
import { type Act, lockPerson, type Person, recordAct, staffActor } from '#server/features/history/acts.ts'
import type { viewKinds } from '#server/features/history/history.kinds.ts'
import { personalReason, recordEvent } from '#server/features/history/history.ts'
import { failure } from '#server/platform/errors.ts'
import { freeAt, type Limit, tooManyCalls } from '#server/platform/limits.ts'
import type { Reveal } from '#shared/desk/audit/audit.schemas.ts'
import { deskOrdersErrors } from '#shared/desk/orders/desk-orders.errors.ts'
import { hasViewed, listTimes } from './audit.queries.ts'

const hour = 60 * 60_000
const disclosuresPerPerson: readonly Limit[] = [
  { count: 30, windowMs: hour },
  { count: 100, windowMs: 24 * hour },
]

interface View extends Omit<Act, 'by' | 'kind' | 'at' | 'bookingId'> {
  readonly by: Person
  readonly kind: (typeof viewKinds)[number]
}

export async function findWait(
  core: Core,
  { by, kind }: Pick<View, 'by' | 'kind'>,
  limits: readonly Limit[],
): Promise<number | undefined> {
  const now = core.clock.now()
  const most = Math.max(...limits.map(({ count }) => count))
  const earlier = (await listTimes(core, by, kind, most)).toSorted((one, other) => one - other)
  const free = Math.max(now, ...limits.map((limit) => freeAt(limit, earlier, now)))
  return free === now ? undefined : free - now
}

export const recordView = (core: Core, view: View, waitMs: number | undefined): Promise<void> =>
  core.database.transaction(() => recordViewOrRefusal(core, view, waitMs))

/**
 * A refused view is also recorded, but does not count for the limits.
 * @returns the milliseconds until the next view is allowed; undefined when this view is allowed
 */
export const recordViewWithin = (
  core: Core,
  view: View,
  limits: readonly Limit[],
): Promise<number | undefined> =>
  core.database.transaction(async () => {
    await lockPerson(core, view.by)
    const waitMs = await findWait(core, view, limits)
    await recordViewOrRefusal(core, view, waitMs)
    return waitMs
  })

/** Records a view once within `withinMs`, because an open page reads repeatedly. */
export async function recordViewOnce(
  core: Core,
  view: View & { readonly orderId: number },
  withinMs: number,
  limits: readonly Limit[],
): Promise<number | undefined> {
  if (await hasViewed(core, view, core.clock.now() - withinMs)) return undefined
  return recordViewWithin(core, view, limits)
}

/**
 * Records a disclosure of names and phones, or its refusal, before the response is sent.
 * @throws Failure REASON_NEEDED, TOO_MANY_CALLS
 */
export async function disclose(
  core: Core,
  view: Omit<View, 'kind' | 'reason'>,
  { reason, text }: Reveal,
): Promise<void> {
  if (text === undefined && reason === 'other') throw failure(deskOrdersErrors, 'REASON_NEEDED')
  const disclosure = {
    ...view,
    kind: 'disclosed',
    reason: text === undefined ? reason : `${reason}: ${text}`,
  } as const
  const waitMs = await recordViewWithin(core, disclosure, disclosuresPerPerson)
  if (waitMs !== undefined) throw tooManyCalls(waitMs)
}

async function recordViewOrRefusal(core: Core, view: View, waitMs: number | undefined) {
  const { by: person, kind, about, reason, changed: _, ...ids } = view
  const by = staffActor(person)
  const at = core.clock.now()
  if (waitMs === undefined) {
    await recordAct(core, { ...view, by, at })
    return
  }
  await recordEvent(core, {
    ...ids,
    by,
    at,
    kind: 'view-refused',
    data: {
      view: kind,
      about: about ?? null,
      personal: personalReason(reason),
    },
  })
}

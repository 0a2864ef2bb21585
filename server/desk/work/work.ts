import type { Core } from '#server/core.ts'
import { actOnce } from '#server/desk/audit/act-once.ts'
import {
  type Act,
  type Person as ActingPerson,
  recordAct,
  staffActor,
} from '#server/features/history/acts.ts'
import { failure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { durationInWords } from '#server/platform/waiting.ts'
import { workErrors } from '#shared/desk/work/work.errors.ts'
import { workStaleMs } from '#shared/desk/work/work.schemas.ts'
import {
  closeFinding,
  findTaken,
  giveRow,
  listPeople,
  markSeen,
  type Person,
  type RowKey,
  releaseAll,
  releaseRow,
  type TakenRow,
} from './work.queries.ts'
import { type Item, isOf, waitsFor } from './work.rules.ts'
import { numberIn, readItem, readItems } from './work-lists.ts'

/** `over` is the time at which a colleague took the row. Staff who act despite the warning send it. */
export interface ActWish {
  readonly over?: string | undefined
}

interface EndableRow extends RowKey {
  readonly kind: 'payments' | 'messages'
}

type Given = Pick<Item, 'kind' | 'reference' | 'orderId'>

interface Giving extends ActWish {
  readonly to?: Person & { readonly name: string }
  readonly note?: string | null
}

export async function takeRow(core: Core, staff: Staff, row: RowKey, options: ActWish): Promise<void> {
  await give(core, staff, [await findItem(core, staff, row)], options)
}

export async function releaseOwnRow(core: Core, staff: Staff, row: RowKey): Promise<void> {
  const before = await findTaken(core, row, core.clock.now())
  if (before && !isOf(staff, before)) throw rowIsTaken(core, before)
  await core.database.transaction(async () => {
    if (!(await releaseRow(core, row, staff))) return
    const item = { ...row, orderId: before?.order_id ?? null }
    await record(core, staff, 'work-released', item, { changed: { has: [staff.name, null] } })
  })
}

/** @throws Failure WORK_NOT_FOUND, WORK_TAKEN, COLLEAGUE_NOT_FOUND */
export async function handRow(
  core: Core,
  staff: Staff,
  row: RowKey,
  request: StaffRequest,
  { to, note }: { readonly to: string; readonly note: string },
): Promise<void> {
  await actOnce(core, staff, request, {
    async perform() {
      const item = await findItem(core, staff, row)
      const people = await listPeople(core, core.clock.now())
      const colleague = people.find(({ subject, issuer }) => subject === to && issuer === staff.issuer)
      if (!colleague || isOf(staff, colleague) || !waitsFor(colleague)(item))
        throw failure(workErrors, 'COLLEAGUE_NOT_FOUND')
      const { issuer, subject, name } = colleague
      await giveWithin(core, staff, item, { to: { issuer, subject, name }, note })
      return {}
    },
  })
}

/**
 * Takes all rows of an order or a claim in the work lists. @throws Failure WORK_TAKEN when a colleague has one of them,
 * without `over`
 */
export async function takeForAct(
  core: Core,
  staff: Staff,
  what: RowKey | { readonly orderId: number },
  options: ActWish = {},
): Promise<void> {
  const items = 'reference' in what ? [await readItem(core, what)] : await readItems(core, what)
  await give(core, staff, items.filter((item) => item !== undefined).filter(waitsFor(staff)), options)
}

/** @throws Failure WORK_NOT_FOUND, WORK_TAKEN */
export async function endRow(
  core: Core,
  staff: Staff,
  row: EndableRow,
  request: StaffRequest,
  reason: string,
): Promise<void> {
  await actOnce(core, staff, request, {
    async perform() {
      const item = await findItem(core, staff, row)
      await giveWithin(core, staff, item, {})
      if (!(await markEnded(core, row))) throw failure(workErrors, 'WORK_NOT_FOUND')
      await record(core, staff, 'work-settled', item, { reason })
      return {}
    },
  })
}

export async function freeWorkOf(core: Core, person: ActingPerson): Promise<void> {
  core.database.assertTransaction()
  for (const row of await releaseAll(core, person))
    await record(
      core,
      person,
      'work-released',
      { ...row, orderId: row.order_id },
      { changed: { has: [person.name, null] }, reason: 'the session ended' },
    )
}

function markEnded(core: Core, { kind, reference }: EndableRow) {
  const id = numberIn(reference)
  const now = core.clock.now()
  if (kind === 'messages') return markSeen(core, 'messages', id, now)
  return reference.startsWith('f') ? closeFinding(core, id, now) : markSeen(core, 'payment_events', id, now)
}

async function findItem(core: Core, staff: Staff, row: RowKey): Promise<Item> {
  const item = await readItem(core, row)
  if (!item || !waitsFor(staff)(item)) throw failure(workErrors, 'WORK_NOT_FOUND')
  return item
}

async function give(core: Core, staff: Staff, items: readonly Given[], giving: Giving) {
  if (items.length === 0) return
  await core.database.transaction(async () => {
    for (const item of items) await giveWithin(core, staff, item, giving)
  })
}

async function giveWithin(core: Core, staff: Staff, item: Given, { to = staff, note = null, over }: Giving) {
  const now = core.clock.now()
  const before = await findTaken(core, item, now)
  const row = {
    kind: item.kind,
    reference: item.reference,
    order_id: item.orderId,
    issuer: to.issuer,
    subject: to.subject,
    name: to.name,
    taken_at: now,
    moved_at: now,
    handed_by: note === null ? null : staff.name,
    note,
  }
  const isGiven = await giveRow(core, row, {
    by: staff,
    now,
    staleBefore: now - workStaleMs,
    over: instantIn(over),
  })
  if (!isGiven) throw rowIsTaken(core, await findTaken(core, item, now))
  if (before && isOf(to, before)) return
  await record(core, staff, note === null ? 'work-taken' : 'work-handed', item, {
    changed: { has: [before?.name ?? null, to.name] },
    reason: note,
  })
}

const record = (
  core: Core,
  by: ActingPerson,
  kind: 'work-taken' | 'work-handed' | 'work-released' | 'work-settled',
  { kind: list, reference, orderId }: Given,
  act: Pick<Act, 'changed' | 'reason'>,
) =>
  recordAct(core, {
    ...act,
    kind,
    by: staffActor(by),
    orderId: orderId ?? undefined,
    about: `${list} ${reference}`,
  })

const rowIsTaken = ({ clock }: Core, holder: TakenRow | undefined) =>
  failure(workErrors, 'WORK_TAKEN', {
    values: {
      who: holder?.name ?? '',
      time: durationInWords(clock.now() - (holder?.taken_at ?? clock.now())),
    },
  })

function instantIn(text: string | undefined) {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? null : at
}

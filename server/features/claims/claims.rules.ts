import type { ClaimEventKind } from '#server/features/history/history.kinds.ts'
import type { StoredClaimEvent } from '#server/features/history/history.ts'
import { answerDays, claimKinds } from '#shared/claims/claims.operations.ts'
import type { ClaimEvent, ClaimKind, ClaimOutcome } from '#shared/claims/claims.schemas.ts'
import { handedOverAt } from '#shared/orders/bag-times.rules.ts'
import type { Booking } from '#shared/orders/orders.schemas.ts'
import { isHandedOver } from '#shared/orders/travel-states.rules.ts'
import { riyadhOffsetMs, riyadhTimeOf } from '#shared/platform/instant.ts'
import { isLate } from '#shared/platform/promises.rules.ts'
import type { Promises } from '#shared/platform/promises.schemas.ts'

const hour = 60 * 60_000
const day = 24 * hour

export const claimRules = {
  answerDays,
  /** After a missed deadline, the next deadline is this many working days later. */
  lateDays: 1,
  /** From this time after the hand-over, an owner can report a bag as late or lost. */
  lateAfterMs: 72 * hour,
  /** An owner can report damage and missing contents until this long after the collection. */
  damageMs: 30 * day,
  /** The courier accepts complaints until this many days after the hand-over (docs/wires/shipping.md K7). */
  partnerDays: 30,
  partnerAnswerDays: 10,
  openings: { count: 6, windowMs: day },
  withdrawals: { count: 6, windowMs: day },
  writings: [{ count: 30, windowMs: hour }],
  leaseMs: 60_000,
} as const

const dayNumberOf = (at: number) => Math.floor((at + riyadhOffsetMs) / day)
const endOf = (dayNumber: number) => (dayNumber + 1) * day - riyadhOffsetMs

export const dayOfDeadline = (deadline: number): string => riyadhTimeOf(deadline - 1).slice(0, 10)

export function isWorkingDay(deadline: number, holidays: readonly string[]): boolean {
  const date = dayOfDeadline(deadline)
  return new Date(`${date}T00:00:00Z`).getUTCDay() <= 4 && !holidays.includes(date)
}

export function deadlineAfter(at: number, workingDays: number, holidays: readonly string[]): number {
  let left = workingDays
  for (let number = dayNumberOf(at) + 1; ; number += 1) {
    if (isWorkingDay(endOf(number), holidays)) left -= 1
    if (left <= 0) return endOf(number)
  }
}

export function offeredKinds(
  promises: Promises | undefined,
  bag: Pick<Booking, 'state' | 'events'>,
  now: number,
): ClaimKind[] {
  const { state, events } = bag
  if (!isHandedOver(state)) return []
  const collectedAt =
    state === 'COLLECTED' ? events.findLast(({ kind }) => kind === 'collected')?.at : undefined
  const isTooLate = collectedAt !== undefined && now - Date.parse(collectedAt) > claimRules.damageMs
  if (isTooLate) return ['other']
  if (events.some(({ kind }) => kind === 'exception' || kind === 'returning')) return [...claimKinds]
  if (state === 'AT_BRANCH' || state === 'COLLECTED') return ['damaged', 'missing', 'wrong-branch', 'other']
  const since = handedOverAt(bag)
  if (since === undefined) return ['other']
  // The order's promises can name an earlier day of arrival.
  const mayBeLate = now - since >= claimRules.lateAfterMs || isLate(promises ?? {}, since, now)
  return mayBeLate ? ['late', 'lost', 'other'] : ['other']
}

export const stepOf = (kind: ClaimEventKind): ClaimEvent => kind.slice('claim-'.length) as ClaimEvent

export const textOf = ({ data }: StoredClaimEvent): string =>
  'personal' in data ? (data.personal?.text ?? '') : ''

export const closingCompensation = (step: StoredClaimEvent | undefined) =>
  step?.kind !== 'claim-closed' || step.data.halalas === null
    ? null
    : { halalas: step.data.halalas, reference: step.data.personal?.reference ?? null }

export const compensationOf = (
  { outcome }: { readonly outcome: ClaimOutcome | null },
  steps: readonly StoredClaimEvent[],
) =>
  outcome === 'compensated'
    ? closingCompensation(steps.findLast(({ kind }) => kind === 'claim-closed'))
    : null

export function partnerDeadlines(handedOver: number | undefined, complainedAt: number | null) {
  return {
    partnerBy: handedOver === undefined ? undefined : handedOver + claimRules.partnerDays * day,
    partnerAnswerBy: complainedAt === null ? undefined : complainedAt + claimRules.partnerAnswerDays * day,
  }
}

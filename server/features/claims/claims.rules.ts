import type { ClaimEventKind } from '#server/features/history/history.kinds.ts'
import type { StoredClaimEvent } from '#server/features/history/history.ts'
import {
  answerDays,
  type ClaimEvent,
  type ClaimKind,
  type ClaimOutcome,
  claimKinds,
} from '#shared/claims/claims.schemas.ts'
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
  /** After a day that passed without an answer. */
  lateDays: 1,
  /** A bag that no branch has is late, or lost, so long after its hand-over. */
  lateAfterMs: 72 * hour,
  /** What is wrong with a bag is reported until so long after its collection. */
  damageMs: 30 * day,
  /** The courier takes complaints so long after the hand-over (docs/wires/shipping.md K7). */
  partnerDays: 30,
  /** And answers so long after one was made. */
  partnerAnswerDays: 10,
  /** Of one owner, each of which sends an SMS. */
  openings: { count: 6, windowMs: day },
  withdrawals: { count: 6, windowMs: day },
  /** Messages, withdrawals and photographs of one owner. */
  writings: [{ count: 30, windowMs: hour }],
  /** Longer than the one transaction that a lateness takes. */
  leaseMs: 60_000,
} as const

/** The number of a day in Riyadh, and its end (24:00) in epoch milliseconds. */
const dayNumberOf = (at: number) => Math.floor((at + riyadhOffsetMs) / day)
const endOf = (dayNumber: number) => (dayNumber + 1) * day - riyadhOffsetMs

/** The day in Riyadh whose end this is: `2027-05-26`. */
export const dayOfDeadline = (deadline: number): string => riyadhTimeOf(deadline - 1).slice(0, 10)

/** Sunday to Thursday, where it is no holiday (ISO dates). */
export function isWorkingDay(deadline: number, holidays: readonly string[]): boolean {
  const date = dayOfDeadline(deadline)
  return new Date(`${date}T00:00:00Z`).getUTCDay() <= 4 && !holidays.includes(date)
}

/** The end of the working day that comes so many working days after the day of `at`. */
export function deadlineAfter(at: number, workingDays: number, holidays: readonly string[]): number {
  let left = workingDays
  for (let number = dayNumberOf(at) + 1; ; number += 1) {
    if (isWorkingDay(endOf(number), holidays)) left -= 1
    if (left <= 0) return endOf(number)
  }
}

/** What can be reported of a bag now: nothing before its hand-over. */
export function offeredKinds(
  promises: Promises | undefined,
  bag: Pick<Booking, 'state' | 'events'>,
  now: number,
): ClaimKind[] {
  const { state, events } = bag
  if (!isHandedOver(state)) return []
  const collectedAt =
    state === 'COLLECTED' ? events.findLast(({ kind }) => kind === 'collected')?.at : undefined
  const isOver = collectedAt !== undefined && now - Date.parse(collectedAt) > claimRules.damageMs
  if (isOver) return ['other']
  if (events.some(({ kind }) => kind === 'exception' || kind === 'returning')) return [...claimKinds]
  if (state === 'AT_BRANCH' || state === 'COLLECTED') return ['damaged', 'missing', 'wrong-branch', 'other']
  const since = handedOverAt(bag)
  if (since === undefined) return ['other']
  // Its owner may have been promised an earlier day.
  const mayBeLate = now - since >= claimRules.lateAfterMs || isLate(promises ?? {}, since, now)
  return mayBeLate ? ['late', 'lost', 'other'] : ['other']
}

/** The word of a step, as its readers get it. */
export const stepOf = (kind: ClaimEventKind): ClaimEvent => kind.slice('claim-'.length) as ClaimEvent

/** What was written in a step; empty where nothing was, and after the account was deleted. */
export const textOf = ({ data }: StoredClaimEvent): string =>
  'personal' in data ? (data.personal?.text ?? '') : ''

/** The compensation that a closing recorded; null of one without, and of other steps. */
export const closingCompensation = (step: StoredClaimEvent | undefined) =>
  step?.kind !== 'claim-closed' || step.data.halalas === null
    ? null
    : { halalas: step.data.halalas, reference: step.data.personal?.reference ?? null }

/** The compensation with which a claim is closed. */
export const compensationOf = (
  { outcome }: { readonly outcome: ClaimOutcome | null },
  steps: readonly StoredClaimEvent[],
) =>
  outcome === 'compensated'
    ? closingCompensation(steps.findLast(({ kind }) => kind === 'claim-closed'))
    : null

/** By when the courier can be complained to, and by when it answers: at this time of these days. */
export function partnerDeadlines(handedOver: number | undefined, toldAt: number | null) {
  return {
    partnerBy: handedOver === undefined ? undefined : handedOver + claimRules.partnerDays * day,
    partnerAnswerBy: toldAt === null ? undefined : toldAt + claimRules.partnerAnswerDays * day,
  }
}

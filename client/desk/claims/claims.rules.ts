import { foldDigits } from '#shared/platform/phone.ts'
import type { DeskClaim } from './claims.queries.ts'

/** Riyals as typed, `50`, `50.5` or `٥٠٫٥٠`, in halalas; undefined where that is no sum. */
export function halalasOf(typed: string): number | undefined {
  const latin = foldDigits(typed).trim().replace('٫', '.')
  const [, riyals, parts = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(latin) ?? []
  if (riyals === undefined) return undefined
  const halalas = Number(riyals) * 100 + Number(parts.padEnd(2, '0'))
  return halalas > 0 ? halalas : undefined
}

/** A step of a claim that has a date: done, or due until its end. */
export interface Deadline {
  step: 'opened' | 'passed-on' | 'answer' | 'partner'
  /** ISO 8601 of what is done; absent while it is due. */
  doneAt?: string
  /** A day in Riyadh; absent where it only begins with an earlier step. */
  until?: string
}

type Facts = Pick<
  DeskClaim,
  'openedAt' | 'answerBy' | 'lateSince' | 'partnerBy' | 'partnerAnswerBy' | 'state' | 'events'
>

/** The deadlines of a claim in their order. @param dayOf the day in Riyadh of a moment */
export function deadlinesOfClaim(claim: Facts, dayOf: (iso: string) => string): readonly Deadline[] {
  const { openedAt, answerBy, lateSince, partnerBy, partnerAnswerBy, state, events } = claim
  const last = (...kinds: readonly string[]) => events.findLast(({ kind }) => kinds.includes(kind))?.at
  const doneOr = (at: string | undefined, until: string | null | undefined) =>
    at !== undefined ? { doneAt: at } : until == null ? {} : { until }
  const passedOn = last('passed-on')
  return [
    { step: 'opened', doneAt: openedAt },
    { step: 'passed-on', ...doneOr(passedOn, partnerBy && dayOf(partnerBy)) },
    {
      step: 'answer',
      ...doneOr(state === 'OPEN' ? undefined : last('answered', 'question', 'closed'), lateSince ?? answerBy),
    },
    {
      step: 'partner',
      ...doneOr(
        passedOn === undefined ? undefined : last('partner-answered'),
        passedOn === undefined ? undefined : partnerAnswerBy && dayOf(partnerAnswerBy),
      ),
    },
  ]
}

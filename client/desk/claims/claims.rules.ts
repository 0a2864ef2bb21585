import { foldDigits } from '#shared/platform/phone.ts'
import type { DeskClaim } from './claims.queries.ts'

/** Converts typed riyals (`50`, `50.5`, `٥٠٫٥٠`) to halalas; `undefined` when the text is no amount. */
export function halalasOf(typed: string): number | undefined {
  const latin = foldDigits(typed).trim().replace('٫', '.')
  const [, riyals, parts = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(latin) ?? []
  if (riyals === undefined) return undefined
  const halalas = Number(riyals) * 100 + Number(parts.padEnd(2, '0'))
  return halalas > 0 ? halalas : undefined
}

/** A step of a claim with a date: the step is done, or it is due by the end of that day. */
export interface Deadline {
  step: 'opened' | 'passed-on' | 'answer' | 'partner'
  /** Time of a step that is done, ISO 8601; absent while the step is due. */
  doneAt?: string
  /** The last day of the step, in Riyadh; absent while an earlier step is not done. */
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

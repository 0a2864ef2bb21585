import { type AgainProblem, againProblems } from '#client/features/booking/again.rules.ts'
import { fieldOf } from '#client/platform/field-of.ts'

/** The reasons why the route of an order could not be filled in, as the state of the booking page's history entry. */
export const withAgainProblems = (problems: readonly AgainProblem[]) => ({ againProblems: problems })

/** @param state of an entry, also of one that an earlier build made */
export function readAgainProblems(state: unknown): readonly AgainProblem[] {
  const problems = fieldOf(state, 'againProblems')
  return Array.isArray(problems) ? againProblems.filter((known) => problems.includes(known)) : []
}

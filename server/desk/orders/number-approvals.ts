import type { Core } from '#server/core.ts'
import { bad, good, note, type SubjectReading } from '#server/desk/actions/actions.rules.ts'
import type { Actor } from '#server/features/history/history.ts'
import { notPossible, withoutOwner } from '#server/features/operators/operators.ts'
import { beginNumberChange, readNumberFacts } from '#server/features/sessions/number-changes.ts'
import { maskedPhone } from '#server/platform/masks.ts'

export interface NumberPayload {
  readonly phone: string
  readonly askedAt: number
}

interface NumberRequestRow {
  readonly about: string
  /** The payload is null after the decision or the deletion of the account. */
  readonly payload: string | null
}

export async function readNumberRequests(
  core: Core,
  rows: readonly NumberRequestRow[],
): Promise<SubjectReading[]> {
  const requests = rows.map(requestOf)
  const known = requests.filter((request) => request !== undefined)
  const facts = await readNumberFacts(core, known)
  return requests.map((request) => readingOf(core, request && facts[known.indexOf(request)]))
}

/**
 * Inside the transaction of the approval: begins a change of a phone number, which then waits for a code to the new
 * number.
 * @throws Failure ACTION_NOT_POSSIBLE, NUMBER_HAS_ACCOUNT
 */
export async function beginApprovedChange(core: Core, by: Actor, row: NumberRequestRow): Promise<void> {
  const request = requestOf(row)
  if (!request) throw notPossible('ownerDeleted')
  await beginNumberChange(core, by, request.userId, request.phone).catch(withoutOwner)
}

function requestOf({ about, payload }: NumberRequestRow) {
  if (payload === null) return undefined
  const { phone, askedAt } = JSON.parse(payload) as NumberPayload
  return { userId: Number(about), phone, since: askedAt }
}

type NumberFacts = Awaited<ReturnType<typeof readNumberFacts>>[number]

function readingOf({ config }: Core, facts: NumberFacts | undefined): SubjectReading {
  if (facts?.phone === undefined) return { state: 'deleted', checks: [bad('account-deleted')] }
  const { phone, taken, hasSignedIn, replaces } = facts
  return {
    state: [maskedPhone(phone), taken ?? 'free', hasSignedIn].join(' '),
    checks: [
      taken ? bad('number-taken') : good('number-free'),
      note(config.MESSAGES_ENABLED ? 'number-notified' : 'number-not-notified'),
      ...(replaces ? [note('number-replaces')] : []),
    ],
  }
}

import type { Core } from '#server/core.ts'
import type { SubjectReading } from '#server/features/desk-actions/desk-actions.service.ts'
import type { Actor } from '#server/features/history/history.ts'
import { beginNumberChange, readNumberFacts } from '#server/features/sessions/sessions.calls.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/masks.ts'
import { deskActionsErrors, whyNot } from '#shared/desk-actions/desk-actions.errors.ts'
import type { NumberPayload } from './numbers.ts'

/** An approval request for another number, as it is stored. */
interface NumberRequestRow {
  /** The id of the user. */
  readonly about: string
  /** JSON of a `NumberPayload`; null once the account is deleted or the request has ended. */
  readonly payload: string | null
}

const payloadIn = ({ payload }: NumberRequestRow): NumberPayload | undefined =>
  payload === null ? undefined : (JSON.parse(payload) as NumberPayload)

/** What approvers read of requests for another number, in the order of the rows. */
export async function readNumberRequests(
  core: Core,
  rows: readonly NumberRequestRow[],
): Promise<SubjectReading[]> {
  const requests = rows.map((row) => {
    const asked = payloadIn(row)
    return asked && { userId: Number(row.about), phone: asked.phone, since: asked.askedAt }
  })
  const alive = requests.filter((request) => request !== undefined)
  const facts = await readNumberFacts(core, alive)
  return requests.map((request) => readingOf(core, request && facts[alive.indexOf(request)]))
}

type NumberFacts = Awaited<ReturnType<typeof readNumberFacts>>[number]

function readingOf({ config }: Core, facts: NumberFacts | undefined): SubjectReading {
  if (facts?.phone === undefined)
    return {
      state: 'deleted',
      checks: [{ kind: 'account-deleted', tone: 'bad', data: {} }],
    }
  const { phone, taken, hasSignedIn, replaces } = facts
  return {
    // An approval fails when this has changed since the request.
    state: [maskedPhone(phone), taken ?? 'free', hasSignedIn].join(' '),
    checks: [
      taken
        ? { kind: 'number-taken', tone: 'bad', data: {} }
        : { kind: 'number-free', tone: 'good', data: {} },
      { kind: config.MESSAGES_ENABLED ? 'number-notified' : 'number-not-notified', tone: 'note', data: {} },
      ...(replaces ? [{ kind: 'number-replaces', tone: 'note', data: {} } as const] : []),
    ],
  }
}

/** Inside the transaction of an approval: the account waits for a code to the new number. @throws Failure ACTION_NOT_POSSIBLE, NUMBER_HAS_ACCOUNT */
export async function beginApprovedChange(core: Core, by: Actor, row: NumberRequestRow): Promise<void> {
  const asked = payloadIn(row)
  if (!asked) throw ownerDeleted()
  await beginNumberChange(core, by, Number(row.about), asked.phone).catch((error: unknown) => {
    throw isFailure(error, 'NOT_SIGNED_IN') ? ownerDeleted() : error
  })
}

const ownerDeleted = () =>
  failure(deskActionsErrors, 'ACTION_NOT_POSSIBLE', { values: { why: whyNot.ownerDeleted } })

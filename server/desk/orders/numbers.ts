import type { Core } from '#server/core.ts'
import { findRequest, requestWithoutOrder } from '#server/desk/actions/requests.ts'
import { findLastNumberChange } from '#server/features/sessions/number-changes.queries.ts'
import { readNumberFacts } from '#server/features/sessions/number-changes.ts'
import { findRecipient } from '#server/features/users/users.ts'
import { failure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/masks.ts'
import { readPhone } from '#server/platform/phone.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import type { ActAnswer } from '#shared/desk/actions/actions.schemas.ts'
import { deskOrdersErrors } from '#shared/desk/orders/desk-orders.errors.ts'
import type { DeskAccount } from '#shared/desk/orders/people.api.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { NumberPayload } from './number-approvals.ts'

/**
 * Requests another phone number for an account whose owner has lost the old phone. A colleague must approve.
 * @throws Failure PERSON_NOT_FOUND, PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, NUMBER_HAS_ACCOUNT, ACTED_BEFORE
 */
export async function requestNumberChange(
  core: Core,
  staff: Staff,
  userId: number,
  request: StaffRequest,
  { phone: typed, reason }: { readonly phone: string; readonly reason: string },
): Promise<ActAnswer> {
  if (!(await findRecipient(core, userId))) throw failure(deskOrdersErrors, 'PERSON_NOT_FOUND')
  const read = readPhone(typed, core.config.ALLOWED_PHONE_COUNTRIES)
  if ('refusal' in read) throw phoneRefused(read.refusal)
  const payload: NumberPayload = { phone: read.phone, askedAt: core.clock.now() }
  const [facts] = await readNumberFacts(core, [{ userId, phone: payload.phone, since: payload.askedAt }])
  if (facts?.taken) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
  return requestWithoutOrder(core, staff, request, {
    act: 'number',
    about: String(userId),
    halalas: 0,
    payload,
    reason,
  })
}

function phoneRefused(refusal: 'invalid' | 'no-codes') {
  const code = refusal === 'invalid' ? 'PHONE_INVALID' : 'PHONE_CANNOT_RECEIVE_CODES'
  return failure(sessionsErrors, code, { fields: [{ field: 'phone', text: sessionsErrors[code].text }] })
}

export async function readNumberChange(
  core: Core,
  userId: number,
): Promise<Pick<DeskAccount, 'numberAsked' | 'numberChange'>> {
  const asked = await findRequest(core, 'number', String(userId))
  const last = await findLastNumberChange(core, userId)
  return {
    numberAsked:
      asked && asked.expires_at > core.clock.now() ? { by: asked.asked_by, at: isoOf(asked.asked_at) } : null,
    numberChange: last
      ? {
          state: last.state,
          phone: last.phone === null ? null : maskedPhone(last.phone),
          takesFrom: isoOf(last.takes_from),
          endsAt: isoOf(last.ended_at ?? last.ends_at),
        }
      : null,
  }
}

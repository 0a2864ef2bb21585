import type {
  Carrier,
  DeskActionsService,
  SubjectReader,
  SubjectReading,
} from '#server/features/desk-actions/desk-actions.service.ts'
import type { Actor } from '#server/features/history/history.ts'
import type {
  NumberChangeFacts,
  NumberChanges,
  UsersService,
} from '#server/features/sessions/sessions.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { failure, isFailure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/masks.ts'
import { readPhone } from '#server/platform/phone.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deskActionsErrors, whyNot } from '#shared/desk-actions/desk-actions.errors.ts'
import type { ActAnswer } from '#shared/desk-actions/desk-actions.schemas.ts'
import { deskOrdersErrors } from '#shared/desk-orders/desk-orders.errors.ts'
import type { DeskAccount } from '#shared/desk-orders/people.operations.ts'
import { isoOf } from '#shared/platform/instant.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

export interface NumbersDeps {
  readonly numbers: Pick<NumberChanges, 'readFacts' | 'begin' | 'findLast'>
  readonly users: Pick<UsersService, 'findRecipient'>
  readonly deskActions: Pick<DeskActionsService, 'askWithoutOrder' | 'findAsked' | 'carriers' | 'subjects'>
  readonly clock: Clock
  /** ISO codes of the countries that may sign in; all when undefined. */
  readonly allowedCountries: readonly string[] | undefined
  /** Whether SMS are sent, so that the old number is notified. */
  readonly isNotified: boolean
}

/** The stored body of a request. */
interface Payload {
  /** E.164 */
  readonly phone: string
  /** Epoch milliseconds. */
  readonly askedAt: number
}

/** The new number that is asked for; undefined once the account or the request has ended. */
const numberIn = (payload: string | null): Payload | undefined =>
  payload === null ? undefined : (JSON.parse(payload) as Payload)

function phoneRefusal(refusal: 'invalid' | 'no-codes') {
  const code = refusal === 'invalid' ? 'PHONE_INVALID' : 'PHONE_CANNOT_RECEIVE_CODES'
  return failure(sessionsErrors, code, { fields: [{ field: 'phone', text: sessionsErrors[code].text }] })
}

const ownerDeleted = () =>
  failure(deskActionsErrors, 'ACTION_NOT_POSSIBLE', { values: { why: whyNot.ownerDeleted } })

const stateOf = ({ phone, taken, hasSignedIn }: NumberChangeFacts): string =>
  [phone === undefined ? 'deleted' : maskedPhone(phone), taken ?? 'free', hasSignedIn].join(' ')

/** Another number for a person whose number is gone and whom no address can recover: always with a second person. */
export function createNumbers(deps: NumbersDeps) {
  const { numbers, users, deskActions, clock, allowedCountries, isNotified } = deps

  const subject: SubjectReader = {
    async read(rows) {
      const requests = rows.map(({ about, payload }) => {
        const asked = numberIn(payload)
        return asked && { userId: Number(about), phone: asked.phone, since: asked.askedAt }
      })
      const alive = requests.filter((request) => request !== undefined)
      const facts = await numbers.readFacts(alive)
      return requests.map((request) => {
        const own = request && facts[alive.indexOf(request)]
        return readingOf(own ?? { phone: undefined, taken: undefined, hasSignedIn: false, replaces: false })
      })
    },
  }

  function readingOf(facts: NumberChangeFacts): SubjectReading {
    const { phone, taken, replaces } = facts
    const state = stateOf(facts)
    if (phone === undefined) return { state, checks: [{ kind: 'account-deleted', tone: 'bad', data: {} }] }
    return {
      state,
      checks: [
        taken
          ? { kind: 'number-taken', tone: 'bad', data: {} }
          : { kind: 'number-free', tone: 'good', data: {} },
        { kind: isNotified ? 'number-notified' : 'number-not-notified', tone: 'note', data: {} },
        ...(replaces ? [{ kind: 'number-replaces', tone: 'note', data: {} } as const] : []),
      ],
    }
  }

  const carry: Carrier = async ({ about, payload }, { staff, actor }) => {
    const asked = numberIn(payload)
    if (!asked) throw ownerDeleted()
    const by: Actor = staff
      ? {
          kind: 'staff',
          issuer: staff.issuer,
          subject: staff.subject,
          name: actor,
          roles: staff.roles,
        }
      : { kind: 'operator', name: actor }
    await numbers.begin(by, Number(about), asked.phone).catch((error: unknown) => {
      throw isFailure(error, 'NOT_SIGNED_IN') ? ownerDeleted() : error
    })
  }

  deskActions.subjects.set('number', subject)
  deskActions.carriers.set('number', carry)

  return {
    /**
     * Asks for another number; once under its key.
     * @throws Failure PERSON_NOT_FOUND, PHONE_INVALID, PHONE_CANNOT_RECEIVE_CODES, NUMBER_HAS_ACCOUNT, ACTED_BEFORE
     */
    async askNumber(
      staff: Staff,
      userId: number,
      request: StaffRequest,
      { phone: typed, reason }: { readonly phone: string; readonly reason: string },
    ): Promise<ActAnswer> {
      if (!(await users.findRecipient(userId))) throw failure(deskOrdersErrors, 'PERSON_NOT_FOUND')
      const read = readPhone(typed, allowedCountries)
      if ('refusal' in read) throw phoneRefusal(read.refusal)
      const payload: Payload = { phone: read.phone, askedAt: clock.now() }
      const [facts] = await numbers.readFacts([{ userId, phone: payload.phone, since: payload.askedAt }])
      if (facts?.taken) throw failure(sessionsErrors, 'NUMBER_HAS_ACCOUNT')
      return deskActions.askWithoutOrder(staff, request, {
        act: 'number',
        about: String(userId),
        halalas: 0,
        payload,
        reason,
      })
    },

    /** What waits, or waited last, of another number for a person. */
    async readNumberChange(userId: number): Promise<Pick<DeskAccount, 'numberAsked' | 'numberChange'>> {
      const asked = await deskActions.findAsked('number', String(userId))
      const last = await numbers.findLast(userId)
      return {
        numberAsked:
          asked && asked.expires_at > clock.now() ? { by: asked.asked_by, at: isoOf(asked.asked_at) } : null,
        numberChange: last
          ? {
              state: last.state,
              phone: last.phone === null ? null : maskedPhone(last.phone),
              takesFrom: isoOf(last.takes_from),
              endsAt: isoOf(last.ended_at ?? last.ends_at),
            }
          : null,
      }
    },
  }
}

import Type, { type Static } from 'typebox'
import { claimKinds } from '#shared/claims/claims.operations.ts'
import { claimStates } from '#shared/claims/claims.schemas.ts'
import { orderStatuses } from '#shared/orders/orders.operations.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import {
  ActHeaders,
  NumberInPath,
  orNull,
  Reason,
  Time,
  WaitingApproval,
} from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import { numberChangeStates } from '#shared/sessions/number-changes.ts'
import { PhoneAsTyped } from '#shared/sessions/sessions.schemas.ts'
import * as endpoints from './people.operations.ts'

const feature = 'desk-orders'
const strict = { additionalProperties: false }
const ofPerson = Type.Object({ userId: NumberInPath }, strict)

const Because = Type.Object({ reason: Reason }, strict)

export const DeskAccount = Type.Object({
  userId: Type.Integer(),
  name: Type.String({ description: 'The first word and a letter.' }),
  phone: Type.String({ description: 'The calling code and the last four digits.' }),
  language: orNull(Type.String()),
  messages: Type.Boolean({ description: 'The owner wants messages about bags.' }),
  hasEmail: Type.Boolean(),
  wrongCodes: Type.Integer({ description: 'In a row, of the number and the address.' }),
  isLocked: Type.Boolean({ description: 'No sign-in until it is unlocked.' }),
  numberAsked: orNull(
    Type.Object(
      { by: Type.String(), at: Time },
      { description: 'A request to move the account to another number, which waits for a second person.' },
    ),
  ),
  numberChange: orNull(
    Type.Object(
      {
        state: Type.Enum([...numberChangeStates]),
        phone: orNull(Type.String({ description: 'The new number, masked, while the change waits.' })),
        takesFrom: Type.String({
          format: 'date-time',
          description: 'From then on the first sign-in with the new number gets the account.',
        }),
        endsAt: Type.String({ format: 'date-time', description: 'When it has ended, or will end unused.' }),
      },
      { description: 'The last move that was approved.' },
    ),
  ),
  codes: Type.Array(
    Type.Object({
      sentAt: Time,
      channel: Type.String(),
      delivery: orNull(Type.String()),
      state: Type.String(),
    }),
    { description: 'That are still stored, the newest first.' },
  ),
  sessions: Type.Array(Type.Object({ createdAt: Time, lastSeenAt: Time, device: orNull(Type.String()) })),
  orders: Type.Array(
    Type.Object({ orderId: Type.Integer(), status: Type.Enum([...orderStatuses]), createdAt: Time }),
    { description: 'The newest first.' },
  ),
  claims: Type.Array(
    Type.Object({
      number: Type.String(),
      orderId: Type.Integer(),
      kind: Type.Enum([...claimKinds]),
      state: Type.Enum([...claimStates]),
      openedAt: Time,
    }),
    { description: 'The newest first.' },
  ),
})
export type DeskAccount = Static<typeof DeskAccount>

export const readDeskPerson = defineOperation({
  ...endpoints.readDeskPerson,
  summary: 'Sign-in, sessions, orders and claims of a person, masked; the look is recorded',
  feature,
  params: ofPerson,
  response: successOf({ person: DeskAccount }),
  errors: ['PERSON_NOT_FOUND', 'TOO_MANY_CALLS'],
})

export const unlockDeskPerson = defineOperation({
  ...endpoints.unlockDeskPerson,
  summary: 'Open the sign-in of a person that wrong codes have locked',
  feature,
  roles: ['support', 'lead'],
  params: ofPerson,
  headers: ActHeaders,
  body: Because,
  response: successOf({}),
  errors: ['PERSON_NOT_FOUND', 'NOT_LOCKED', 'ACTED_BEFORE', 'IDEMPOTENCY_CONFLICT'],
})

export const askNumber = defineOperation({
  ...endpoints.askNumber,
  summary:
    'Ask that an account whose number is gone moves to another number; it waits for another person, then a day for the old number',
  feature,
  roles: ['support', 'lead'],
  params: ofPerson,
  headers: ActHeaders,
  body: Type.Object({ phone: PhoneAsTyped, reason: Reason }, strict),
  response: successOf({ approval: WaitingApproval }),
  mayWait: true,
  errors: [
    'PERSON_NOT_FOUND',
    'PHONE_INVALID',
    'PHONE_CANNOT_RECEIVE_CODES',
    'NUMBER_HAS_ACCOUNT',
    'ACTED_BEFORE',
    'IDEMPOTENCY_CONFLICT',
  ],
})

/** The pairing number, which the agent reads from their own screen to the staff member. */
const Pairing = Type.String({
  pattern: '^[0-9\\u0660-\\u0669\\u06F0-\\u06F9]{6}$',
  description: 'Six digits, Latin, Arabic-Indic or Persian.',
})

export const openAgent = defineOperation({
  ...endpoints.openAgent,
  summary:
    'Let the one browser that shows this pairing number sign an agent in, once, although the codes of a day are used up',
  feature,
  roles: ['support', 'lead'],
  params: Type.Object(
    {
      agentId: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'As the partner’s directory names the agent.',
      }),
    },
    strict,
  ),
  headers: ActHeaders,
  body: Type.Object({ pairing: Pairing, reason: Reason }, strict),
  response: successOf({}),
  errors: ['AGENT_NOT_FOUND', 'PAIRING_NOT_FOUND', 'AGENTS_UNAVAILABLE', 'IDEMPOTENCY_CONFLICT'],
})

export const endPersonSessions = defineOperation({
  ...endpoints.endPersonSessions,
  summary: 'End all sessions of a person',
  feature,
  roles: ['lead'],
  params: ofPerson,
  headers: ActHeaders,
  body: Because,
  response: successOf({ ended: Type.Integer() }),
  errors: ['PERSON_NOT_FOUND', 'IDEMPOTENCY_CONFLICT'],
})

export const peopleOperations = {
  readDeskPerson,
  unlockDeskPerson,
  askNumber,
  openAgent,
  endPersonSessions,
} as const

import Type from 'typebox'
import { codeChannels } from '#shared/platform/code-channels.ts'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody, orNull } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import * as endpoints from './sessions.operations.ts'
import {
  Agent,
  CodeAsTyped,
  CodeSent,
  codeDeliveries,
  OwnUser,
  PersonName,
  PhoneAsTyped,
  SessionId,
  SessionView,
  User,
} from './sessions.schemas.ts'

const feature = 'sessions'
const strict = { additionalProperties: false }

/**
 * With `probe`, a missing session is not answered with 401 (spec §7), which the browser's console would show as an
 * error.
 */
const Probe = Type.Object(
  {
    probe: Type.Optional(
      Type.Literal('1', { description: 'Answers 200 with `success: false` where it would be 401.' }),
    ),
  },
  strict,
)
const NotSignedIn = Type.Object({ success: Type.Literal(false) }, strict)

const Channel = Type.Optional(
  Type.Enum([...codeChannels], {
    description:
      'How the code is sent; where it is left out by the first one on offer, unless a code is still valid.',
  }),
)

const phoneErrors = ['PHONE_INVALID', 'PHONE_CANNOT_RECEIVE_CODES'] as const
const nameErrors = ['NAME_REQUIRED', 'NAME_INVALID', 'NAME_TOO_LONG'] as const
export const sendErrors = [
  ...phoneErrors,
  'CHANNEL_UNAVAILABLE',
  'CODE_REQUESTED_TOO_SOON',
  'TOO_MANY_CODES',
  'TOO_MANY_WRONG_CODES',
  'PHONE_LOCKED',
  'SIGN_IN_BUSY',
  'OTP_UNAVAILABLE',
] as const
export const checkErrors = [
  ...phoneErrors,
  'CODE_INVALID',
  'CODE_USED_UP',
  'TOO_MANY_WRONG_CODES',
  'PHONE_LOCKED',
  'OTP_UNAVAILABLE',
] as const

/** Phone numbers of agents are public, so wrong codes must not lock them for good (PHONE_LOCKED). */
const isForAgents = <Code extends string>(code: Code): code is Exclude<Code, 'PHONE_LOCKED'> =>
  code !== 'PHONE_LOCKED'

export const requestOtp = defineOperation({
  ...endpoints.requestOtp,
  summary: 'Send a pilgrim a one-time code',
  feature,
  body: Type.Object({ phone: PhoneAsTyped, name: Type.Optional(PersonName), channel: Channel }, strict),
  response: CodeSent,
  errors: [...sendErrors, ...nameErrors],
})

export const readDelivery = defineOperation({
  ...endpoints.readDelivery,
  summary: 'Whether the last SMS with a code for this browser arrived, as far as the code service knows',
  feature,
  response: successOf({
    state: Type.Enum([...codeDeliveries], {
      description: 'The service is asked once, 20 seconds after the SMS. For agents always `unknown`.',
    }),
  }),
})

export const verifyOtp = defineOperation({
  ...endpoints.verifyOtp,
  summary: 'Sign a pilgrim in, or up when a name is given',
  feature,
  body: Type.Object({ phone: PhoneAsTyped, code: CodeAsTyped, name: Type.Optional(PersonName) }, strict),
  response: successOf({ user: User }),
  errors: [...checkErrors, ...nameErrors, 'SIGN_UP_REQUIRED'],
})

export const sendAgentOtp = defineOperation({
  ...endpoints.sendAgentOtp,
  summary: 'Send an agent a one-time code',
  feature,
  body: Type.Object({ phone: PhoneAsTyped, channel: Channel }, strict),
  response: CodeSent,
  errors: [...sendErrors.filter(isForAgents), 'AGENTS_UNAVAILABLE'],
})

export const showPairing = defineOperation({
  ...endpoints.showPairing,
  summary:
    'The number by which the desk lets this browser sign an agent in, where the codes of a day are used up; numbers that are no agent’s are answered alike',
  feature,
  body: Type.Object({ phone: PhoneAsTyped }, strict),
  response: successOf({
    pairing: orNull(
      Type.String({
        description:
          'Six digits. Null where the codes of a day are not used up, and once the desk has opened the browser.',
      }),
    ),
    expiresInSeconds: Type.Integer({ minimum: 0 }),
  }),
  errors: phoneErrors,
})

export const verifyAgentOtp = defineOperation({
  ...endpoints.verifyAgentOtp,
  summary: 'Sign an agent in',
  feature,
  body: Type.Object({ phone: PhoneAsTyped, code: CodeAsTyped }, strict),
  response: successOf({
    agent: Agent,
    token: Type.String({ description: 'A handle of the session without authority: no endpoint accepts it.' }),
  }),
  errors: [...checkErrors.filter(isForAgents), 'AGENTS_UNAVAILABLE'],
})

export const readUserSession = defineOperation({
  ...endpoints.readUserSession,
  summary: 'The signed-in user',
  feature,
  isRoutine: true,
  refusedLast: true,
  query: Probe,
  response: Type.Union([
    successOf({
      userId: User.properties.id,
      name: User.properties.name,
      phone: User.properties.phone,
      messages: OwnUser.properties.messages,
      email: OwnUser.properties.email,
    }),
    NotSignedIn,
  ]),
  errors: ['NOT_SIGNED_IN'],
})

export const updateUser = defineOperation({
  ...endpoints.updateUser,
  summary: 'Correct the name that goes on airway bills not yet issued, or switch messages by SMS on and off',
  feature,
  body: Type.Object(
    { name: Type.Optional(PersonName), messages: OwnUser.properties.messages },
    { ...strict, minProperties: 1 },
  ),
  response: successOf({ user: OwnUser }),
  errors: nameErrors,
})

export const readAgentSession = defineOperation({
  ...endpoints.readAgentSession,
  summary: 'The signed-in agent',
  feature,
  isRoutine: true,
  refusedLast: true,
  query: Probe,
  response: Type.Union([
    successOf({
      agentId: Agent.properties.id,
      name: Agent.properties.name,
      phone: Agent.properties.phone,
    }),
    NotSignedIn,
  ]),
  errors: ['NOT_SIGNED_IN', 'AGENTS_UNAVAILABLE'],
})

export const logout = defineOperation({
  ...endpoints.logout,
  summary: 'End the session on the server',
  feature,
  body: NoBody,
  response: successOf({}),
})

export const logoutEverywhere = defineOperation({
  ...endpoints.logoutEverywhere,
  summary: 'End all sessions of the signed-in user or agent, this one included',
  feature,
  body: NoBody,
  response: successOf({}),
})

export const listSessions = defineOperation({
  ...endpoints.listSessions,
  summary: 'The live sessions of the signed-in user or agent, the last used first',
  feature,
  response: successOf({ sessions: Type.Array(SessionView) }),
})

export const endSession = defineOperation({
  ...endpoints.endSession,
  summary:
    'End one session of the signed-in user or agent; users end another one than their own after a confirmation `session`',
  feature,
  params: Type.Object({ id: SessionId }, strict),
  response: successOf({}),
  errors: ['CONFIRMATION_REQUIRED', 'SESSION_NOT_FOUND'],
})

export const sessionsOperations = {
  requestOtp,
  readDelivery,
  verifyOtp,
  sendAgentOtp,
  showPairing,
  verifyAgentOtp,
  readUserSession,
  updateUser,
  readAgentSession,
  logout,
  logoutEverywhere,
  listSessions,
  endSession,
} as const

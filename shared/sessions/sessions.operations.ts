import Type from 'typebox'
import { defineOperation } from '#shared/platform/operation.ts'
import { NoBody } from '#shared/platform/platform.schemas.ts'
import { successOf } from '#shared/platform/problem.ts'
import {
  Agent,
  CodeAsTyped,
  CodeSent,
  PersonName,
  PhoneAsTyped,
  SessionId,
  SessionView,
  User,
} from './sessions.schemas.ts'

const room = 'sessions'
const strict = { additionalProperties: false }

export const requestOtp = defineOperation({
  method: 'POST',
  path: '/api/auth/request-otp',
  summary: 'Send a pilgrim a one-time code',
  room,
  caller: 'anyone',
  body: Type.Object({ phone: PhoneAsTyped, name: Type.Optional(PersonName) }, strict),
  response: CodeSent,
})

export const verifyOtp = defineOperation({
  method: 'POST',
  path: '/api/auth/verify-otp',
  summary: 'Sign a pilgrim in, or up when a name is given',
  room,
  caller: 'anyone',
  body: Type.Object({ phone: PhoneAsTyped, code: CodeAsTyped, name: Type.Optional(PersonName) }, strict),
  response: successOf({ user: User }),
})

export const sendAgentOtp = defineOperation({
  method: 'POST',
  path: '/api/auth/send-agent-otp',
  summary: 'Send an agent a one-time code',
  room,
  caller: 'anyone',
  body: Type.Object({ phone: PhoneAsTyped }, strict),
  response: CodeSent,
})

export const verifyAgentOtp = defineOperation({
  method: 'POST',
  path: '/api/auth/verify-agent-otp',
  summary: 'Sign an agent in',
  room,
  caller: 'anyone',
  body: Type.Object({ phone: PhoneAsTyped, code: CodeAsTyped }, strict),
  response: successOf({
    agent: Agent,
    token: Type.String({ description: 'A handle of the session without authority: no endpoint accepts it.' }),
  }),
})

export const readUserSession = defineOperation({
  method: 'GET',
  path: '/api/auth/user',
  summary: 'Who is signed in as a user',
  room,
  caller: 'anyone',
  response: successOf({
    userId: User.properties.id,
    name: User.properties.name,
    phone: User.properties.phone,
  }),
})

export const readAgentSession = defineOperation({
  method: 'GET',
  path: '/api/auth/agent',
  summary: 'Who is signed in as an agent',
  room,
  caller: 'anyone',
  response: successOf({
    agentId: Agent.properties.id,
    name: Agent.properties.name,
    phone: Agent.properties.phone,
  }),
})

export const logout = defineOperation({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End the session on the server',
  room,
  caller: 'anyone',
  body: NoBody,
  response: successOf({}),
})

export const logoutEverywhere = defineOperation({
  method: 'POST',
  path: '/api/auth/logout-everywhere',
  summary: 'End all sessions of the caller, this one included',
  room,
  caller: 'signed-in',
  body: NoBody,
  response: successOf({}),
})

export const listSessions = defineOperation({
  method: 'GET',
  path: '/api/auth/sessions',
  summary: 'The live sessions of the caller, the last used first',
  room,
  caller: 'signed-in',
  response: successOf({ sessions: Type.Array(SessionView) }),
})

export const endSession = defineOperation({
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  summary: 'End one session of the caller',
  room,
  caller: 'signed-in',
  params: Type.Object({ id: SessionId }, strict),
  response: successOf({}),
})

export const sessionsOperations = {
  requestOtp,
  verifyOtp,
  sendAgentOtp,
  verifyAgentOtp,
  readUserSession,
  readAgentSession,
  logout,
  logoutEverywhere,
  listSessions,
  endSession,
} as const

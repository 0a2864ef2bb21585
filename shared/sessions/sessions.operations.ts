import type { Endpoint } from '#shared/platform/operation.ts'

export const requestOtp = {
  method: 'POST',
  path: '/api/auth/request-otp',
  access: 'anyone',
} as const satisfies Endpoint

export const readDelivery = {
  method: 'GET',
  path: '/api/auth/delivery',
  access: 'anyone',
} as const satisfies Endpoint

export const verifyOtp = {
  method: 'POST',
  path: '/api/auth/verify-otp',
  access: 'anyone',
} as const satisfies Endpoint

export const sendAgentOtp = {
  method: 'POST',
  path: '/api/auth/send-agent-otp',
  access: 'anyone',
} as const satisfies Endpoint

export const showPairing = {
  method: 'POST',
  path: '/api/auth/agent-pairing',
  access: 'anyone',
} as const satisfies Endpoint

export const verifyAgentOtp = {
  method: 'POST',
  path: '/api/auth/verify-agent-otp',
  access: 'anyone',
} as const satisfies Endpoint

export const readUserSession = {
  method: 'GET',
  path: '/api/auth/user',
  access: 'anyone',
} as const satisfies Endpoint

export const updateUser = {
  method: 'PATCH',
  path: '/api/auth/user',
  access: 'user',
} as const satisfies Endpoint

export const readAgentSession = {
  method: 'GET',
  path: '/api/auth/agent',
  access: 'anyone',
} as const satisfies Endpoint

export const logout = {
  method: 'POST',
  path: '/api/auth/logout',
  access: 'anyone',
} as const satisfies Endpoint

export const logoutEverywhere = {
  method: 'POST',
  path: '/api/auth/logout-everywhere',
  access: 'signed-in',
} as const satisfies Endpoint

export const listSessions = {
  method: 'GET',
  path: '/api/auth/sessions',
  access: 'signed-in',
} as const satisfies Endpoint

export const endSession = {
  method: 'DELETE',
  path: '/api/auth/sessions/:id',
  access: 'signed-in',
} as const satisfies Endpoint

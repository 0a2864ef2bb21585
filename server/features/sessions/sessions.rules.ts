import { failure } from '#server/platform/errors.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { cookieName, isSecure } from '#shared/platform/cookie-name.ts'
import { roleCookieName } from '#shared/platform/document-role.ts'
import { sessionLife } from '#shared/sessions/session-lives.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'

export type Role = Principal['role']

/** `subject` is the id of a user or an agent, depending on `role`. */
export interface Subject {
  readonly role: Role
  readonly subject: number
}

/**
 * The last use of a session is stored at most once in this time, because a write is the slowest part of most requests.
 */
export const sessionTouchMs = 60_000

export function idleLimit(role: Role, now: number, endsAt: number): number {
  return Math.min(now + sessionLife[role].idleMs, endsAt)
}

export const subjectOf = (principal: Principal): Subject => ({
  role: principal.role,
  subject: principal.role === 'user' ? principal.userId : principal.agentId,
})

/** A wrong code and a right code that cannot be used must get the same answer. */
export const wrongCode = (field: 'code' | 'emailCode' = 'code') =>
  failure(sessionsErrors, 'CODE_INVALID', { fields: [{ field, text: sessionsErrors.CODE_INVALID.text }] })

export interface SessionCookies {
  readonly session: string
  readonly binding: string
  /** This cookie marks a browser that has signed in before. It authorises nothing. */
  readonly device: string
  /** This cookie chooses the page of a user or an agent. It authorises nothing. */
  readonly role: string
  readonly secure: boolean
}

export const sessionCookiesFor = (publicUrl: string): SessionCookies => ({
  session: cookieName(publicUrl, 'session'),
  binding: cookieName(publicUrl, 'browser'),
  device: cookieName(publicUrl, 'device'),
  role: roleCookieName(publicUrl),
  secure: isSecure(publicUrl),
})

import type { Core } from '#server/core.ts'
import { freeWorkOf } from '#server/desk/work/work.ts'
import type { Person } from '#server/features/history/acts.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { rolesIn } from '#server/platform/staff-roles.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import {
  deleteAllSessions,
  deleteIdleSessions,
  findSession,
  isSignedIn,
  type SessionRow,
  touchSession,
} from './staff.queries.ts'
import { deskTouchMs, idleLimit } from './staff.rules.ts'

export function deskProvider({ config, providers: { identity } }: Core) {
  const { DESK_OIDC_ISSUER: issuer, DESK_OIDC_CLIENT_SECRET: secret } = config
  if (!identity || issuer === undefined || secret === undefined)
    throw new Error('the desk has no identity provider')
  return { identity, issuer, secret }
}

/** With `quietly` the call does not count as a use of the session. */
export async function findStaff(
  core: Core,
  token: string | undefined,
  { quietly = false } = {},
): Promise<Staff | undefined> {
  const session = await findLiveSession(core, token)
  if (!session) return undefined
  if (!quietly) await touch(core, session)
  return { role: 'staff', ...personOf(session), authenticatedAt: session.authenticated_at }
}

/** This read does not count as a use of the session. */
export async function readStaffSession(
  core: Core,
  token: string | undefined,
): Promise<StaffSession | undefined> {
  const session = await findLiveSession(core, token)
  return (
    session && {
      name: session.name,
      roles: rolesIn(session.roles),
      idleUntil: isoOf(session.idle_until),
      endsAt: isoOf(session.ends_at),
    }
  )
}

export async function endIdleSessions(core: Core, limit: number): Promise<{ rows: number; more: boolean }> {
  const ended = await core.database.transaction(async () => {
    const sessions = await deleteIdleSessions(core, core.clock.now(), limit)
    await releaseWorkOf(core, sessions)
    return sessions.length
  })
  return { rows: ended, more: ended === limit }
}

export async function endStaffSessions(core: Core): Promise<number> {
  core.database.assertTransaction()
  const sessions = await deleteAllSessions(core)
  await releaseWorkOf(core, sessions)
  return sessions.length
}

/** Ignores a session of an identity provider that is no longer configured. */
export async function findLiveSession(
  core: Core,
  token: string | undefined,
): Promise<SessionRow | undefined> {
  if (!isToken(token)) return undefined
  const session = await findSession(core, hashOf(token), core.clock.now())
  return session && isSameUrl(session.issuer, deskProvider(core).issuer) ? session : undefined
}

/** Inside the transaction that ended the sessions: releases the rows of staff members who have no session left. */
export async function releaseWorkOf(core: Core, ended: readonly SessionRow[]): Promise<void> {
  const now = core.clock.now()
  for (const session of ended)
    if (!(await isSignedIn(core, session, now))) await freeWorkOf(core, personOf(session))
}

export const personOf = ({ issuer, subject, name, roles }: SessionRow): Person => ({
  issuer,
  subject,
  name,
  roles: rolesIn(roles),
})

async function touch(core: Core, session: SessionRow) {
  const now = core.clock.now()
  if (now - session.last_seen_at < deskTouchMs) return
  // Reads must work while the database accepts no writes, so a failed write is only logged.
  await touchSession(core, session.token_hash, now, idleLimit(now, session.ends_at)).catch((error: unknown) =>
    core.log.warn({ event: 'desk.touch-failed', err: error }),
  )
}

const isSameUrl = (one: string, other: string) => new URL(one).href === new URL(other).href

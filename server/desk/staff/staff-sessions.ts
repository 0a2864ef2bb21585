import type { Core } from '#server/core.ts'
import { freeWorkOf } from '#server/desk/work/work.ts'
import type { Person } from '#server/features/history/acts.ts'
import { hashOf, isToken } from '#server/platform/secrets.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import { rolesIn } from '#server/platform/staff-roles.ts'
import type { StaffSession } from '#shared/desk/staff/staff.schemas.ts'
import { isoOf } from '#shared/platform/instant.ts'
import {
  deleteIdleSessions,
  findSession,
  isSignedIn,
  type SessionRow,
  touchSession,
} from './staff.queries.ts'
import { deskTouchMs, idleLimit } from './staff.rules.ts'

/** @throws in a gateway without a desk, which registers no calls of staff */
export function deskProvider({ config, providers: { identity } }: Core) {
  const { DESK_OIDC_ISSUER: issuer, DESK_OIDC_CLIENT_SECRET: secret } = config
  if (!identity || issuer === undefined || secret === undefined)
    throw new Error('the desk has no identity provider')
  return { identity, issuer, secret }
}

/** Counts as a use of the session, unless it is `quietly`. */
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

/** Does not count as a use of the session. */
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

/** A session of a provider that is not configured any longer is not found. */
export async function findLiveSession(
  core: Core,
  token: string | undefined,
): Promise<SessionRow | undefined> {
  if (!isToken(token)) return undefined
  const session = await findSession(core, hashOf(token), core.clock.now())
  return session && isSameUrl(session.issuer, deskProvider(core).issuer) ? session : undefined
}

/** Inside the transaction that ended sessions: staff members without another session release their rows. */
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
  // A database that takes no writes must not stop reads; a later request extends the limit.
  await touchSession(core, session.token_hash, now, idleLimit(now, session.ends_at)).catch((error: unknown) =>
    core.log.warn({ event: 'desk.touch-failed', err: error }),
  )
}

const isSameUrl = (one: string, other: string) => new URL(one).href === new URL(other).href

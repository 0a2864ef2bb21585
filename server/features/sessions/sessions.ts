import type { Core } from '#server/core.ts'
import { listEvents } from '#server/features/history/history.ts'
import { eraseUserEmails, eraseUserPhone, exportCodes } from '#server/features/otp/stored-codes.ts'
import { findAgentByPhone } from '#server/features/partner/partner.ts'
import {
  changeUser,
  deleteEmailStops,
  findUserRow,
  markUserDeleted,
  renameUser,
  setLanguage,
} from '#server/features/users/users.queries.ts'
import { acceptedName } from '#server/features/users/users.rules.ts'
import { ownUserOf, recordChange } from '#server/features/users/users.ts'
import type { QueryCore } from '#server/platform/core.ts'
import { failure } from '#server/platform/errors.ts'
import { hashOf } from '#server/platform/secrets.ts'
import type { Principal } from '#server/platform/session-scope.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { LanguageCode } from '#shared/platform/language.ts'
import { sessionsErrors } from '#shared/sessions/sessions.errors.ts'
import type { NumberChangeExport, OwnUser, SessionView } from '#shared/sessions/sessions.schemas.ts'
import { withConfirmation } from './confirmations.ts'
import { deleteNumberChanges, findLastNumberChange } from './number-changes.queries.ts'
import {
  deleteBegunSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  type FoundSession,
  findSession,
  findUserSession,
  listSessionRows,
  type SessionRow,
  touchSession,
} from './sessions.queries.ts'
import { idleLimit, sessionTouchMs, subjectOf } from './sessions.rules.ts'
import type { SessionBrowser } from './sign-in.ts'

const listedSessions = 100
const deletedAtOnce = 100

/** The call also extends the idle limit of the session. */
export async function findPrincipal(core: Core, token: string | undefined): Promise<Principal | undefined> {
  return principalOf(core, await findUsed(core, token))
}

/** Finds the principal like `findPrincipal`, and runs `read` in the same round trip. */
export async function findPrincipalWith<T>(
  core: Core,
  token: string | undefined,
  read: () => Promise<T>,
): Promise<{ readonly principal: Principal; readonly found: T } | undefined> {
  if (!token) return undefined
  const now = core.clock.now()
  const [session, found] = await core.database.together(() =>
    Promise.all([findSession(core, hashOf(token), now), read()]),
  )
  if (session) await touch(core, session, now)
  const principal = await principalOf(core, session)
  return principal && { principal, found }
}

async function principalOf(core: Core, session: FoundSession | undefined): Promise<Principal | undefined> {
  if (session?.role === 'user') return { role: 'user', userId: session.subject_id }
  const agent = session && (await findAgent(core, session))
  return agent && { role: 'agent', agentId: agent.id, partnerAgentId: agent.partnerAgentId }
}

export async function findSignedInAgent(core: Core, token: string | undefined) {
  const session = await findUsed(core, token)
  return session?.role === 'agent' ? findAgent(core, session) : undefined
}

async function findUsed(core: Core, token: string | undefined): Promise<FoundSession | undefined> {
  if (!token) return undefined
  const now = core.clock.now()
  const session = await findSession(core, hashOf(token), now)
  if (session) await touch(core, session, now)
  return session
}

async function findAgent(core: Core, session: FoundSession) {
  const { subject_id: id, agent_phone: phone, agent_name: name, partner_agent_id: partnerAgentId } = session
  if (phone === null || name === null || partnerAgentId === null) return undefined
  // The agent has left the partner's directory, or has another phone number there.
  const entry = await findAgentByPhone(core, phone)
  if (entry?.id !== partnerAgentId) {
    await deleteSessionsOf(core, { role: 'agent', subject: id })
    core.log.warn({ event: 'sessions.agent-left', agentId: id })
    return undefined
  }
  return { id, name, phone, partnerAgentId }
}

/** Also extends the idle limit of the session, and stores the language for messages. */
export async function findSignedInUser(
  core: Core,
  token: string | undefined,
  language?: LanguageCode,
): Promise<OwnUser | undefined> {
  if (!token) return undefined
  const now = core.clock.now()
  const session = await findUserSession(core, hashOf(token), now)
  if (!session) return undefined
  await touch(core, session, now)
  if (language && session.language !== language)
    await setLanguage(core, session.id, language).catch((error: unknown) =>
      core.log.warn({ event: 'sessions.language-failed', err: error }),
    )
  return ownUserOf(core, session)
}

/** @throws Failure NAME_REQUIRED, NAME_INVALID, NAME_TOO_LONG, NOT_SIGNED_IN when the account was deleted meanwhile */
export async function updateUser(
  core: Core,
  userId: number,
  { name, messages }: { readonly name?: string; readonly messages?: boolean },
): Promise<OwnUser> {
  const change = {
    ...(name !== undefined && { name: acceptedName(name) }),
    ...(messages !== undefined && { messages: messages ? (1 as const) : (0 as const) }),
  }
  const user = await core.database.transaction(async () => {
    if (change.name !== undefined && (await renameUser(core, userId, change.name)))
      await recordChange(core, userId, { change: 'name' })
    return changeUser(core, userId, change)
  })
  if (!user) throw failure(sessionsErrors, 'NOT_SIGNED_IN')
  if (name !== undefined) core.log.info({ event: 'sessions.renamed', userId })
  if (messages !== undefined) core.log.info({ event: 'sessions.messages-switched', userId, messages })
  return ownUserOf(core, user)
}

export async function logOut(core: Core, token: string | undefined): Promise<void> {
  if (!token) return
  const session = await findSession(core, hashOf(token), core.clock.now())
  await deleteSession(core, hashOf(token))
  if (session)
    core.log.info({ event: 'sessions.logged-out', role: session.role, subject: session.subject_id })
}

export async function logOutEverywhere(core: Core, principal: Principal): Promise<void> {
  const subject = subjectOf(principal)
  const ended = await deleteSessionsOf(core, subject)
  core.log.info({ event: 'sessions.ended-everywhere', ...subject, ended })
}

export const endSessionsOfUser = (core: QueryCore, userId: number): Promise<number> =>
  deleteSessionsOf(core, { role: 'user', subject: userId })

export async function endAllSessions(core: Core, begunUntil: number): Promise<number> {
  let ended = 0
  for (;;) {
    const rows = await deleteBegunSessions(core, begunUntil, deletedAtOnce)
    ended += rows
    if (rows === 0) break
  }
  core.log.warn({ event: 'sessions.all-ended', ended })
  return ended
}

export async function listSessions(
  core: Core,
  principal: Principal,
  token: string | undefined,
): Promise<SessionView[]> {
  const rows = await listSessionRows(core, subjectOf(principal), core.clock.now(), listedSessions)
  const current = token && hashOf(token)
  return rows.map((row) => ({
    id: row.id,
    createdAt: isoOf(row.created_at),
    lastSeenAt: isoOf(row.last_seen_at),
    device: row.device || null,
    isCurrent: row.token_hash === current,
  }))
}

/**
 * A user must confirm the end of a session other than the current one.
 * @returns true for the current session
 * @throws Failure CONFIRMATION_REQUIRED, and SESSION_NOT_FOUND, also for a session of another user or agent
 */
export async function endSession(
  core: Core,
  principal: Principal,
  id: string,
  browser: SessionBrowser,
): Promise<boolean> {
  const subject = subjectOf(principal)
  const current = browser.session && (await findSession(core, hashOf(browser.session), core.clock.now()))
  const isCurrent = current ? current.id === id : false
  const end = async () => {
    if (!(await deleteSessionOf(core, subject, id))) throw failure(sessionsErrors, 'SESSION_NOT_FOUND')
  }
  await (isCurrent || principal.role === 'agent' ? end() : withConfirmation(core, 'session', browser, end))
  core.log.info({ event: 'sessions.ended', ...subject })
  return isCurrent
}

export async function exportUser(core: Core, userId: number) {
  const user = await findUserRow(core, userId)
  return (
    user && {
      name: user.name,
      phone: user.phone,
      signedUpAt: isoOf(user.created_at),
      language: user.language,
      messages: user.messages === 1,
      email: user.email,
      formerPhones: await listFormerPhones(core, userId),
      numberChange: await findNumberChange(core, userId),
      codes: await exportCodes(core, user),
    }
  )
}

/**
 * Inside a transaction: erases a user. The id remains, because orders refer to it. @returns false when there is no such
 * user
 */
export async function deleteUser(core: Core, userId: number): Promise<boolean> {
  core.database.assertTransaction()
  const user = await findUserRow(core, userId)
  if (!user || !(await markUserDeleted(core, userId, user.phone, core.clock.now()))) return false
  await endSessionsOfUser(core, userId)
  await deleteNumberChanges(core, userId)
  await deleteEmailStops(core, userId)
  await eraseUserPhone(core, user.phone)
  await eraseUserEmails(core, userId, user.email)
  return true
}

async function touch(
  core: Core,
  session: Pick<SessionRow, 'token_hash' | 'role' | 'last_seen_at' | 'ends_at'>,
  now: number,
) {
  if (now - session.last_seen_at < sessionTouchMs) return
  const idleUntil = idleLimit(session.role, now, session.ends_at)
  // Reads must work even if the database accepts no writes.
  await touchSession(core, session.token_hash, now, idleUntil).catch((error: unknown) =>
    core.log.warn({ event: 'sessions.touch-failed', err: error }),
  )
}

async function listFormerPhones(core: Core, userId: number) {
  const events = await listEvents(core, 'user_id', [userId])
  return events.toReversed().flatMap((event) => {
    const phone = event.kind === 'account-changed' ? event.data.personal?.phone : undefined
    return phone === undefined ? [] : { phone, until: isoOf(event.at) }
  })
}

async function findNumberChange(core: Core, userId: number): Promise<NumberChangeExport | null> {
  const change = await findLastNumberChange(core, userId)
  if (!change) return null
  return {
    phone: change.phone,
    approvedAt: isoOf(change.approved_at),
    takesFrom: isoOf(change.takes_from),
    state: change.state,
  }
}

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, isCallProblem } from '#client/platform/call.ts'
import { operationHref } from '#client/platform/operation-href.ts'
import { readAgentSession, readUserSession } from '#shared/sessions/sessions.operations.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import { emptySession, type Role, roleOf, type SessionAnswer } from './session.rules.ts'
import { ownBrowser, sessionKey, wipeAgent, wipeUser } from './session.wipe.ts'
import { findTabOwner } from './tab-owner.ts'

/** The signed-in person. Only `recheck` asks again; if that call fails, nothing changes. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ client, signal }): Promise<SessionAnswer> => {
    const before = client.getQueryData<SessionAnswer>(sessionKey)
    return before === undefined ? askBoth(client, signal) : askAgain(client, before, signal)
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/** The two start-up calls (spec §2), at once, each with its own result. */
async function askBoth(client: QueryClient, signal: AbortSignal): Promise<SessionAnswer> {
  const failures: Partial<Record<Role, Error>> = {}
  const ask = async <T extends Person>(role: Role, read: (signal: AbortSignal) => Promise<T | null>) => {
    try {
      const person = await read(signal)
      signal.throwIfAborted()
      if (person !== null) ownBrowser(client, role, person.id)
      else wipe(role)
      return person
    } catch (error) {
      signal.throwIfAborted()
      failures[role] = error instanceof Error ? error : new Error(String(error))
      return null
    }
  }
  const [user, agent] = await Promise.all([ask('user', readUser), ask('agent', readAgent)])
  const found = { ...emptySession, user, agent, failures }
  const isSignedOut = roleOf(found) === null && Object.keys(failures).length === 0
  return { ...found, hasEnded: isSignedOut && findTabOwner() !== undefined }
}

/** One role after the other, the one before first: the pages see one change. @throws when a call failed. */
async function askAgain(
  client: QueryClient,
  before: SessionAnswer,
  signal: AbortSignal,
): Promise<SessionAnswer> {
  const roles: readonly Role[] = roleOf(before) === 'agent' ? ['agent', 'user'] : ['user', 'agent']
  for (const role of roles) {
    const person = await (role === 'user' ? readUser(signal) : readAgent(signal))
    signal.throwIfAborted()
    if (person === null) continue
    ownBrowser(client, role, person.id)
    return { ...emptySession, [role]: person }
  }
  for (const role of roles) wipe(role)
  return {
    ...emptySession,
    hasEnded: before.hasEnded || roleOf(before) !== null || findTabOwner() !== undefined,
  }
}

function wipe(role: Role): void {
  if (role === 'user') wipeUser()
  else wipeAgent()
}

type Person = User | Agent

// With `probe` the server answers 200 instead of 401, which would appear as an error in every visitor's console.
const probe = { probe: '1' } as const

/** The two start-up calls, of the user first. */
export const startUpCalls = [readUserSession, readAgentSession].map((operation) =>
  operationHref(operation, {}, probe),
)

async function readUser(signal: AbortSignal): Promise<User | null> {
  const response = await orSignedOut(call(readUserSession, { query: probe, signal }))
  return response.success ? { id: response.userId, name: response.name, phone: response.phone } : null
}

async function readAgent(signal: AbortSignal): Promise<Agent | null> {
  const response = await orSignedOut(call(readAgentSession, { query: probe, signal }))
  return response.success ? { id: response.agentId, name: response.name, phone: response.phone } : null
}

/** A 401 means not signed in, which is no error (spec §8). */
async function orSignedOut<T>(request: Promise<T>): Promise<T | { success: false }> {
  try {
    return await request
  } catch (error) {
    if (isCallProblem(error) && error.status === 401) return { success: false }
    throw error
  }
}

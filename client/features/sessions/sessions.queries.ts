import { call, isCallProblem } from '#client/platform/call.ts'
import { readAgentSession, readUserSession } from '#shared/sessions/sessions.operations.ts'
import type { Agent, User } from '#shared/sessions/sessions.schemas.ts'
import type { Role } from './sessions.rules.ts'

export type Identity = { readonly user: User } | { readonly agent: Agent }

// With `probe` the server answers 200 instead of 401, which would appear as an error in every visitor's console.
const probe = { probe: '1' } as const

/** @returns null when no user is signed in. */
export async function readUser(signal?: AbortSignal): Promise<User | null> {
  const response = await orSignedOut(call(readUserSession, { query: probe, signal }))
  return response.success ? { id: response.userId, name: response.name, phone: response.phone } : null
}

/** @returns null when no agent is signed in. */
export async function readAgent(signal?: AbortSignal): Promise<Agent | null> {
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

/** Who is signed in on this browser. The role `before` is checked first. `undefined` when a call failed. */
export async function findIdentity(before: Role | null): Promise<Identity | null | undefined> {
  const order = before === 'agent' ? (['agent', 'user'] as const) : (['user', 'agent'] as const)
  try {
    for (const role of order) {
      const identity = role === 'user' ? await findUser() : await findAgent()
      if (identity !== null) return identity
    }
    return null
  } catch {
    return undefined
  }
}

async function findUser(): Promise<Identity | null> {
  const user = await readUser()
  return user === null ? null : { user }
}

async function findAgent(): Promise<Identity | null> {
  const agent = await readAgent()
  return agent === null ? null : { agent }
}

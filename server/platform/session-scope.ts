import type { FastifyRequest } from 'fastify'

/** Who is behind a request, as the session on the server says. */
export type Caller =
  | { readonly role: 'user'; readonly userId: number }
  | { readonly role: 'agent'; readonly agentId: number; readonly partnerAgentId: string }

/** Filled in by whoever keeps sessions; the platform only asks. */
export interface SessionScope {
  /** The caller behind the session cookie; undefined when there is none or it has ended. */
  callerOf(request: FastifyRequest): Promise<Caller | undefined>
  /** The failure that tells a visitor to sign in, or a caller that the role does not fit. */
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
}

import type { FastifyReply, FastifyRequest } from 'fastify'

/** The signed-in user or agent of a request, by its session. */
export type Principal =
  | { readonly role: 'user'; readonly userId: number }
  | { readonly role: 'agent'; readonly agentId: number; readonly partnerAgentId: string }

/** Implemented by the sessions feature; the platform depends on this interface only. */
export interface SessionScope {
  /** The principal of the session cookie; undefined without a valid session. */
  principalOf(request: FastifyRequest): Promise<Principal | undefined>
  /** The failure to throw: no session, or a session of another role. */
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  /** The token of the session cookie, valid or not. */
  tokenOf(request: FastifyRequest): string | undefined
  /** Clears every cookie of sign-in. */
  clearCookies(reply: FastifyReply): void
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

/** The signed-in user or agent of a request, by its session. */
export type Principal =
  | { readonly role: 'user'; readonly userId: number }
  | { readonly role: 'agent'; readonly agentId: number; readonly partnerAgentId: string }

/** A person of the company who is signed in at the desk, as the company's identity provider names them. */
export interface Staff {
  readonly role: 'staff'
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly roles: readonly StaffRole[]
  /** When the person last proved to the provider who they are, in epoch milliseconds of this server. */
  readonly authenticatedAt: number
}

/** Implemented by the desk feature. */
export interface StaffScope {
  /**
   * The person behind the desk's cookie. It counts as a use of the session, which extends its idle limit, unless `quietly`:
   * a check that the person did not cause.
   */
  staffOf(request: FastifyRequest, options?: { readonly quietly: boolean }): Promise<Staff | undefined>
  /** The failure to throw: no session, or no fitting role. */
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  /** The token of the desk's cookie, valid or not. */
  tokenOf(request: FastifyRequest): string | undefined
}

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
  /** Without it there is no desk: operations of staff are then not registered. */
  readonly desk?: StaffScope
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

export type Principal =
  | { readonly role: 'user'; readonly userId: number }
  | { readonly role: 'agent'; readonly agentId: number; readonly partnerAgentId: string }

/** A staff member, as named by the company's identity provider. */
export interface Staff {
  readonly role: 'staff'
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly roles: readonly StaffRole[]
  /** Time of the sign-in in epoch milliseconds of this server; 0 when the identity provider does not report it. */
  readonly authenticatedAt: number
}

export interface StaffScope {
  /**
   * Extends the idle limit of the desk's session, but not with `quietly`: the staff member did not cause the request
   * then.
   */
  staffOf(request: FastifyRequest, options?: { readonly quietly: boolean }): Promise<Staff | undefined>
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  tokenOf(request: FastifyRequest): string | undefined
}

export interface SessionScope {
  principalOf(request: FastifyRequest): Promise<Principal | undefined>
  /** Looks up the session and runs `read` in one round trip. `read` must not depend on who asks. */
  principalWith<T>(
    request: FastifyRequest,
    read: () => Promise<T>,
  ): Promise<{ readonly principal: Principal; readonly found: T } | undefined>
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  tokenOf(request: FastifyRequest): string | undefined
  clearCookies(reply: FastifyReply): void
  /** Undefined when there is no desk: operations of staff are then not registered. */
  readonly desk?: StaffScope
}

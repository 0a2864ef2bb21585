import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

export type Principal =
  | { readonly role: 'user'; readonly userId: number }
  | { readonly role: 'agent'; readonly agentId: number; readonly partnerAgentId: string }

export interface Staff {
  readonly role: 'staff'
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly roles: readonly StaffRole[]
  /**
   * The time of the sign-in, in epoch milliseconds by this server's clock; 0 when the identity provider does not report
   * it.
   */
  readonly authenticatedAt: number
}

export interface StaffScope {
  /**
   * With `quietly` the request does not extend the idle limit of the session, because the staff member did not cause
   * it.
   */
  staffOf(request: FastifyRequest, options?: { readonly quietly: boolean }): Promise<Staff | undefined>
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  tokenOf(request: FastifyRequest): string | undefined
}

export interface SessionScope {
  principalOf(request: FastifyRequest): Promise<Principal | undefined>
  /** Looks up the session and runs `read` in one round trip, so `read` must not depend on the caller. */
  principalWith<T>(
    request: FastifyRequest,
    read: () => Promise<T>,
  ): Promise<{ readonly principal: Principal; readonly found: T } | undefined>
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  tokenOf(request: FastifyRequest): string | undefined
  clearCookies(reply: FastifyReply): void
  readonly desk?: StaffScope
}

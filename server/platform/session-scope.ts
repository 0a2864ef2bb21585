import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaffRole } from '#shared/platform/staff-roles.ts'

export type Principal =
  | { readonly role: 'user'; readonly userId: number }
  | { readonly role: 'agent'; readonly agentId: number; readonly partnerAgentId: string }

/** The company's identity provider names the staff member. */
export interface Staff {
  readonly role: 'staff'
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly roles: readonly StaffRole[]
  /** Epoch milliseconds of this server. */
  readonly authenticatedAt: number
}

export interface StaffScope {
  /** Extends the idle limit of the desk's session, unless `quietly`: a check that the staff member did not cause. */
  staffOf(request: FastifyRequest, options?: { readonly quietly: boolean }): Promise<Staff | undefined>
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  tokenOf(request: FastifyRequest): string | undefined
}

export interface SessionScope {
  principalOf(request: FastifyRequest): Promise<Principal | undefined>
  refusal(reason: 'not-signed-in' | 'wrong-role'): Error
  tokenOf(request: FastifyRequest): string | undefined
  clearCookies(reply: FastifyReply): void
  /** Without it there is no desk, and operations of staff are not registered. */
  readonly desk?: StaffScope
}

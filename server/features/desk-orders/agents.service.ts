import type { Core } from '#server/core.ts'
import type { AuditService } from '#server/features/audit/audit.service.ts'
import { recordAct, staffActor } from '#server/features/history/acts.ts'
import type { OtpService } from '#server/features/otp/otp.service.ts'
import type { PartnerService } from '#server/features/partner/partner.feature.ts'
import { failure } from '#server/platform/errors.ts'
import { maskedPhone } from '#server/platform/masks.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deskOrdersErrors } from '#shared/desk-orders/desk-orders.errors.ts'
import { foldDigits } from '#shared/platform/phone.ts'

export interface AgentsDeps extends Pick<Core, 'database'> {
  readonly partner: Pick<PartnerService, 'findAgent'>
  readonly otp: Pick<OtpService, 'openPairing'>
  readonly audit: Pick<AuditService, 'once'>
}

/** Acts of the desk for agents. */
export function createAgents({ database, partner, otp, audit }: AgentsDeps) {
  return {
    /**
     * Lets the browser that shows the pairing number sign the agent in; once under its key.
     * @throws Failure AGENT_NOT_FOUND, PAIRING_NOT_FOUND, AGENTS_UNAVAILABLE, IDEMPOTENCY_CONFLICT
     */
    async openAgent(
      staff: Staff,
      agentId: string,
      request: StaffRequest,
      { pairing, reason }: { readonly pairing: string; readonly reason: string },
    ): Promise<void> {
      let phone: string | undefined
      const before = async () => {
        const agent = await partner.findAgent(agentId)
        phone = agent && canonicalPhone(agent.phone)
        if (phone === undefined) throw failure(deskOrdersErrors, 'AGENT_NOT_FOUND')
      }
      const perform = async () => {
        if (phone === undefined || !(await otp.openPairing(phone, foldDigits(pairing))))
          throw failure(deskOrdersErrors, 'PAIRING_NOT_FOUND')
        const about = `${agentId}, ${maskedPhone(phone)}`
        await recordAct({ database }, { by: staffActor(staff), kind: 'device-admitted', about, reason })
        return {}
      }
      await audit.once(staff, request, { before, perform })
    },
  }
}

import type { PartnerProvider } from '#server/features/partner/partner.provider.ts'
import type { Center, PartnerAgent } from '#shared/partner/partner.schemas.ts'

/** A shipping partner with these lists. */
export const partnerWith = (
  agents: readonly PartnerAgent[],
  centers: readonly Center[],
): PartnerProvider => ({
  fetchAgents: async () => ({ rows: agents, dropped: {} }),
  fetchCenters: async () => ({ rows: centers, dropped: {} }),
})
